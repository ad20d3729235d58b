// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/render"
)

// TestRevision: a record is told by its name and its controller; no label counts.
func TestRevision(t *testing.T) {
	owner := render.Owner{GroupVersionKind: viewv1.GroupVersion.WithKind("MarkdownView"), Namespace: "docs", Name: "book", UID: "us"}
	isController := true
	controller := func(kind string) []metav1.OwnerReference {
		return []metav1.OwnerReference{{APIVersion: "view.bobuhiro11.net/v1", Kind: kind, Name: "book", UID: "x", Controller: &isController}}
	}
	for name, c := range map[string]struct {
		name   string
		owners []metav1.OwnerReference
		want   int
	}{
		"First":              {name: "sh.helm.release.v1.book.v1", want: 1},
		"Ours":               {name: "sh.helm.release.v1.book.v12", owners: []metav1.OwnerReference{owner.Reference()}, want: 12},
		"Predecessors":       {name: "sh.helm.release.v1.book.v2", owners: controller("MarkdownView"), want: 2},
		"SomebodyElses":      {name: "sh.helm.release.v1.book.v2", owners: controller("HelmRelease")},
		"AnotherRelease":     {name: "sh.helm.release.v1.books.v1"},
		"DottedRelease":      {name: "sh.helm.release.v1.book.v1.v1"},
		"NoNumber":           {name: "sh.helm.release.v1.book.vx"},
		"Zero":               {name: "sh.helm.release.v1.book.v0"},
		"Negative":           {name: "sh.helm.release.v1.book.v-1"},
		"NoRecord":           {name: "markdowns-book-0123456789abcdef"},
		"LabelsOfARecord":    {name: "lookalike"},
		"AnotherReleasesOne": {name: "sh.helm.release.v1.other.v1"},
	} {
		t.Run(name, func(t *testing.T) {
			record := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
				Namespace: "docs", Name: c.name, OwnerReferences: c.owners,
				Labels: map[string]string{"owner": "helm", "name": "book", "version": "7", "status": "deployed"},
			}}
			got, ok := Revision(record, owner)
			if ok != (c.want > 0) || ok && got != c.want {
				t.Errorf("Revision is %d, %v, want %d", got, ok, c.want)
			}
		})
	}
}

// TestCacheMarksCannotBeSet: the API server validates annotation keys as qualified names, and none of
// the cache's marks is one.
func TestCacheMarksCannotBeSet(t *testing.T) {
	for _, mark := range []string{cachedOwned, cachedReplicas, cachedScaled, cachedIntact, cachedError} {
		if problems := validation.IsQualifiedName(strings.ToLower(mark)); len(problems) == 0 {
			t.Errorf("a person may set %q", mark)
		}
	}
}
