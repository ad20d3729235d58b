// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package scenario

import (
	"context"
	"fmt"
	"net"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/bobuhiro11/markdown-view/test/bench/internal/audit"
	"github.com/bobuhiro11/markdown-view/test/bench/internal/proc"
	"github.com/bobuhiro11/markdown-view/test/bench/internal/workload"
)

// drivers is how many requests the driver makes at once.
const drivers = 10

// createViews creates the MarkdownViews, before the program starts.
func (r *run) createViews(ctx context.Context) error {
	for i := range workload.Namespaces {
		ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: workload.Namespace(i)}}
		if _, err := r.core.CoreV1().Namespaces().Create(ctx, ns, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("namespace %s: %w", ns.Name, err)
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(drivers)
	for i := range r.Objects {
		group.Go(func() error {
			view := workload.View(i)
			if _, err := r.client.Resource(workload.GVR).Namespace(view.GetNamespace()).Create(ctx, view, metav1.CreateOptions{}); err != nil {
				return fmt.Errorf("MarkdownView %s: %w", view.GetName(), err)
			}
			return nil
		})
	}
	return group.Wait()
}

// apply starts the program and waits until every object is applied.
func (r *run) apply(ctx context.Context) error {
	launched := time.Now()
	if err := r.launch(); err != nil {
		return err
	}
	stopProfile := r.profileCPU(ctx, "apply")
	defer stopProfile()
	limit := 2*time.Minute + time.Duration(r.Objects)*time.Second
	var begun *spent
	err := r.until(ctx, limit, func() (bool, error) {
		if begun == nil && !r.log.firstWrite(launched).IsZero() {
			begun = r.spent()
		}
		return len(r.log.applied()) >= r.Objects, r.process.Exited()
	})
	if err != nil {
		return fmt.Errorf("%d of %d objects applied: %w", len(r.log.applied()), r.Objects, err)
	}
	r.result.Applied = r.appliedFrom(launched, r.spent().since(begun))
	r.Say("  applied in %.1f s (%.1f a second), %.1f requests an object, others used %.1f cores",
		r.result.Applied.Seconds, r.result.PerSecond(), r.result.Applied.Requests, r.result.Applied.Others)
	return r.verify(ctx)
}

// spent is CPU time used until a moment.
type spent struct {
	program, server, machine time.Duration
}

func (r *run) spent() *spent {
	return &spent{program: proc.CPU(r.process.PID()), server: r.cluster.ServerCPU(), machine: proc.MachineCPU()}
}

// since returns what was used between two moments.
func (s *spent) since(begin *spent) spent {
	return spent{program: s.program - begin.program, server: s.server - begin.server, machine: s.machine - begin.machine}
}

func (r *run) appliedFrom(launched time.Time, used spent) *Applied {
	first := r.log.firstWrite(launched)
	var end time.Time
	for _, t := range r.log.applied() {
		if t.After(end) {
			end = t
		}
	}
	requests, _ := r.log.since(first)
	n := float64(r.Objects)
	out := &Applied{
		Startup: first.Sub(launched).Seconds(), Seconds: end.Sub(first).Seconds(),
		Requests: float64(len(requests)) / n, Writes: float64(audit.Writes(requests)) / n, ByVerb: map[string]float64{},
		CPU: used.program.Seconds() * 1000 / n, ServerCPU: used.server.Seconds() * 1000 / n,
	}
	out.Others = (used.machine - used.program - used.server).Seconds() / out.Seconds
	for verb, count := range audit.ByVerb(requests) {
		out.ByVerb[verb] = float64(count) / n
	}
	return out
}

// verify checks that the objects are really there: nobody is fast by writing less.
func (r *run) verify(ctx context.Context) error {
	selector := metav1.ListOptions{LabelSelector: "app.kubernetes.io/name=mdbook"}
	deployments, err := r.core.AppsV1().Deployments("").List(ctx, selector)
	if err != nil {
		return err
	}
	services, err := r.core.CoreV1().Services("").List(ctx, selector)
	if err != nil {
		return err
	}
	accounts, err := r.core.CoreV1().ServiceAccounts("").List(ctx, selector)
	if err != nil {
		return err
	}
	contents, err := r.core.CoreV1().ConfigMaps("").List(ctx, metav1.ListOptions{LabelSelector: "view.bobuhiro11.net/content"})
	if err != nil {
		return err
	}
	for kind, n := range map[string]int{
		"Deployments": len(deployments.Items), "Services": len(services.Items),
		"ServiceAccounts": len(accounts.Items), "content ConfigMaps": len(contents.Items),
	} {
		if n != r.Objects {
			return fmt.Errorf("%d %s exist, want %d", n, kind, r.Objects)
		}
	}
	return nil
}

// becomeReady waits until every Deployment has its pod Ready; of a program that keeps a status, also
// until its last request was answered.
func (r *run) becomeReady(ctx context.Context) error {
	first := r.log.firstWrite(time.Time{})
	var end time.Time
	err := r.until(ctx, 5*time.Minute, func() (bool, error) {
		deployments, err := r.core.AppsV1().Deployments("").List(ctx, metav1.ListOptions{LabelSelector: "app.kubernetes.io/name=mdbook"})
		if err != nil {
			return false, err
		}
		for _, d := range deployments.Items {
			if d.Status.ReadyReplicas < 1 {
				return false, nil
			}
		}
		if end.IsZero() {
			end = time.Now()
		}
		if r.Subject != Operator {
			return true, nil
		}
		views, err := r.client.Resource(workload.GVR).List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, err
		}
		return allReady(views.Items), nil
	})
	if err != nil {
		return fmt.Errorf("pods Ready: %w", err)
	}
	if r.Subject == Operator {
		end = r.log.last()
	}
	requests, _ := r.log.since(first)
	r.result.Ready = &Ready{Seconds: end.Sub(first).Seconds(), Requests: float64(len(requests)) / float64(r.Objects)}
	r.Say("  all Ready %.1f s after the first write", r.result.Ready.Seconds)
	return nil
}

func allReady(views []unstructured.Unstructured) bool {
	for _, view := range views {
		if phase, _, _ := unstructured.NestedString(view.Object, "status", "phase"); phase != "Healthy" {
			return false
		}
	}
	return true
}

// until reads the audit log and asks done, again and again.
func (r *run) until(ctx context.Context, limit time.Duration, done func() (bool, error)) error {
	const pause = 200 * time.Millisecond
	for deadline := time.Now().Add(limit); ; {
		if err := r.log.read(); err != nil {
			return err
		}
		ok, err := done()
		if ok || err != nil {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("not done after %s", limit)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("free port: %w", err)
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}
