// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bobuhiro11/markdown-view/test/bench/internal/scenario"
)

// row is one line of a table: a figure, and how it is printed.
type row struct {
	name   string
	format string
	figure figure
}

var rows = []row{
	{"objects applied a second", "%.1f", perSecond},
	{"seconds from first to last write", "%.1f", seconds},
	{"seconds from start to first write", "%.2f", applied(func(a scenario.Applied) float64 { return a.Startup })},
	{"API requests to create an object", "%.2f", applied(func(a scenario.Applied) float64 { return a.Requests })},
	{"writes among them", "%.2f", applied(func(a scenario.Applied) float64 { return a.Writes })},
	{"CPU an object, ms", "%.1f", applied(func(a scenario.Applied) float64 { return a.CPU })},
	{"CPU of etcd and API server an object, ms", "%.1f", applied(func(a scenario.Applied) float64 { return a.ServerCPU })},
	{"CPU used by the rest of the machine, cores", "%.1f", applied(func(a scenario.Applied) float64 { return a.Others })},
	{"memory at rest, MiB resident", "%.0f", memory(func(m scenario.Memory) float64 { return m.Resident })},
	{"memory at most, MiB", "%.0f", memory(func(m scenario.Memory) float64 { return m.Peak })},
	{"idle: API requests an object a minute", "%.2f", idle(func(i scenario.Idle) float64 { return i.PerObjectMinute })},
	{"idle: API requests in all", "%.0f", idle(func(i scenario.Idle) float64 { return float64(i.Requests) })},
	{"idle: CPU, cores", "%.4f", idle(func(i scenario.Idle) float64 { return i.Cores })},
	{"idle: CPU of etcd and API server, cores", "%.3f", idle(func(i scenario.Idle) float64 { return i.ServerCores })},
	{"drift: median ms to be put right", "%.1f", drift(func(d scenario.Drift) float64 { return d.Median })},
	{"drift: 99th percentile, ms", "%.1f", drift(func(d scenario.Drift) float64 { return d.P99 })},
	{"drift: writes an edit", "%.2f", drift(func(d scenario.Drift) float64 { return d.Writes })},
	{"drift: edits not put right", "%.0f", drift(func(d scenario.Drift) float64 { return float64(d.Unrepaired) })},
	{"restart: seconds until all is looked at", "%.1f", restart(func(r scenario.Restart) float64 { return r.Seconds })},
	{"restart: API requests", "%.0f", restart(func(r scenario.Restart) float64 { return float64(r.Requests) })},
	{"restart: writes", "%.0f", restart(func(r scenario.Restart) float64 { return float64(r.Writes) })},
	{"restart: memory at rest, MiB", "%.0f", restart(func(r scenario.Restart) float64 { return r.Memory.Resident })},
	{"restart: CPU, s", "%.1f", restart(func(r scenario.Restart) float64 { return r.CPU })},
	{"forced passes", "%.0f", passes(func(p scenario.Reconciles) float64 { return p.Passes })},
	{"their API requests", "%.0f", passes(func(p scenario.Reconciles) float64 { return float64(p.Requests) })},
	{"CPU a pass, ms", "%.2f", passes(func(p scenario.Reconciles) float64 { return p.CPU })},
	{"memory before them, at rest, MiB", "%.0f", passes(func(p scenario.Reconciles) float64 { return p.Before.Resident })},
	{"memory in the first of them, MiB", "%.0f", passes(earlyMemory)},
	{"memory in the last of them, MiB", "%.0f", passes(lateMemory)},
	{"memory after them, at rest, MiB", "%.0f", passes(func(p scenario.Reconciles) float64 { return p.After.Resident })},
	{"goroutines before", "%.0f", passes(func(p scenario.Reconciles) float64 { return float64(p.GoroutinesBefore) })},
	{"goroutines after", "%.0f", passes(func(p scenario.Reconciles) float64 { return float64(p.GoroutinesAfter) })},
	{"pods: seconds from first write to all Ready", "%.1f", ready(func(r scenario.Ready) float64 { return r.Seconds })},
	{"pods: API requests an object until then", "%.2f", ready(func(r scenario.Ready) float64 { return r.Requests })},
}

// titles of the columns.
var titles = map[scenario.Subject]string{
	scenario.Bare: "bare client (create)", scenario.BareApply: "bare client (apply)",
	scenario.Peer: "helm-operator-plugins", scenario.Operator: "markdown-view",
}

var order = []scenario.Subject{scenario.Bare, scenario.BareApply, scenario.Peer, scenario.Operator}

// Table returns everything as Markdown.
func Table(results Results) string {
	var out strings.Builder
	fmt.Fprintf(&out, "Run of %s, mode %s, commit %s. %s\n\n", results.Started, results.Mode, results.Versions.Commit, results.Note)
	fmt.Fprintf(&out, "Machine: %s, %d cores, %s, Linux %s, %s. Kubernetes %s, etcd %s, Helm %s, helm-operator-plugins %s, kwok %s.\n\n",
		results.Machine.CPU, results.Machine.Cores, results.Machine.Memory, results.Machine.Kernel, results.Machine.Go,
		results.Versions.Kubernetes, results.Versions.Etcd, results.Versions.Helm, results.Versions.Peer, results.Versions.Kwok)
	out.WriteString("### Targets\n\n" + targets(results) + "\n")
	for _, pods := range []bool{false, true} {
		sizes := map[int]bool{}
		for _, subject := range order {
			for _, size := range seriesOf(results, subject, pods).sizes() {
				sizes[size] = true
			}
		}
		for _, size := range slices.Sorted(maps.Keys(sizes)) {
			sideBySide(&out, results, size, pods)
		}
	}
	verbs(&out, results)
	return out.String()
}

// sideBySide prints all that was measured at one size, a column a subject.
func sideBySide(out *strings.Builder, results Results, size int, pods bool) {
	var columns []series
	head := []string{"median of the runs"}
	title := fmt.Sprintf("### %d objects", size)
	if pods {
		title += ", pods brought to Ready by kwok"
	}
	for _, subject := range order {
		if s := seriesOf(results, subject, pods); len(s[size]) > 0 {
			columns = append(columns, s)
			head = append(head, fmt.Sprintf("%s (%d)", titles[subject], len(s[size])))
		}
	}
	fmt.Fprintf(out, "%s\n\n| %s |\n|---|%s\n", title, strings.Join(head, " | "), strings.Repeat("---:|", len(columns)))
	for _, r := range rows {
		cells, found := []string{r.name}, false
		for _, column := range columns {
			text := "–"
			if value, ok := column.median(size, r.figure); ok {
				text, found = fmt.Sprintf(r.format, value), true
			}
			cells = append(cells, text)
		}
		if found {
			fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | "))
		}
	}
	out.WriteString("\n")
}

// verbs prints the requests of a creation by verb, at the largest size of each subject.
func verbs(out *strings.Builder, results Results) {
	out.WriteString("### API requests to create an object, by verb\n\n| | objects | requests by verb |\n|---|---:|---|\n")
	for _, subject := range order {
		s := seriesOf(results, subject, false)
		if len(s) == 0 {
			continue
		}
		size := s.nearest(300)
		run := s[size][0]
		var parts []string
		for _, verb := range slices.Sorted(maps.Keys(run.Applied.ByVerb)) {
			parts = append(parts, fmt.Sprintf("%s %.2f", verb, run.Applied.ByVerb[verb]))
		}
		fmt.Fprintf(out, "| %s | %d | %s |\n", titles[subject], size, strings.Join(parts, ", "))
	}
}
