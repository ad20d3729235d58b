// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package v1 is the admission of MarkdownViews: it sets defaults and refuses what the schema
// cannot judge, above all a book that mdBook would not build. It reads only the object of the
// request; it must not ask the API server for anything, so that admission never waits.
package v1
