// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package controller reconciles MarkdownViews.
//
// It owns the order of things: Reconcile reads from top to bottom as the design does, from the
// MarkdownView over values, plan, release and health to the status. It also owns whether what was
// decided is carried out now (release.go): not while the object is paused, not with a text that is no
// book, not more often than drift may be put right; and the last good release is kept meanwhile. Every
// error's consequence is in the one table of errors.go.
//
// It must not decide what a release needs, how it fares, or what the status says of that: plan, health
// and status do, without a client.
package controller
