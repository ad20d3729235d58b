// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package config holds the tests of the kustomize tree under config/: what is installed by
// `make deploy` may do no more than it must, names what the tutorial's users know, and pins its
// images. They render the tree with kustomize's library; no cluster is needed.
package config
