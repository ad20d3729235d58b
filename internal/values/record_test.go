// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package values

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

func TestWithoutText(t *testing.T) {
	view := &viewv1.MarkdownView{}
	view.Name = "book"
	view.Spec.Markdowns = map[string]string{"SUMMARY.md": "- [A](a.md)", "a.md": "text"}
	view.Spec.Assets = map[string]viewv1.Base64{"a.png": "iVBORw0KGgo="}
	whole, hash := For(view, Images{}, nil)
	again, _ := For(view, Images{}, nil)

	lean := WithoutText(whole)
	content := lean["content"].(map[string]any)
	part := content["configMaps"].([]any)[0].(map[string]any)
	type seen struct {
		Hash        any
		Name        any
		Items       int
		Data, Bytes any
	}
	original := again["content"].(map[string]any)["configMaps"].([]any)[0].(map[string]any)
	want := seen{Hash: hash, Name: original["name"], Items: len(original["items"].([]any))}
	if diff := cmp.Diff(want, seen{content["hash"], part["name"], len(part["items"].([]any)), part["data"], part["binaryData"]}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(again, whole); diff != "" {
		t.Errorf("the values that the chart renders were changed (-before +after):\n%s", diff)
	}
}

func TestWithoutTextOfAnotherShape(t *testing.T) {
	cases := map[string]map[string]any{
		"nothing":             nil,
		"no content":          {"replicas": 1},
		"content is a text":   {"content": "text"},
		"no list":             {"content": map[string]any{"configMaps": "text"}},
		"entries of no shape": {"content": map[string]any{"configMaps": []any{"text", nil}}},
	}
	for name, chart := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(chart, WithoutText(chart)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
