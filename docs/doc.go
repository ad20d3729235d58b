// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package docs holds the project's documentation, an mdBook, and the tests that keep it true: they
// compare it with the code, and publish it by the operator's own rules.
package docs
