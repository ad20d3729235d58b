// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package plan decides what a release needs.
//
// Decide compares what is wanted with what is recorded and what is live, and names one action and
// its reason. Changes lists the writes of that action, object by object; NeededContent names the texts
// that must outlive it. All are pure functions of their arguments: no client, no context, no clock, no
// recorder. The package must not render or apply anything.
package plan
