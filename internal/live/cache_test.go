// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"testing"

	"k8s.io/apimachinery/pkg/labels"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// TestCachesHoldOnlyOurs: the tutorial's caches held every ConfigMap, Deployment and Service of the
// cluster, whole.
func TestCachesHoldOnlyOurs(t *testing.T) {
	shard := labels.SelectorFromSet(labels.Set{"shard": "a"})
	for _, secrets := range []bool{false, true} {
		options := CacheOptions([]string{"one", "two"}, shard, secrets)
		if len(options.DefaultNamespaces) != 2 {
			t.Errorf("namespaces %v, want one and two", options.DefaultNamespaces)
		}
		if want := len(Kinds(secrets)) + 1; len(options.ByObject) != want {
			t.Errorf("%d kinds are cached, want %d", len(options.ByObject), want)
		}
		for kind, by := range options.ByObject {
			if by.Transform == nil || by.Label == nil {
				t.Errorf("%T is cached whole, or of everybody", kind)
				continue
			}
			if _, ok := kind.(*viewv1.MarkdownView); ok {
				if by.Label.String() != "shard=a" {
					t.Errorf("MarkdownViews are selected by %q", by.Label)
				}
				continue
			}
			theirs, ours := labels.Set{viewv1.LabelCreatedBy: "helm"}, labels.Set{viewv1.LabelCreatedBy: viewv1.NameController}
			if by.Label.Matches(labels.Set{}) || by.Label.Matches(theirs) || !by.Label.Matches(ours) {
				t.Errorf("%T is selected by %q", kind, by.Label)
			}
		}
	}
	if all := CacheOptions(nil, labels.Everything(), false); all.DefaultNamespaces != nil {
		t.Errorf("without WATCH_NAMESPACE only %v are watched", all.DefaultNamespaces)
	}
}
