// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package values turns a MarkdownView into the values of its chart.
//
// It owns the precedence of values (written once, in For) and how a book's files are laid out over
// ConfigMaps. It is pure: no client, no context, no clock, no recorder. It must not judge a book;
// package book does.
package values
