// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"strings"
	"testing"

	"github.com/bobuhiro11/markdown-view/test/bench/internal/scenario"
)

func took(subject scenario.Subject, objects int, seconds float64) scenario.Result {
	return scenario.Result{Subject: subject, Objects: objects, Applied: &scenario.Applied{Seconds: seconds, Requests: 7, CPU: 10}}
}

// TestTargets: verdicts follow the medians, and what was not measured has none.
func TestTargets(t *testing.T) {
	results := Results{Runs: []scenario.Result{
		took(scenario.Bare, 1000, 20), took(scenario.Operator, 1000, 24), took(scenario.Operator, 1000, 90), took(scenario.Operator, 1000, 22),
		took(scenario.Peer, 300, 60), took(scenario.Operator, 300, 20),
		took(scenario.Operator, 500, 10), took(scenario.Operator, 5000, 120),
	}}
	results.Runs[1].Reconciles = &scenario.Reconciles{
		Passes: 10_000, Samples: []float64{100, 101, 100, 180, 103, 90, 103}, GoroutinesBefore: 100, GoroutinesAfter: 110,
		Before: scenario.Memory{Resident: 80}, After: scenario.Memory{Resident: 88},
	}
	out := targets(results)
	for _, line := range []string{
		"| 1,000 objects to applied | at most 1.25 × the bare client's time | 1.20 × (24.0 against 20.0) | yes |",
		"| API requests to create an object | at most 8 | 7.00 | yes |",
		"| time an object at 5,000 against 500 | within 10 % | +20.0 % | **no** |",
		"| CPU an object at 5,000 against 500 | within 10 % | +0.0 % | yes |",
		"| objects a second against helm-operator-plugins | at least 5 × | 3.00 × (15.0 against 5.0) | **no** |",
		"| memory over 10,000 passes, in them | ±5 % | +3.0 % | yes |",
		"| memory over 10,000 passes, at rest | ±5 % | +10.0 % | **no** |",
		"| goroutines over 10,000 passes | ±5 % | +10.0 % | **no** |",
		"| drift: median | under 100 ms | not measured | – |",
	} {
		if !strings.Contains(out, line+"\n") {
			t.Errorf("no line\n%s\nin\n%s", line, out)
		}
	}
}
