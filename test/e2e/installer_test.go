// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build e2e

package e2e

import (
	"os/exec"
	"testing"
)

// TestInstaller: the API server takes dist/install.yaml, the one file for who has no checkout, and it
// holds nothing that `make deploy`, by which the operator got here, has not made.
func TestInstaller(t *testing.T) {
	t.Parallel()
	run(t, exec.CommandContext(t.Context(), "make", "--no-print-directory", "--directory", "../..", "build-installer"))
	const file = "../../dist/install.yaml"
	// The mdBook image of this cluster has been set by hand since.
	kubectl(t, "apply", "--server-side", "--force-conflicts", "--dry-run=server", "--filename", file)
	kubectl(t, "get", "--filename", file, "--output", "name")
}
