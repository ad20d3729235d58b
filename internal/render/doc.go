// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package render turns a chart and its values into the objects of a release.
//
// It owns the list of kinds that a chart may render, the marks that every object of a release
// carries, and the digests that decide whether anything has to be done. It is pure: no client, no
// context, no clock, no recorder. What it returns must not depend on the cluster but for the
// capabilities that it is given.
package render
