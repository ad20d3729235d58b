// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package bundle holds the tests of the OLM bundle: what a catalogue's pipeline checks, and what no
// pipeline does: that the descriptors, the permissions and the images of the ClusterServiceVersion
// are exactly those of the schema, of config/ and of the charts. They read the committed files.
package bundle
