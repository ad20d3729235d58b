// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package olm installs, upgrades and removes the operator by OLM on a real cluster: `make olm-e2e`.
// What a person types is taken from docs/src/admin/olm.md and run as it stands there.
package olm
