// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
	testingclock "k8s.io/utils/clock/testing"
)

// TestDriftLimit tells one story: something changes an object for ever, stops, and begins again.
func TestDriftLimit(t *testing.T) {
	clock := testingclock.NewFakeClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	limit := newDriftLimit(clock)
	book, other := types.NamespacedName{Name: "book"}, types.NamespacedName{Name: "other"}

	for i := range driftBurst {
		if wait := limit.wait(book); wait != 0 {
			t.Fatalf("repair %d of the burst waits %s", i+1, wait)
		}
	}
	if wait := limit.wait(book); wait != driftPeriod {
		t.Errorf("the first repair beyond the burst waits %s, want %s", wait, driftPeriod)
	}
	if !limit.report(book) || limit.report(book) {
		t.Error("the throttling is not reported exactly once")
	}
	if wait := limit.wait(other); wait != 0 {
		t.Errorf("another release waits %s for this one's trouble", wait)
	}
	if limit.report(types.NamespacedName{Name: "quiet"}) {
		t.Error("a release that never drifted is reported")
	}

	// Asking does not cost: after a period, exactly one repair is allowed, however often it was asked.
	for range 5 {
		limit.wait(book)
	}
	clock.Step(driftPeriod)
	if wait := limit.wait(book); wait != 0 {
		t.Errorf("after a period the next repair waits %s", wait)
	}
	if wait := limit.wait(book); wait <= 0 || wait > driftPeriod {
		t.Errorf("the one after that waits %s", wait)
	}
	if limit.report(book) {
		t.Error("the same run of throttling is reported again")
	}

	// Peace restores the burst, and the next run is told of again.
	clock.Step(time.Hour)
	for range driftBurst {
		if wait := limit.wait(book); wait != 0 {
			t.Fatalf("after an hour of peace a repair waits %s", wait)
		}
	}
	if limit.wait(book) == 0 || !limit.report(book) {
		t.Error("the second run of throttling is not limited, or not reported")
	}

	limit.forget(book)
	if len(limit.limits) != 1 {
		t.Errorf("%d releases are remembered, want the other one alone", len(limit.limits))
	}
}
