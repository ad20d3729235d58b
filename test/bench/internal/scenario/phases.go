// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package scenario

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/bobuhiro11/markdown-view/test/bench/internal/audit"
	"github.com/bobuhiro11/markdown-view/test/bench/internal/proc"
	"github.com/bobuhiro11/markdown-view/test/bench/internal/workload"
)

// rest is the while without a request after which a program counts as being at rest. The operator looks at an
// object once more up to 12 seconds after its last write, and gives memory back 15 seconds after its last look.
const rest = 35 * time.Second

// settle waits until the program rests. The peer never does; it is given the same while.
func (r *run) settle(ctx context.Context) error {
	err := r.until(ctx, 2*time.Minute, func() (bool, error) {
		return r.Subject == Peer || time.Since(r.log.last()) > rest, r.process.Exited()
	})
	if err != nil {
		return fmt.Errorf("come to rest: %w", err)
	}
	if r.Subject == Peer {
		time.Sleep(rest)
	}
	r.result.Memory = r.memory()
	r.profileHeap(ctx, "applied")
	r.Say("  %.0f MiB resident", r.result.Memory.Resident)
	return nil
}

func (r *run) memory() *Memory {
	now, peak := proc.Memory(r.process.PID())
	return &Memory{Resident: now, Peak: peak}
}

// idle watches the program while nothing changes.
func (r *run) idle(ctx context.Context) error {
	start, cpu, server := time.Now(), proc.CPU(r.process.PID()), r.cluster.ServerCPU()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(r.Idle):
	}
	took := time.Since(start).Seconds()
	cpu, server = proc.CPU(r.process.PID())-cpu, r.cluster.ServerCPU()-server
	if err := r.log.read(); err != nil {
		return err
	}
	requests, watches := r.log.since(start)
	r.result.Idle = &Idle{
		Seconds: took, Requests: len(requests), Watches: len(watches),
		PerObjectMinute: float64(len(requests)) / float64(r.Objects) / took * 60,
		Cores:           cpu.Seconds() / took, ServerCores: server.Seconds() / took,
	}
	r.Say("  idle for %.0f s: %d requests, %.4f cores", took, len(requests), r.result.Idle.Cores)
	return r.process.Exited()
}

// drift edits Services by hand, one after the other, and waits for each to be put right.
func (r *run) drift(ctx context.Context) error {
	start := time.Now()
	var asked []string
	for i := range r.Edits {
		view := workload.View(i % r.Objects)
		name := "viewer-" + view.GetName()
		patch := fmt.Appendf(nil, `{"spec":{"selector":{"app.kubernetes.io/instance":"by-hand-%d"}}}`, i)
		_, err := r.core.CoreV1().Services(view.GetNamespace()).Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "by-hand"})
		if err != nil {
			return fmt.Errorf("edit of Service %s: %w", name, err)
		}
		asked = append(asked, view.GetNamespace()+"/"+name)
		err = r.until(ctx, 30*time.Second, func() (bool, error) {
			return len(r.repairs(start, asked[i:])) > 0, r.process.Exited()
		})
		if err != nil && ctx.Err() != nil {
			return err
		}
	}
	samples := r.repairs(start, asked)
	requests, _ := r.log.since(start)
	n := float64(r.Edits)
	r.result.Drift = &Drift{
		Edits: r.Edits, Requests: float64(len(requests)) / n, Writes: float64(audit.Writes(requests)) / n,
		Unrepaired: r.Edits - len(samples), Samples: samples,
	}
	if len(samples) > 0 {
		sorted := slices.Sorted(slices.Values(samples))
		r.result.Drift.Median, r.result.Drift.P99, r.result.Drift.Max = sorted[len(sorted)/2], sorted[len(sorted)*99/100], sorted[len(sorted)-1]
	}
	r.Say("  drift: median %.1f ms, p99 %.1f ms, %.2f writes an edit, %d not put right",
		r.result.Drift.Median, r.result.Drift.P99, r.result.Drift.Writes, r.result.Drift.Unrepaired)
	return nil
}

// repairs returns how long each edited Service took to be written by the program, in milliseconds.
// A Service that was edited twice counts with its first repair after the first edit.
func (r *run) repairs(start time.Time, services []string) []float64 {
	edited, repaired := map[string]time.Time{}, map[string]float64{}
	for _, e := range r.log.entries {
		key := e.Namespace + "/" + e.Name
		if e.Resource != "services" || !e.Write() || !e.OK() || e.Answered.Before(start) {
			continue
		}
		if e.User != user {
			edited[key] = e.Answered
		} else if _, done := repaired[key]; !done && !edited[key].IsZero() {
			repaired[key] = float64(e.Answered.Sub(edited[key]).Microseconds()) / 1000
		}
	}
	var out []float64
	for _, service := range services {
		if ms, ok := repaired[service]; ok {
			out = append(out, ms)
		}
	}
	return out
}

// force makes passes over settled objects, by an annotation that nothing reads, a round of all
// objects after the other, until there were enough. The first round is not counted: it warms up.
func (r *run) force(ctx context.Context) error {
	if _, err := r.round(ctx, 0); err != nil {
		return err
	}
	time.Sleep(rest)
	out := &Reconciles{Before: *r.memory()}
	before, err := proc.Scrape(ctx, r.metrics)
	if err != nil {
		return err
	}
	out.GoroutinesBefore = before.Goroutines()
	start, cpu := time.Now(), proc.CPU(r.process.PID())
	stopProfile := r.profileCPU(ctx, "passes")
	defer stopProfile()
	for round := 1; out.Passes < float64(r.Passes); round++ {
		m, err := r.round(ctx, round)
		if err != nil {
			return err
		}
		out.Passes, out.GoroutinesAfter = m.Reconciles()-before.Reconciles(), m.Goroutines()
		out.Samples = append(out.Samples, r.memory().Resident)
	}
	out.CPU = (proc.CPU(r.process.PID()) - cpu).Seconds() * 1000 / out.Passes
	out.Loaded = *r.memory()
	// Before was measured at rest, so after is too.
	time.Sleep(rest)
	out.After = *r.memory()
	if err := r.log.read(); err != nil {
		return err
	}
	requests, _ := r.log.since(start)
	out.Requests = len(requests)
	r.result.Reconciles = out
	r.profileHeap(ctx, "passes")
	r.Say("  %.0f passes: %d requests, %.2f ms of CPU a pass, %.0f -> %.0f MiB, %d -> %d goroutines", out.Passes, out.Requests, out.CPU,
		out.Before.Resident, out.After.Resident, out.GoroutinesBefore, out.GoroutinesAfter)
	return nil
}

// round touches every object once and waits for the passes; it returns the metrics after them.
func (r *run) round(ctx context.Context, round int) (proc.Metrics, error) {
	m, err := proc.Scrape(ctx, r.metrics)
	if err != nil {
		return nil, err
	}
	objects := min(r.Objects, r.Passes)
	want := m.Reconciles() + float64(objects)
	if err := r.touch(ctx, round, objects); err != nil {
		return nil, err
	}
	err = r.until(ctx, time.Minute, func() (bool, error) {
		m, err = proc.Scrape(ctx, r.metrics)
		return err == nil && m.Reconciles() >= want && m.AtRest(), err
	})
	if err != nil {
		return nil, fmt.Errorf("passes of round %d: %w", round, err)
	}
	return m, nil
}

func (r *run) touch(ctx context.Context, round, objects int) error {
	patch := fmt.Appendf(nil, `{"metadata":{"annotations":{"bench.example/round":"%d"}}}`, round)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(drivers)
	for i := range objects {
		group.Go(func() error {
			view := workload.View(i)
			_, err := r.client.Resource(workload.GVR).Namespace(view.GetNamespace()).Patch(ctx, view.GetName(), types.MergePatchType, patch, metav1.PatchOptions{})
			return err
		})
	}
	return group.Wait()
}

// restart stops the program, starts it, and waits until it has looked at every object.
func (r *run) restart(ctx context.Context) error {
	r.process.Stop()
	start := time.Now()
	if err := r.launch(); err != nil {
		return err
	}
	err := r.until(ctx, 5*time.Minute, func() (bool, error) {
		m, err := proc.Scrape(ctx, r.metrics)
		if err != nil {
			return false, r.process.Exited() // It does not listen yet.
		}
		return m.Reconciles() >= float64(r.Objects) && (r.Subject == Peer || m.AtRest()), nil
	})
	if err != nil {
		return fmt.Errorf("restart: %w", err)
	}
	took, cpu := time.Since(start), proc.CPU(r.process.PID())
	// What it starts late, it is charged for too.
	time.Sleep(3 * time.Second)
	if err := r.log.read(); err != nil {
		return err
	}
	requests, watches := r.log.since(start)
	time.Sleep(rest)
	r.result.Restart = &Restart{
		Seconds: took.Seconds(), Requests: len(requests), Writes: audit.Writes(requests), Watches: len(watches),
		CPU: cpu.Seconds(), Memory: *r.memory(),
	}
	r.Say("  restart: %.1f s, %d requests, %d writes, %.1f s of CPU", took.Seconds(), len(requests), r.result.Restart.Writes, cpu.Seconds())
	return nil
}
