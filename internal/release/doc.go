// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package release is the only holder of Helm's action.Configuration.
package release

import (
	_ "github.com/operator-framework/operator-lib/conditions"
	_ "helm.sh/helm/v3/pkg/action"
	_ "sigs.k8s.io/controller-runtime"
)
