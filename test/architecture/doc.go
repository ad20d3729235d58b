// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package architecture holds the tests of the project's shape: in which direction data flows, which
// packages decide without doing anything, and that each says what it owns. It owns no code, and must
// not be imported. (That the kinds which are rendered, watched and permitted agree is test/config's.)
package architecture
