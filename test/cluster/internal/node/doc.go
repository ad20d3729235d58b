// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package node is the inside of a test cluster: the first process of a PID, mount and network
// namespace, which configures the node, starts every component and stays to reap and restart them.
//
// The namespaces are what makes a cluster leave nothing behind. When the first process ends, for
// whatever reason, the kernel ends every process of the namespace (pods included) and drops its
// mounts, links, addresses and nftables tables. Nothing has to be remembered or undone.
package node
