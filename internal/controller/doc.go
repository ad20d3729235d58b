// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package controller reconciles MarkdownViews.
//
// It owns the order of things: Reconcile reads from top to bottom as the design does, from the
// MarkdownView over values, plan, release and health to the status. Every decision is another
// package's; every error's consequence is in the one table of errors.go.
package controller
