// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package values

import (
	"helm.sh/helm/v3/pkg/chartutil"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// Images are the images that a viewer pod runs unless the MarkdownView or an override says otherwise.
type Images struct {
	// Viewer has mdbook on its PATH; it builds the book.
	Viewer string
	// Server is the static server.
	Server string
}

// For returns the chart values of a MarkdownView, and the hash of its content.
//
// Precedence, lowest first: the chart's own values.yaml (merged by Helm, not here), images, the
// MarkdownView's spec, overrides (watches.yaml's overrideValues, nested). What identifies the object
// (name, content) cannot be overridden: an override there would mix two books up.
func For(view *viewv1.MarkdownView, images Images, overrides map[string]any) (values map[string]any, contentHash string) {
	content := Layout(view.Name, view.Spec.Markdowns, view.Spec.AssetBytes())
	viewer := view.Spec.ViewerImage
	if viewer == "" {
		viewer = images.Viewer
	}
	replicas := int32(1)
	if view.Spec.Replicas != nil {
		replicas = *view.Spec.Replicas
	}
	values = map[string]any{
		"replicas": int64(replicas),
		"viewer":   map[string]any{"image": viewer},
		"server":   map[string]any{"image": images.Server},
	}
	values = chartutil.CoalesceTables(copyTree(overrides), values)
	values["name"] = view.Name
	values["content"] = content.values()
	return values, content.Hash
}

// copyTree returns a deep copy of nested maps, because CoalesceTables writes into its first argument.
func copyTree(tree map[string]any) map[string]any {
	out := make(map[string]any, len(tree))
	for key, value := range tree {
		if sub, ok := value.(map[string]any); ok {
			value = copyTree(sub)
		}
		out[key] = value
	}
	return out
}
