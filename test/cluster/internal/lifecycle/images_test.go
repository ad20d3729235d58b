// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package lifecycle_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bobuhiro11/markdown-view/test/cluster/internal/lifecycle"
)

// An image's name means in `load` what it means in a pod.
func TestReference(t *testing.T) {
	tests := map[string][2]string{
		"controller":                          {"docker.io", "library/controller:latest"},
		"controller:latest":                   {"docker.io", "library/controller:latest"},
		"peaceiris/mdbook:v0.5.0":             {"docker.io", "peaceiris/mdbook:v0.5.0"},
		"docker.io/peaceiris/mdbook:v1":       {"docker.io", "peaceiris/mdbook:v1"},
		"localhost/mdbook:v0.5.4":             {"localhost", "mdbook:v0.5.4"},
		"localhost:5000/a/b":                  {"localhost:5000", "a/b:latest"},
		"registry.example.com/team/x:1":       {"registry.example.com", "team/x:1"},
		"registry.example.com:443/x@sha256:0": {"registry.example.com:443", "x@sha256:0"},
	}
	for image, want := range tests {
		t.Run(image, func(t *testing.T) {
			host, path := lifecycle.Reference(image)
			if diff := cmp.Diff(want, [2]string{host, path}); diff != "" {
				t.Errorf("host and path (-want +got):\n%s", diff)
			}
		})
	}
}
