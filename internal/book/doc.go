// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package book judges the text of a book before mdBook sees it: paths, the table of contents,
// include directives, settings, size. It mirrors what mdBook 0.5 accepts, and is stricter where
// mdBook would publish something broken or read a file that is not part of the book.
//
// It is pure, and must not use a client, context, clock, recorder or file system. The webhook and
// the controller both call it, so an author reads the same words in either place.
//
// No author may occupy admission: what is looked at grows with the book and not with its square (work.go),
// and what a parser would take too long for is refused before (size.go).
//
// A book is laid out as mdBook sees it: "book.toml" at the root, everything else under "src/".
package book
