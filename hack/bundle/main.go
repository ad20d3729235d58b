// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Command bundle completes the ClusterServiceVersion that operator-sdk wrote with what it leaves
// out or leaves to chance: the upgrade graph's edges, the images that the operator's pods and the
// charts' pods run, whether they can be mirrored, the initialization resource, and a date that does not
// change at every build.
//
// It edits the manifest as plain YAML, so that no field is lost that its own types do not know.
package main

import (
	"flag"
	"fmt"
	"os"

	"sigs.k8s.io/yaml"
)

func main() {
	var release Release
	path := flag.String("csv", "", "the ClusterServiceVersion to complete, in place")
	flag.StringVar(&release.Replaces, "replaces", "", "name of the ClusterServiceVersion before this one; none for the first")
	flag.StringVar(&release.SkipRange, "skip-range", "", "versions that may be upgraded to this one in one step")
	flag.StringVar(&release.Created, "created", "", "date of the release, RFC 3339")
	flag.Parse()
	if err := run(*path, release); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

func run(path string, release Release) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the ClusterServiceVersion that operator-sdk wrote: %w", err)
	}
	csv := map[string]any{}
	if err := yaml.Unmarshal(data, &csv); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := Complete(csv, release); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	data, err = yaml.Marshal(csv)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return fmt.Errorf("write the completed ClusterServiceVersion: %w", err)
	}
	return nil
}
