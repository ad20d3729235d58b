// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bobuhiro11/markdown-view/test/bench/internal/scenario"
)

func TestPlansOf(t *testing.T) {
	want := []scenario.Plan{
		{Subject: scenario.Operator, Objects: 5, Idle: 3 * time.Second, Edits: 2, Passes: 10, Restart: true},
		{Subject: scenario.Bare, Objects: 7, Pods: true},
	}
	got, err := plansOf("operator:5:idle=3s:edits=2:passes=10:restart,bare:7:pods")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, wrong := range []string{"", "operator", "operator:x", "operator:5:idle=x", "operator:5:fast"} {
		if plans, err := plansOf(wrong); err == nil {
			t.Errorf("mode %q gives %+v, want an error", wrong, plans)
		}
	}
}
