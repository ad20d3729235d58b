// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package site serves one built book, a folder of files that do not change, over HTTP.
//
// Everything that can be decided about a file is decided once, when the folder is indexed: its
// type, its strong ETag, its compressed forms, how long a browser may keep it, and which scripts
// its page may run. A request is then a lookup in a map, so a path can name nothing that the index
// does not hold: no file outside the folder, no symbolic link, no dotfile, no listing.
//
// The package owns the whole life of the server process (listeners, probes, metrics, draining). It
// must not know of Kubernetes, nor write a file; cmd/server holds its flags.
package site
