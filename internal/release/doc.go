// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package release carries a plan out. It is the only holder of Helm's action.Configuration, and one
// of the two packages that know Helm's types (render is the other).
//
// One file a verb: install, upgrade, repair, uninstall. Helm's actions run with this
// package's own kube.Interface (kubeclient.go, apply.go) and storage driver (store.go, records.go):
//
//   - An object is written by server-side apply, with a guard: a creation fails if an object of that
//     name exists, a change fails if it is another object by then. Nothing foreign is ever seized.
//   - The record is written once, after the objects. A process that dies earlier leaves the old
//     record, so the next pass sees that the wanted digest is not the recorded one and applies again;
//     no release is ever pending.
//   - The record is not believed: deletions follow labels and owner references, not the manifest.
//
// It must not decide what a release needs (package plan does) nor touch a MarkdownView.
package release
