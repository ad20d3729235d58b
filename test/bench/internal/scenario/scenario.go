// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package scenario

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/bobuhiro11/markdown-view/test/bench/internal/cluster"
	"github.com/bobuhiro11/markdown-view/test/bench/internal/proc"
)

// Plan is one run: what is measured, and how much of it.
type Plan struct {
	Subject Subject
	Objects int
	Pods    bool
	// Idle is how long to watch it do nothing; 0 skips.
	Idle time.Duration
	// Edits by hand; 0 skips.
	Edits int
	// Passes to force; 0 skips.
	Passes int
	// Restart measures a stop and a start.
	Restart bool
}

// Bench is what all runs share.
type Bench struct {
	// Bin is the folder of the control plane's programs; Manager is the operator's binary.
	Bin, Manager string
	// Chart and CRDs are folders of the checkout.
	Chart, CRDs string
	// Dir receives a folder a run, with logs and audit log.
	Dir string
	// Workers of each subject.
	Workers int
	// Profile is a folder for CPU and heap profiles of the operator, or empty.
	Profile string
	// Say tells of the progress.
	Say func(format string, args ...any)
}

// user is the name under which the program's requests are counted.
const user = "subject"

// run is one run under way.
type run struct {
	Bench
	Plan
	dir     string
	cluster *cluster.Cluster
	client  dynamic.Interface
	core    kubernetes.Interface
	log     *journal
	process *proc.Process
	metrics string
	result  Result
}

// Run carries a plan out.
func (b Bench) Run(ctx context.Context, p Plan) (result Result, err error) {
	r := &run{Bench: b, Plan: p, result: Result{Subject: p.Subject, Objects: p.Objects, Pods: p.Pods, Started: time.Now().Format(time.RFC3339)}}
	defer func() {
		if r.process != nil {
			r.process.Stop()
		}
		if r.cluster != nil {
			err = errors.Join(err, r.cluster.Stop())
		}
		if err != nil {
			err = fmt.Errorf("%s with %d objects (logs in %s): %w", p.Subject, p.Objects, r.dir, err)
		}
	}()
	if err := r.setUp(ctx); err != nil {
		return r.result, err
	}
	for _, phase := range []struct {
		on  bool
		run func(context.Context) error
	}{
		{true, r.apply},
		{p.Pods, r.becomeReady},
		{p.Subject == Peer || p.Subject == Operator, r.settle},
		{p.Idle > 0, r.idle},
		{p.Edits > 0, r.drift},
		{p.Passes > 0, r.force},
		{p.Restart, r.restart},
	} {
		if !phase.on {
			continue
		}
		if err := phase.run(ctx); err != nil {
			return r.result, err
		}
	}
	return r.result, nil
}

// setUp starts the cluster and creates the MarkdownViews.
func (r *run) setUp(ctx context.Context) error {
	r.dir = filepath.Join(r.Dir, fmt.Sprintf("%s-%d-%s", r.Subject, r.Objects, time.Now().Format("150405")))
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return fmt.Errorf("folder of the run: %w", err)
	}
	var err error
	if r.cluster, err = cluster.Start(cluster.Options{Bin: r.Bin, Dir: r.dir, CRDs: r.CRDs, OpenStatus: r.Subject == Peer, Pods: r.Pods}); err != nil {
		return err
	}
	if r.client, err = dynamic.NewForConfig(r.cluster.Config); err != nil {
		return fmt.Errorf("client: %w", err)
	}
	if r.core, err = kubernetes.NewForConfig(r.cluster.Config); err != nil {
		return fmt.Errorf("client: %w", err)
	}
	r.log = newJournal(r.cluster.Audit)
	return r.createViews(ctx)
}

// launch starts the program under measurement.
func (r *run) launch() error {
	kubeconfig := filepath.Join(r.dir, user+".kubeconfig")
	if _, err := os.Stat(kubeconfig); err != nil {
		if kubeconfig, err = r.cluster.Kubeconfig(user); err != nil {
			return err
		}
	}
	argv, env, err := r.command(kubeconfig)
	if err != nil {
		return err
	}
	r.process, err = proc.Start(filepath.Join(r.dir, string(r.Subject)+".log"), env, argv...)
	return err
}

func (r *run) command(kubeconfig string) (argv, env []string, err error) {
	if r.metrics, err = freeAddress(); err != nil {
		return nil, nil, err
	}
	env = []string{"KUBECONFIG=" + kubeconfig}
	if r.Subject == Operator {
		return append([]string{
			r.Manager, "--metrics-bind-address=" + r.metrics, "--metrics-secure=false", "--health-probe-bind-address=0",
		}, r.profileFlags()...), append(env, "ENABLE_WEBHOOKS=false"), nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil, nil, fmt.Errorf("this program's own path: %w", err)
	}
	return []string{self, string(r.Subject), "-chart", r.Chart, "-metrics", r.metrics, "-workers", strconv.Itoa(r.Workers)}, env, nil
}
