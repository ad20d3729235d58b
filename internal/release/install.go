// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package release

import (
	"helm.sh/helm/v3/pkg/action"
)

// install runs Helm's install.
//
// Side effects: the rendered objects are applied, then record v1 is created. Objects that a dead
// process left behind are taken up, because they are the owner's.
func (r *run) install() error {
	install := action.NewInstall(r.configuration())
	install.ReleaseName = r.request.Owner.ReleaseName()
	install.Namespace = r.request.Owner.Namespace
	install.Labels = r.recordLabels()
	install.DisableOpenAPIValidation = true
	install.SkipCRDs = true
	installed, err := install.Run(r.engine.Chart.Copy(), r.values())
	if err := r.outcome(err); err != nil {
		return err
	}
	r.result.Revision = installed.Version
	return r.deleteSurplus()
}

// outcome returns the error that ended an action: the run's own, where Helm wrapped or dropped it.
func (r *run) outcome(helmErr error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.store.err != nil:
		return r.store.err
	case helmErr == nil:
		return nil
	case !r.store.reached:
		// Helm failed before it stored anything: the chart or its values are wrong.
		return &RenderError{Err: helmErr}
	}
	return helmErr
}
