// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package status

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/health"
)

var (
	earlier = metav1.NewTime(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	now     = metav1.NewTime(time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
)

const (
	isTrue  = metav1.ConditionTrue
	isFalse = metav1.ConditionFalse
)

// Facts that cases share: a release that is applied, and workloads in three states.
var (
	applied = Release{
		Done: true, Reason: viewv1.ReasonApplied, Message: "Release revision 2 is applied.",
		Name: "book", ChartVersion: "0.1.0", Digest: "dd", Revision: 2,
	}
	allServe = health.Health{
		Replicas: 3, AvailableReplicas: 3, Desired: 3, RolledOut: true,
		Reason: viewv1.ReasonHealthy, Message: "3 of 3 replicas serve this book.",
	}
	rolling = health.Health{
		Replicas: 4, AvailableReplicas: 3, Desired: 3,
		Reason: viewv1.ReasonRollingOut, Message: "1 of 3 replicas serve the new book; 3 of 3 serve a book.",
	}
	broken = health.Health{
		Replicas: 4, AvailableReplicas: 3, Desired: 3, Stalled: true, Reason: viewv1.ReasonBuildFailed, Message: "ERROR No such page",
	}
	starting = health.Health{Replicas: 3, Desired: 3, Reason: viewv1.ReasonRollingOut, Message: "0 of 3 replicas serve the new book; 0 of 3 serve a book."}
	// idle is of a Deployment whose spec and status have 0 replicas.
	idle = health.Of(&appsv1.Deployment{Spec: appsv1.DeploymentSpec{Replicas: new(int32(0))}}, nil, "new")
)

// facts are of generation 7, with content "new".
func facts(release Release, h health.Health, old ...func(*viewv1.MarkdownViewStatus)) Facts {
	view := &viewv1.MarkdownView{ObjectMeta: metav1.ObjectMeta{Namespace: "docs", Name: "book", Generation: 7}}
	for _, change := range old {
		change(&view.Status)
	}
	return Facts{View: view, Now: now, Content: "new", Release: release, Health: h}
}

func condition(kind string, status metav1.ConditionStatus, at metav1.Time, reason, message string) metav1.Condition {
	return metav1.Condition{Type: kind, Status: status, ObservedGeneration: 7, LastTransitionTime: at, Reason: reason, Message: message}
}

// TestOf: the whole status, field by field.
func TestOf(t *testing.T) {
	const (
		url      = "http://viewer-book.docs.svc"
		selector = "app.kubernetes.io/created-by=markdown-view-controller,app.kubernetes.io/instance=book,app.kubernetes.io/name=mdbook"
		serve3   = "3 of 3 replicas serve a book."
	)
	release := &viewv1.ReleaseStatus{Name: "book", Revision: 2, ChartVersion: "0.1.0", Digest: "dd"}
	failed := Release{
		Stalled: true, Reason: viewv1.ReasonForeignObject, Message: `Service "viewer-book" exists`,
		Name: "book", ChartVersion: "0.1.0", Digest: "dd", Revision: 2,
	}
	cases := map[string]struct {
		reason string
		facts  Facts
		want   viewv1.MarkdownViewStatus
	}{
		"Healthy": {
			reason: "Applied, and every replica serves this content: Ready, and nothing abnormal is shown.",
			facts:  facts(applied, allServe),
			want: viewv1.MarkdownViewStatus{
				Phase: viewv1.PhaseHealthy, ObservedGeneration: 7, Replicas: 3, ReadyReplicas: 3, Selector: selector, URL: url,
				Content: &viewv1.ContentStatus{Desired: "new", Served: "new"}, Release: release,
				Conditions: []metav1.Condition{
					condition(viewv1.ConditionReleased, isTrue, now, viewv1.ReasonApplied, "Release revision 2 is applied."),
					condition(viewv1.ConditionAvailable, isTrue, now, viewv1.ReasonServing, serve3),
					condition(viewv1.ConditionReady, isTrue, now, viewv1.ReasonHealthy, "3 of 3 replicas serve this book."),
				},
			},
		},
		"FirstRollout": {
			reason: "Nothing serves yet: NotReady, and at work.",
			facts:  facts(applied, starting),
			want: viewv1.MarkdownViewStatus{
				Phase: viewv1.PhaseNotReady, ObservedGeneration: 7, Replicas: 3, Selector: selector, URL: url,
				Content: &viewv1.ContentStatus{Desired: "new"}, Release: release,
				Conditions: []metav1.Condition{
					condition(viewv1.ConditionReleased, isTrue, now, viewv1.ReasonApplied, "Release revision 2 is applied."),
					condition(viewv1.ConditionAvailable, isFalse, now, viewv1.ReasonNotServing, "No replica serves a book."),
					condition(viewv1.ConditionReady, isFalse, now, viewv1.ReasonRollingOut, starting.Message),
					condition(viewv1.ConditionReconciling, isTrue, now, viewv1.ReasonRollingOut, starting.Message),
				},
			},
		},
		"ScaledToZero": {
			reason: "An autoscaler or a person wants no replica: not Healthy, no text becomes the served one, and it may change by itself.",
			facts: facts(applied, idle, func(s *viewv1.MarkdownViewStatus) {
				s.Content = &viewv1.ContentStatus{Desired: "old", Served: "old"}
			}),
			want: viewv1.MarkdownViewStatus{
				Phase: viewv1.PhaseNotReady, ObservedGeneration: 7, Selector: selector, URL: url,
				Content: &viewv1.ContentStatus{Desired: "new", Served: "old"}, Release: release,
				Conditions: []metav1.Condition{
					condition(viewv1.ConditionReleased, isTrue, now, viewv1.ReasonApplied, "Release revision 2 is applied."),
					condition(viewv1.ConditionAvailable, isFalse, now, viewv1.ReasonNotServing, "No replica serves a book."),
					condition(viewv1.ConditionReady, isFalse, now, viewv1.ReasonNotServing, idle.Message),
					condition(viewv1.ConditionReconciling, isTrue, now, viewv1.ReasonNotServing, idle.Message),
				},
			},
		},
		"BrokenEdit": {
			reason: "mdBook refuses the new book: the old one is served on, the author alone can help.",
			facts: facts(applied, broken, func(s *viewv1.MarkdownViewStatus) {
				s.Content = &viewv1.ContentStatus{Desired: "old", Served: "old"}
			}),
			want: viewv1.MarkdownViewStatus{
				Phase: viewv1.PhaseAvailable, ObservedGeneration: 7, Replicas: 4, ReadyReplicas: 3, Selector: selector, URL: url,
				Content: &viewv1.ContentStatus{Desired: "new", Served: "old"}, Release: release,
				Conditions: []metav1.Condition{
					condition(viewv1.ConditionReleased, isTrue, now, viewv1.ReasonApplied, "Release revision 2 is applied."),
					condition(viewv1.ConditionAvailable, isTrue, now, viewv1.ReasonServing, serve3),
					condition(viewv1.ConditionReady, isFalse, now, viewv1.ReasonBuildFailed, "ERROR No such page"),
					condition(viewv1.ConditionStalled, isTrue, now, viewv1.ReasonBuildFailed, "ERROR No such page"),
				},
			},
		},
		"ReleaseFailed": {
			reason: "Fault 4: an error of the apply is never reported as OK, however healthy the old pods are.",
			facts:  facts(failed, allServe),
			want: viewv1.MarkdownViewStatus{
				Phase: viewv1.PhaseAvailable, ObservedGeneration: 7, Replicas: 3, ReadyReplicas: 3, Selector: selector, URL: url,
				Content: &viewv1.ContentStatus{Desired: "new"}, Release: release,
				Conditions: []metav1.Condition{
					condition(viewv1.ConditionReleased, isFalse, now, viewv1.ReasonForeignObject, failed.Message),
					condition(viewv1.ConditionAvailable, isTrue, now, viewv1.ReasonServing, serve3),
					condition(viewv1.ConditionReady, isFalse, now, viewv1.ReasonForeignObject, failed.Message),
					condition(viewv1.ConditionStalled, isTrue, now, viewv1.ReasonForeignObject, failed.Message),
				},
			},
		},
		"NeverReleased": {
			reason: "Without a record there is no release to name.",
			facts:  facts(Release{Reason: viewv1.ReasonApplyFailed, Message: "apply: timeout", Name: "book"}, health.Of(nil, nil, "new")),
			want: viewv1.MarkdownViewStatus{
				Phase: viewv1.PhaseNotReady, ObservedGeneration: 7, Selector: selector, URL: url,
				Content: &viewv1.ContentStatus{Desired: "new"},
				Conditions: []metav1.Condition{
					condition(viewv1.ConditionReleased, isFalse, now, viewv1.ReasonApplyFailed, "apply: timeout"),
					condition(viewv1.ConditionAvailable, isFalse, now, viewv1.ReasonNotServing, "No replica serves a book."),
					condition(viewv1.ConditionReady, isFalse, now, viewv1.ReasonApplyFailed, "apply: timeout"),
					condition(viewv1.ConditionReconciling, isTrue, now, viewv1.ReasonApplyFailed, "apply: timeout"),
				},
			},
		},
		"Paused": {
			reason: "Paused is neither at work nor stalled: a person decided so.",
			facts:  facts(Release{Reason: viewv1.ReasonPaused, Message: "Paused.", Name: "book", ChartVersion: "0.1.0", Digest: "dd", Revision: 2}, allServe),
			want: viewv1.MarkdownViewStatus{
				Phase: viewv1.PhaseAvailable, ObservedGeneration: 7, Replicas: 3, ReadyReplicas: 3, Selector: selector, URL: url,
				Content: &viewv1.ContentStatus{Desired: "new"}, Release: release,
				Conditions: []metav1.Condition{
					condition(viewv1.ConditionReleased, isFalse, now, viewv1.ReasonPaused, "Paused."),
					condition(viewv1.ConditionAvailable, isTrue, now, viewv1.ReasonServing, serve3),
					condition(viewv1.ConditionReady, isFalse, now, viewv1.ReasonPaused, "Paused."),
				},
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Of(c.facts)); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", c.reason, diff)
			}
		})
	}
}

// TestOfIsStable: of the same facts, the status of the second look is that of the first, to the byte.
// Fault 4: a time that changes on every pass would be written on every pass.
func TestOfIsStable(t *testing.T) {
	for name, f := range map[string]Facts{
		"Healthy": facts(applied, allServe), "Rolling": facts(applied, rolling), "Broken": facts(applied, broken),
		"Failed": facts(Release{Reason: viewv1.ReasonApplyFailed, Message: "apply: timeout"}, starting),
	} {
		t.Run(name, func(t *testing.T) {
			first := Of(f)
			f.View.Status = *first.DeepCopy()
			f.Now = metav1.NewTime(now.Add(time.Hour))
			if diff := cmp.Diff(first, Of(f)); diff != "" {
				t.Errorf("-first +second:\n%s", diff)
			}
		})
	}
}

// TestTransitionTimes: a condition's time is that of its status, not of its reason or message.
func TestTransitionTimes(t *testing.T) {
	wasReady := func(s *viewv1.MarkdownViewStatus) {
		s.Conditions = []metav1.Condition{
			condition(viewv1.ConditionReady, isTrue, earlier, viewv1.ReasonHealthy, "3 of 3 replicas serve this book."),
			condition(viewv1.ConditionAvailable, isTrue, earlier, viewv1.ReasonServing, "3 of 3 replicas serve a book."),
		}
	}
	wasNotReady := func(s *viewv1.MarkdownViewStatus) {
		s.Conditions = []metav1.Condition{
			condition(viewv1.ConditionReady, isFalse, earlier, viewv1.ReasonApplyFailed, "no"),
			condition(viewv1.ConditionReconciling, isTrue, earlier, viewv1.ReasonApplyFailed, "no"),
		}
	}
	cases := map[string]struct {
		reason string
		facts  Facts
		want   map[string]metav1.Time
	}{
		"Unchanged": {
			reason: "What was true stays true since then.",
			facts:  facts(applied, allServe, wasReady),
			want:   map[string]metav1.Time{viewv1.ConditionReady: earlier, viewv1.ConditionAvailable: earlier, viewv1.ConditionReleased: now},
		},
		"Changed": {
			reason: "Ready ends now; Available does not end.",
			facts:  facts(applied, broken, wasReady),
			want: map[string]metav1.Time{
				viewv1.ConditionReady: now, viewv1.ConditionAvailable: earlier, viewv1.ConditionReleased: now, viewv1.ConditionStalled: now,
			},
		},
		"OtherReason": {
			reason: "Another reason for the same status is no transition; what no longer holds is removed.",
			facts:  facts(applied, broken, wasNotReady),
			want: map[string]metav1.Time{
				viewv1.ConditionReady: earlier, viewv1.ConditionAvailable: now, viewv1.ConditionReleased: now, viewv1.ConditionStalled: now,
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := map[string]metav1.Time{}
			before := c.facts.View.Status.DeepCopy()
			for _, condition := range Of(c.facts).Conditions {
				got[condition.Type] = condition.LastTransitionTime
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", c.reason, diff)
			}
			if diff := cmp.Diff(*before, c.facts.View.Status); diff != "" {
				t.Errorf("Of wrote into the old status (-before +after):\n%s", diff)
			}
		})
	}
}

// TestObservedGeneration: every condition and the status itself speak of the generation that was read.
func TestObservedGeneration(t *testing.T) {
	for _, h := range []health.Health{allServe, rolling, broken, starting} {
		f := facts(applied, h, func(s *viewv1.MarkdownViewStatus) {
			s.ObservedGeneration = 3
			meta.SetStatusCondition(&s.Conditions, metav1.Condition{Type: viewv1.ConditionReady, Status: isTrue, ObservedGeneration: 3})
		})
		got := Of(f)
		for _, condition := range got.Conditions {
			if condition.ObservedGeneration != 7 {
				t.Errorf("%s: condition %s is of generation %d", h.Reason, condition.Type, condition.ObservedGeneration)
			}
		}
		if got.ObservedGeneration != 7 {
			t.Errorf("%s: the status is of generation %d", h.Reason, got.ObservedGeneration)
		}
	}
}

// TestLongMessages: the API server refuses a status with a message over 32 KiB, and its own errors
// carry whole objects. A status that is refused would be tried, and never be read, for ever.
func TestLongMessages(t *testing.T) {
	long := strings.Repeat("日本", 20_000)
	got := Of(facts(Release{Reason: viewv1.ReasonRejected, Stalled: true, Message: long}, allServe))
	for _, condition := range got.Conditions {
		if len(condition.Message) > 32<<10 || !utf8.ValidString(condition.Message) || condition.Message == "" {
			t.Errorf("%s: a message of %d bytes, valid: %v", condition.Type, len(condition.Message), utf8.ValidString(condition.Message))
		}
	}
}
