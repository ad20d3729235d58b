// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package workload makes the objects of the benchmark: MarkdownViews with text that reads and
// compresses like prose, and what the chart renders of them.
package workload

import (
	"fmt"
	"math/rand/v2"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Size of an object's Markdown, in bytes.
const Size = 10 << 10

// Namespaces that the objects are spread over.
const Namespaces = 10

// GVK and GVR of a MarkdownView.
var (
	GVK = schema.GroupVersionKind{Group: "view.bobuhiro11.net", Version: "v1", Kind: "MarkdownView"}
	GVR = GVK.GroupVersion().WithResource("markdownviews")
)

// Namespace returns the name of the i-th namespace.
func Namespace(i int) string { return fmt.Sprintf("bench-%d", i%Namespaces) }

// View returns the i-th MarkdownView: a summary and three pages, Size bytes together. Equal indexes
// give equal objects.
func View(i int) *unstructured.Unstructured {
	const summary = "# Summary\n\n[Preface](README.md)\n\n- [Guide](guide/start.md)\n- [Reference](guide/reference.md)\n"
	markdowns := map[string]any{"SUMMARY.md": summary}
	pages := []string{"README.md", "guide/start.md", "guide/reference.md"}
	left := Size - len(summary)
	random := rand.New(rand.NewPCG(uint64(i), 1))
	for n, page := range pages {
		text := prose(random, left/(len(pages)-n))
		markdowns[page] = text
		left -= len(text)
	}
	view := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"markdowns": markdowns}}}
	view.SetGroupVersionKind(GVK)
	view.SetNamespace(Namespace(i))
	view.SetName(fmt.Sprintf("book-%05d", i))
	return view
}

var words = strings.Fields(`the a of to and in is it that for on with as are be this by an at from or
	operator cluster release chart book page chapter service deployment container image namespace
	object status condition event cache record request response server client field value digest
	text writes reads keeps applies deletes creates compares renders serves builds waits fails again
	when because while until only never always first last every other same different new old small`)

// prose returns Markdown of exactly size bytes.
func prose(random *rand.Rand, size int) string {
	var out strings.Builder
	for out.Len() < size {
		out.WriteString("## ")
		for range 4 {
			out.WriteString(words[random.IntN(len(words))] + " ")
		}
		fmt.Fprintf(&out, "%x\n\n", random.Uint32())
		for range 60 {
			out.WriteString(words[random.IntN(len(words))] + " ")
		}
		out.WriteString(".\n\n")
	}
	return out.String()[:size]
}

// Owner returns the owner reference to a view that exists.
func Owner(view *unstructured.Unstructured) metav1.OwnerReference {
	yes := true
	return metav1.OwnerReference{
		APIVersion: GVK.GroupVersion().String(), Kind: GVK.Kind, Name: view.GetName(), UID: view.GetUID(),
		Controller: &yes, BlockOwnerDeletion: &yes,
	}
}
