// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package release

import (
	"errors"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/storage/driver"
)

// upgrade runs Helm's upgrade.
//
// Side effects, in this order: records beyond the history limit are deleted, the rendered objects are
// applied, objects of ours that are no longer rendered are deleted (content that pods may need stays),
// the old record is marked superseded, the new one is created. If no record is readable, it installs.
func (r *run) upgrade() error {
	upgrade := action.NewUpgrade(r.configuration())
	upgrade.Namespace = r.request.Owner.Namespace
	upgrade.Labels = r.recordLabels()
	upgrade.DisableOpenAPIValidation = true
	upgrade.SkipCRDs = true
	upgrade.ResetValues = true
	upgrade.MaxHistory = r.engine.MaxHistory
	upgraded, err := upgrade.Run(r.request.Owner.ReleaseName(), r.engine.Chart.Copy(), r.values())
	if errors.Is(err, driver.ErrNoDeployedReleases) {
		return r.install()
	}
	if err := r.outcome(err); err != nil {
		return err
	}
	r.result.Revision = upgraded.Version
	return nil
}
