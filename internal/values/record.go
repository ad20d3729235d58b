// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package values

import "maps"

// WithoutText returns the chart values as a release record keeps them: without the texts and bytes of
// the book, whose names and hash stay. The record's manifest holds them already; a second copy, which
// compression does not find because it lies too far from the first, would halve the room for images.
// The argument is not changed. Values of another shape are returned as they are.
func WithoutText(chart map[string]any) map[string]any {
	content, ok := chart["content"].(map[string]any)
	if !ok {
		return chart
	}
	parts, ok := content["configMaps"].([]any)
	if !ok {
		return chart
	}
	lean := make([]any, 0, len(parts))
	for _, part := range parts {
		if fields, ok := part.(map[string]any); ok {
			fields = maps.Clone(fields)
			delete(fields, "data")
			delete(fields, "binaryData")
			part = fields
		}
		lean = append(lean, part)
	}
	content = maps.Clone(content)
	content["configMaps"] = lean
	chart = maps.Clone(chart)
	chart["content"] = content
	return chart
}
