// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// TestLargeBook: a book of 1.2 MiB of text and an image, which is close to the most that one object may
// hold and more than one ConfigMap can, is served from its first words to its last.
func TestLargeBook(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	image := strings.Repeat(planPNG, 500)
	b := publish(t, namespace, "large", largeBook(12, 12<<20/10, image))

	var parts corev1.ConfigMapList
	content := client.MatchingLabels{viewv1.LabelContent: b.get(t).Status.Content.Served}
	if err := kube.List(t.Context(), &parts, client.InNamespace(namespace), content); err != nil {
		t.Fatal(err)
	}
	if len(parts.Items) < 2 {
		t.Errorf("%d ConfigMaps hold the book, want several: it is too small for this test", len(parts.Items))
	}
	b.mustServe(t, "", "First words of page 1.", "Last words of page 1.")
	b.mustServe(t, "part/12.html", "First words of page 12.", "Last words of page 12.")
	if _, body := b.fetch(t, "images/plan.png"); body != image {
		t.Errorf("the image has %d bytes, want the %d that were published", len(body), len(image))
	}
}

// largeBook is a book of so many pages that together hold that many bytes, and an image.
func largeBook(pages, size int, image string) viewv1.MarkdownViewSpec {
	spec := viewv1.MarkdownViewSpec{
		Markdowns: map[string]string{},
		Assets:    map[string]viewv1.Base64{"images/plan.png": viewv1.EncodeBase64([]byte(image))},
	}
	var summary strings.Builder
	for page := 1; page <= pages; page++ {
		path := fmt.Sprintf("part/%02d.md", page)
		fmt.Fprintf(&summary, "- [Page %d](%s)\n", page, path)
		var text strings.Builder
		fmt.Fprintf(&text, "# Page %d\n\nFirst words of page %d.\n\n", page, page)
		for line := 1; text.Len() < size/pages; line++ {
			fmt.Fprintf(&text, "Line %d of page %d. %s\n", line, page, strings.Repeat("Put it on a shelf. ", 4))
		}
		fmt.Fprintf(&text, "\nLast words of page %d.\n", page)
		spec.Markdowns[path] = text.String()
	}
	spec.Markdowns[viewv1.SummaryPath] = summary.String()
	return spec
}
