// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package status

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/health"
)

func TestPrintable(t *testing.T) {
	cases := map[string]struct{ reason, in, want string }{
		"Text":          {"Any script and its line breaks stay.", "見る: a.md:3\nПривет é 😀", "見る: a.md:3\nПривет é 😀"},
		"Escape":        {"An OSC sequence sets a terminal's title or clipboard.", "a\x1b]0;owned\x07b", "a\uFFFD]0;owned\uFFFDb"},
		"C1":            {"A C1 control starts a sequence in some terminals.", "a\u009b31mb", "a\uFFFD31mb"},
		"Bidi":          {"An override shows text backwards.", "a\u202eb\u2066c", "a\uFFFDb\uFFFDc"},
		"ZeroWidth":     {"A zero-width character makes two names look the same.", "a\u200bb\ufeffc", "a\uFFFDb\uFFFDc"},
		"Backspace":     {"A backspace hides what stands before it.", "ab\bc\x7f", "ab\uFFFDc\uFFFD"},
		"Spaces":        {"Columns do not matter in a message.", "a\tb\u00a0c\r\n", "a b c\n"},
		"InvalidUTF8":   {"The API server would refuse it.", "a\xffb", "a\uFFFDb"},
		"LineSeparator": {"Some terminals break the line there, others do not.", "a\u2028b", "a\uFFFDb"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := printable(c.in); got != c.want {
				t.Errorf("%s\nprintable(%q) = %q, want %q", c.reason, c.in, got, c.want)
			}
		})
	}
}

// TestOnlyPrintableTextLeaves: both doors, conditions and events, are guarded.
func TestOnlyPrintableTextLeaves(t *testing.T) {
	view := &viewv1.MarkdownView{}
	now := Of(Facts{
		View: view, Release: Release{Done: true, Reason: viewv1.ReasonApplied, Message: "Release \x1b[2J"},
		Health: health.Health{Reason: viewv1.ReasonBuildFailed, Message: "ERROR \u202e", Stalled: true},
	})
	for kind, want := range map[string]string{
		viewv1.ConditionReleased: "Release \uFFFD[2J", viewv1.ConditionReady: "ERROR \uFFFD", viewv1.ConditionStalled: "ERROR \uFFFD",
	} {
		if got := meta.FindStatusCondition(now.Conditions, kind).Message; got != want {
			t.Errorf("condition %s says %q, want %q", kind, got, want)
		}
	}
	events := Events(view, state("", viewv1.ReasonBuildFailed, "ERROR \x1b"))
	if got := events[0].Message; got != "ERROR \uFFFD" {
		t.Errorf("the event says %q", got)
	}
}
