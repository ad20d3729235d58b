// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"maps"
	"slices"

	"github.com/bobuhiro11/markdown-view/test/bench/internal/scenario"
)

// series are the runs of one subject, by the number of objects.
type series map[int][]scenario.Result

// seriesOf selects runs. Those with kwok's pods are never mixed with those without.
func seriesOf(results Results, subject scenario.Subject, pods bool) series {
	out := series{}
	for _, run := range results.Runs {
		if run.Subject == subject && run.Pods == pods && run.Applied != nil {
			out[run.Objects] = append(out[run.Objects], run)
		}
	}
	return out
}

func (s series) sizes() []int { return slices.Sorted(maps.Keys(s)) }

// median of a figure over the runs of one size, and whether there is any. Runs in which the figure
// was not measured are left out.
func (s series) median(size int, figure func(scenario.Result) (float64, bool)) (float64, bool) {
	var values []float64
	for _, run := range s[size] {
		if value, ok := figure(run); ok {
			values = append(values, value)
		}
	}
	return middle(values), len(values) > 0
}

// middle returns the median of some values, 0 of none.
func middle(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[half-1] + sorted[half]) / 2
	}
	return sorted[half]
}

// figure is one measured number of a run.
type figure func(scenario.Result) (float64, bool)

func applied(f func(scenario.Applied) float64) figure {
	return func(r scenario.Result) (float64, bool) { return f(*r.Applied), true }
}

func of[T any](phase func(scenario.Result) *T, f func(T) float64) figure {
	return func(r scenario.Result) (float64, bool) {
		if p := phase(r); p != nil {
			return f(*p), true
		}
		return 0, false
	}
}

func perSecond(r scenario.Result) (float64, bool) { return r.PerSecond(), true }
func seconds(r scenario.Result) (float64, bool)   { return r.Applied.Seconds, true }

func memory(f func(scenario.Memory) float64) figure {
	return of(func(r scenario.Result) *scenario.Memory { return r.Memory }, f)
}

func idle(f func(scenario.Idle) float64) figure {
	return of(func(r scenario.Result) *scenario.Idle { return r.Idle }, f)
}

func drift(f func(scenario.Drift) float64) figure {
	return of(func(r scenario.Result) *scenario.Drift { return r.Drift }, f)
}

func restart(f func(scenario.Restart) float64) figure {
	return of(func(r scenario.Result) *scenario.Restart { return r.Restart }, f)
}

func passes(f func(scenario.Reconciles) float64) figure {
	return of(func(r scenario.Result) *scenario.Reconciles { return r.Reconciles }, f)
}

func ready(f func(scenario.Ready) float64) figure {
	return of(func(r scenario.Result) *scenario.Ready { return r.Ready }, f)
}

// largest returns the largest size that all series have, or 0.
func largest(all ...series) int {
	best := 0
	for _, size := range all[0].sizes() {
		if !slices.ContainsFunc(all, func(s series) bool { return len(s[size]) == 0 }) {
			best = max(best, size)
		}
	}
	return best
}

// nearest returns the size of a series that is nearest to the wanted one, or 0.
func (s series) nearest(wanted int) int {
	if len(s) == 0 {
		return 0
	}
	return slices.MinFunc(s.sizes(), func(a, b int) int { return cmp.Compare(max(a-wanted, wanted-a), max(b-wanted, wanted-b)) })
}
