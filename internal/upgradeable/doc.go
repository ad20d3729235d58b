// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package upgradeable tells OLM when an upgrade of the operator would cut a change short.
//
// It owns the operator's Upgradeable condition in the OperatorCondition that OLM names by
// OPERATOR_CONDITION_NAME: False while releases are being changed, True otherwise. Where that
// variable is unset (OLM v1, kustomize) nothing here runs. It knows of changes only how many there
// are and how long they take; it must not read or decide anything about a release.
package upgradeable
