// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"
)

// TestSamples: every sample that the bundle shows as an example is a book that can be read.
func TestSamples(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	applied := kubectl(t, "apply", "--namespace", namespace, "--kustomize", "../../config/samples", "--output", "name")
	// A page of each, and what is to be read there.
	pages := map[string][2]string{
		"markdownview-sample": {"runbooks/restart.html", "kubectl rollout restart deployment viewer-markdownview-sample"},
		// Its words are those of a part that it includes.
		"markdownview-handbook": {"runbooks/restart.html", "Tell the channel before you start."},
	}
	for line := range strings.Lines(applied) {
		_, name, _ := strings.Cut(strings.TrimSpace(line), "/")
		page, ok := pages[name]
		if !ok {
			t.Errorf("no page of the sample %s is known here: add one", name)
			continue
		}
		delete(pages, name)
		b := book{types.NamespacedName{Namespace: namespace, Name: name}}
		b.waitReady(t)
		b.mustServe(t, page[0], page[1])
	}
	for name := range pages {
		t.Errorf("config/samples does not apply %s", name)
	}
}
