// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"strings"

	"github.com/bobuhiro11/markdown-view/test/bench/internal/scenario"
)

// target is one budget of the project's design.
type target struct {
	name, want string
	// got returns the figure and whether it meets the budget; ok is false where nothing was measured.
	got func(r measured) (text string, met, ok bool)
}

// measured are the runs that the budgets speak of.
type measured struct{ bare, peer, operator, operatorPods series }

// budgets is the table of docs; sizes other than the wanted ones are named in the figure.
var budgets = []target{
	{"idle object: API requests", "0", atMost(idle(func(i scenario.Idle) float64 { return float64(i.Requests) }), 0, "%.0f")},
	{"1,000 idle objects: CPU", "under 0.01 of a core", atMost(idle(func(i scenario.Idle) float64 { return i.Cores }), 0.01, "%.4f of a core")},
	{"1,000 objects to applied", "at most 1.25 × the bare client's time", func(m measured) (string, bool, bool) {
		return ratio(m.operator, m.bare, 1000, seconds, 1.25)
	}},
	{"API requests to create an object", "at most 8", atMost(applied(func(a scenario.Applied) float64 { return a.Requests }), 8, "%.2f")},
	{"restart with 1,000 settled objects: writes", "0", atMost(restart(func(r scenario.Restart) float64 { return float64(r.Writes) }), 0, "%.0f")},
	{"restart: API requests, at two sizes", "the same", sameRestart},
	{"memory, 1,000 objects of 10 KiB", "under 100 MiB", atMost(memory(func(m scenario.Memory) float64 { return m.Resident }), 100, "%.0f MiB")},
	{"memory over 10,000 passes, in them", "±5 %", flat},
	{"memory over 10,000 passes, at rest", "±5 %", flatAtRest},
	{"goroutines over 10,000 passes", "±5 %", flatGoroutines},
	{"CPU an object at 5,000 against 500", "within 10 %", growth(applied(func(a scenario.Applied) float64 { return a.CPU }))},
	{"time an object at 5,000 against 500", "within 10 %", growth(func(r scenario.Result) (float64, bool) { return 1 / r.PerSecond(), true })},
	{"API requests an object at 5,000 against 500", "within 10 %", growth(applied(func(a scenario.Applied) float64 { return a.Requests }))},
	{"drift: writes an edit", "1", atMost(drift(func(d scenario.Drift) float64 { return d.Writes }), 1, "%.2f")},
	{"drift: median", "under 100 ms", atMost(drift(func(d scenario.Drift) float64 { return d.Median }), 100, "%.1f ms")},
	{"objects a second against helm-operator-plugins", "at least 5 ×", func(m measured) (string, bool, bool) {
		return against(m, perSecond, 5, func(got, want float64) bool { return got >= want })
	}},
	{"memory against helm-operator-plugins", "at most 0.2 ×", func(m measured) (string, bool, bool) {
		return against(m, memory(func(m scenario.Memory) float64 { return m.Resident }), 0.2, func(got, want float64) bool { return got <= want })
	}},
}

// targets prints the budgets as a table.
func targets(results Results) string {
	m := measured{
		bare: seriesOf(results, scenario.Bare, false), peer: seriesOf(results, scenario.Peer, false),
		operator: seriesOf(results, scenario.Operator, false), operatorPods: seriesOf(results, scenario.Operator, true),
	}
	var out strings.Builder
	out.WriteString("| budget | target | measured | met |\n|---|---|---|---|\n")
	for _, b := range budgets {
		text, met, ok := b.got(m)
		verdict := map[bool]string{true: "yes", false: "**no**"}[met]
		if !ok {
			text, verdict = "not measured", "–"
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", b.name, b.want, text, verdict)
	}
	return out.String()
}

// atMost compares a figure of the operator at 1,000 objects with a bound. Where that size was not
// measured, the nearest one stands in, and the text says so.
func atMost(f figure, bound float64, format string) func(measured) (string, bool, bool) {
	const size = 1000
	return func(m measured) (string, bool, bool) {
		for _, n := range []int{size, m.operator.nearest(size)} {
			if value, ok := m.operator.median(n, f); ok {
				return fmt.Sprintf(format, value) + sized(n, size), value <= bound, true
			}
		}
		return "", false, false
	}
}

func sized(n, wanted int) string {
	if n == wanted {
		return ""
	}
	return fmt.Sprintf(" (at %d objects)", n)
}

// ratio compares the medians of two series at one size.
func ratio(a, b series, size int, f figure, bound float64) (string, bool, bool) {
	n := size
	if len(a[n]) == 0 || len(b[n]) == 0 {
		if n = largest(a, b); n == 0 {
			return "", false, false
		}
	}
	x, okX := a.median(n, f)
	y, okY := b.median(n, f)
	if !okX || !okY || y == 0 {
		return "", false, false
	}
	return fmt.Sprintf("%.2f × (%.1f against %.1f)", x/y, x, y) + sized(n, size), x/y <= bound, true
}

func sameRestart(m measured) (string, bool, bool) {
	requests := restart(func(r scenario.Restart) float64 { return float64(r.Requests) })
	var texts []string
	var first float64
	met := true
	for _, n := range m.operator.sizes() {
		if value, ok := m.operator.median(n, requests); ok {
			if len(texts) == 0 {
				first = value
			}
			met = met && value == first
			texts = append(texts, fmt.Sprintf("%.0f at %d", value, n))
		}
	}
	return strings.Join(texts, ", "), met, len(texts) > 1
}

// flatAtRest compares the memory at rest before the passes with that after them. It varies with where in the
// heap what lasts happens to lie, because that decides how much goes back to the kernel.
func flatAtRest(m measured) (string, bool, bool) {
	change := passes(func(p scenario.Reconciles) float64 { return p.After.Resident/p.Before.Resident - 1 })
	return within(m.operator, change, 0.05)
}

// flat compares the last rounds of passes with the first.
func flat(m measured) (string, bool, bool) {
	change := passes(func(p scenario.Reconciles) float64 { return lateMemory(p)/earlyMemory(p) - 1 })
	return within(m.operator, change, 0.05)
}

// fewRounds are enough for a median that one collection of garbage does not move.
const fewRounds = 3

func earlyMemory(p scenario.Reconciles) float64 {
	return middle(p.Samples[:min(fewRounds, len(p.Samples))])
}

func lateMemory(p scenario.Reconciles) float64 {
	return middle(p.Samples[max(0, len(p.Samples)-fewRounds):])
}

func flatGoroutines(m measured) (string, bool, bool) {
	change := passes(func(p scenario.Reconciles) float64 { return float64(p.GoroutinesAfter)/float64(p.GoroutinesBefore) - 1 })
	return within(m.operator, change, 0.05)
}

func within(s series, change figure, bound float64) (string, bool, bool) {
	for _, n := range []int{1000, s.nearest(1000)} {
		if value, ok := s.median(n, change); ok {
			return fmt.Sprintf("%+.1f %%", value*100) + sized(n, 1000), value <= bound && value >= -bound, true
		}
	}
	return "", false, false
}

// growth compares a figure at 5,000 objects with that at 500. Less than 90 % is no fault: only growth is.
func growth(f figure) func(measured) (string, bool, bool) {
	return func(m measured) (string, bool, bool) {
		small, okSmall := m.operator.median(500, f)
		large, okLarge := m.operator.median(5000, f)
		if !okSmall || !okLarge || small == 0 {
			return "", false, false
		}
		return fmt.Sprintf("%+.1f %%", (large/small-1)*100), large/small <= 1.1, true
	}
}

// against compares the operator with the peer, at 300 objects or the largest size that both have.
func against(m measured, f figure, bound float64, meets func(got, want float64) bool) (string, bool, bool) {
	n := 300
	if len(m.peer[n]) == 0 || len(m.operator[n]) == 0 {
		if n = largest(m.peer, m.operator); n == 0 {
			return differentSizes(m, f, bound, meets)
		}
	}
	x, okX := m.operator.median(n, f)
	y, okY := m.peer.median(n, f)
	if !okX || !okY || y == 0 {
		return "", false, false
	}
	return fmt.Sprintf("%.2f × (%.1f against %.1f)", x/y, x, y) + sized(n, 300), meets(x/y, bound), true
}

// differentSizes is for the quick mode, where the peer is measured with fewer objects.
func differentSizes(m measured, f figure, bound float64, meets func(got, want float64) bool) (string, bool, bool) {
	a, b := m.operator.nearest(300), m.peer.nearest(300)
	x, okX := m.operator.median(a, f)
	y, okY := m.peer.median(b, f)
	if !okX || !okY || y == 0 {
		return "", false, false
	}
	return fmt.Sprintf("%.2f × (%.1f at %d objects against %.1f at %d)", x/y, x, a, y, b), meets(x/y, bound), true
}
