// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// TestNeededContent: whose text must stay.
func TestNeededContent(t *testing.T) {
	pod := func(content string, deleting bool) corev1.Pod {
		p := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{viewv1.LabelContent: content}}}
		if deleting {
			p.DeletionTimestamp = new(metav1.Now())
		}
		return p
	}
	applied, older := Input{Digest: "d", Record: record(nil)}, Input{Digest: "other", Record: record(nil)}
	cases := map[string]struct {
		reason    string
		in        Input
		pods      []corev1.Pod
		served    string
		rolledOut bool
		want      []string
	}{
		"Nothing":      {reason: "Before the first release nobody needs anything.", in: Input{Digest: "d"}},
		"Pods":         {reason: "Every pod may restart its build container.", pods: []corev1.Pod{pod("b", false), pod("a", false), pod("a", false)}, want: []string{"a", "b"}},
		"DeletedPods":  {reason: "But for those that are going.", pods: []corev1.Pod{pod("a", true)}},
		"LastServed":   {reason: "While the new book is not served in full, a pod of the old one may be rescheduled.", in: applied, served: "a", want: []string{"a"}},
		"NotApplied":   {reason: "Nor while it is not even applied, however well the old one is served.", in: older, served: "a", rolledOut: true, want: []string{"a"}},
		"NotRecorded":  {reason: "Nor while its record is gone.", in: Input{Digest: "d"}, served: "a", rolledOut: true, want: []string{"a"}},
		"ServedInFull": {reason: "Once it is served in full, the old text may go.", in: applied, served: "a", rolledOut: true},
		"NeverServed":  {reason: "A first book that does not build has no predecessor to keep.", in: applied, pods: []corev1.Pod{pod("a", false)}, want: []string{"a"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := NeededContent(c.in, c.pods, c.served, c.rolledOut)
			if len(got) == 0 {
				got = nil
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", c.reason, diff)
			}
		})
	}
}
