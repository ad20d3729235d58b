// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package plan decides what a release needs.
//
// Decide compares what is wanted with what is recorded and what is live, and names one action and
// its reason. Changes lists the writes of that action, object by object. Both are pure functions of
// their arguments: no client, no context, no clock, no recorder. Nothing here renders or applies.
package plan
