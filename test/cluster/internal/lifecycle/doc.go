// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package lifecycle is the outside of a test cluster: what a person's commands do on the machine.
// It starts a node, ends it, loads images into it and publishes Services of it; the node itself is
// package node.
package lifecycle
