// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// TestWantedIsOfOneGeneration: an edit, and an object that was deleted and made anew under the same
// name, are read anew.
func TestWantedIsOfOneGeneration(t *testing.T) {
	t.Parallel()
	view := func(uid types.UID, generation int64) *viewv1.MarkdownView {
		return &viewv1.MarkdownView{ObjectMeta: metav1.ObjectMeta{Namespace: "docs", Name: "book", UID: uid, Generation: generation}}
	}
	memory := newWantedMemory()
	memory.put(view("u1", 3), "digest", "content")
	for name, test := range map[string]struct {
		view *viewv1.MarkdownView
		want bool
	}{
		"the same":           {view("u1", 3), true},
		"edited":             {view("u1", 4), false},
		"made anew":          {view("u2", 3), false},
		"of the older cache": {view("u1", 2), false},
	} {
		if got, ok := memory.of(test.view); ok != test.want || ok && (got.digest != "digest" || got.content != "content") {
			t.Errorf("%s: %+v, %t, want known: %t", name, got, ok, test.want)
		}
	}
	memory.forget(client.ObjectKeyFromObject(view("u1", 3)))
	if _, ok := memory.of(view("u1", 3)); ok {
		t.Error("a forgotten object is remembered")
	}
}
