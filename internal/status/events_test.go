// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package status

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// state is a status as far as events look at it.
func state(phase, reason, message string) viewv1.MarkdownViewStatus {
	s := viewv1.MarkdownViewStatus{Phase: phase}
	if reason != "" {
		s.Conditions = []metav1.Condition{{Type: viewv1.ConditionReady, Status: isFalse, Reason: reason, Message: message}}
	}
	return s
}

func TestEvents(t *testing.T) {
	updated := func(phase string) Event {
		return Event{
			Type: corev1.EventTypeNormal, Reason: viewv1.EventUpdated, Action: "Update",
			Message: "MarkdownView(docs:book) updated: " + phase,
		}
	}
	buildFailed := func(message string) Event {
		return Event{Type: corev1.EventTypeWarning, Reason: viewv1.EventBuildFailed, Action: "Build", Message: message}
	}
	releaseFailed := func(message string) Event {
		return Event{Type: corev1.EventTypeWarning, Reason: viewv1.EventReleaseFailed, Action: "Release", Message: message}
	}
	cases := map[string]struct {
		reason   string
		was, now viewv1.MarkdownViewStatus
		want     []Event
	}{
		"NothingNew": {
			reason: "The same status is no news.",
			was:    state(viewv1.PhaseHealthy, viewv1.ReasonHealthy, "3 of 3"),
			now:    state(viewv1.PhaseHealthy, viewv1.ReasonHealthy, "3 of 3"),
		},
		"FirstSight": {
			reason: "The blog post's words, exactly.",
			now:    state(viewv1.PhaseNotReady, viewv1.ReasonRollingOut, "0 of 1"),
			want:   []Event{updated(viewv1.PhaseNotReady)},
		},
		"Healthy": {
			reason: "Every change of the phase is told.",
			was:    state(viewv1.PhaseNotReady, viewv1.ReasonRollingOut, "0 of 1"),
			now:    state(viewv1.PhaseHealthy, viewv1.ReasonHealthy, "1 of 1"),
			want:   []Event{updated(viewv1.PhaseHealthy)},
		},
		"Progress": {
			reason: "Progress within a phase is not.",
			was:    state(viewv1.PhaseAvailable, viewv1.ReasonRollingOut, "1 of 3"),
			now:    state(viewv1.PhaseAvailable, viewv1.ReasonRollingOut, "2 of 3"),
		},
		"BuildFailed": {
			reason: "mdBook's words are, beside the phase.",
			was:    state(viewv1.PhaseHealthy, viewv1.ReasonHealthy, "3 of 3"),
			now:    state(viewv1.PhaseAvailable, viewv1.ReasonBuildFailed, "ERROR a"),
			want:   []Event{updated(viewv1.PhaseAvailable), buildFailed("ERROR a")},
		},
		"AnotherBuildError": {
			reason: "A second, different error after the first.",
			was:    state(viewv1.PhaseAvailable, viewv1.ReasonBuildFailed, "ERROR a"),
			now:    state(viewv1.PhaseAvailable, viewv1.ReasonBuildFailed, "ERROR b"),
			want:   []Event{buildFailed("ERROR b")},
		},
		"InvalidBook": {
			reason: "What the operator itself finds in the book is the author's affair just so.",
			was:    state(viewv1.PhaseHealthy, viewv1.ReasonHealthy, "3 of 3"),
			now:    state(viewv1.PhaseHealthy, viewv1.ReasonInvalidBook, "SUMMARY.md:3: no such page"),
			want:   []Event{buildFailed("SUMMARY.md:3: no such page")},
		},
		"ForeignObject": {
			reason: "Somebody has to make room.",
			now:    state("", viewv1.ReasonForeignObject, "Service exists"),
			want:   []Event{releaseFailed("Service exists")},
		},
		"Rejected": {
			reason: "The API server calls an object invalid.",
			now:    state("", viewv1.ReasonRejected, "invalid"),
			want:   []Event{releaseFailed("invalid")},
		},
		"RenderFailed": {
			reason: "The administrator's chart or override is wrong.",
			now:    state("", viewv1.ReasonRenderFailed, "values"),
			want:   []Event{releaseFailed("values")},
		},
		"RecordTooLarge": {
			reason: "The book is too large.",
			now:    state("", viewv1.ReasonRecordTooLarge, "bytes"),
			want:   []Event{releaseFailed("bytes")},
		},
		"ApplyFailed": {
			reason: "A release that stops being applied is a person's affair, though it is tried again.",
			was:    state("", viewv1.ReasonHealthy, "3 of 3"),
			now:    state("", viewv1.ReasonApplyFailed, "forbidden"),
			want:   []Event{releaseFailed("forbidden")},
		},
		"ApplyFailsAgain": {
			reason: "Each try may fail in other words, and would be an event.",
			was:    state("", viewv1.ReasonApplyFailed, "forbidden"),
			now:    state("", viewv1.ReasonApplyFailed, "timeout"),
		},
		"NoReadyCondition": {
			reason: "A status without conditions has nothing to tell.",
			was:    state("", viewv1.ReasonHealthy, ""),
			now:    state("", "", ""),
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			view := &viewv1.MarkdownView{ObjectMeta: metav1.ObjectMeta{Namespace: "docs", Name: "book"}, Status: c.was}
			if diff := cmp.Diff(c.want, Events(view, c.now)); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", c.reason, diff)
			}
		})
	}
}

// TestLongNote: an event's note holds 1024 bytes, and no half of a character.
func TestLongNote(t *testing.T) {
	for _, message := range []string{strings.Repeat("日", 400), strings.Repeat("a", 1025), "a" + strings.Repeat("日", 400)} {
		events := Events(&viewv1.MarkdownView{}, state("", viewv1.ReasonBuildFailed, message))
		if note := events[0].Message; len(note) > 1024 || len(note) < 1000 || !utf8.ValidString(note) || !strings.HasSuffix(note, "…") {
			t.Errorf("the note has %d bytes, valid UTF-8: %v", len(note), utf8.ValidString(note))
		}
	}
}
