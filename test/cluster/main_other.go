// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

// Command cluster runs a real one-node Kubernetes cluster, which takes Linux.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "cluster: a node takes Linux; elsewhere, use kind or another cluster and set KUBECONFIG")
	os.Exit(1)
}
