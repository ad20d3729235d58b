// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// The benchmark: this operator beside a bare client and beside helm-operator-plugins, each against a
// fresh API server. README.md says how to run it and how to read its table.
//
//	bench run    measures, writes results (JSON), the table (Markdown) and the plot (SVG)
//	bench report makes table and plot from results again
//
// The other commands are the programs under measurement; run starts them as processes of their own.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"helm.sh/helm/v3/pkg/chart/loader"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"github.com/bobuhiro11/markdown-view/test/bench/internal/bare"
	"github.com/bobuhiro11/markdown-view/test/bench/internal/peer"
)

func main() {
	// As the operator's own default: JSON lines at level info.
	logger := zap.New()
	ctrl.SetLogger(logger)
	klog.SetLogger(logger)
	commands := map[string]func(context.Context, []string) error{
		"run": run, "report": writeReport, "bare": subject, "bare-apply": subject, "peer": subject,
	}
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: bench run|report [flags]")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := commands[os.Args[1]](ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop was called.
	}
}

// subject is a program under measurement: args[0] says which.
func subject(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	folder := flags.String("chart", "", "Folder of the chart.")
	metrics := flags.String("metrics", "0", "HOST:PORT of the metrics.")
	workers := flags.Int("workers", 10, "Objects worked on at once.")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	chart, err := loader.Load(*folder)
	if err != nil {
		return fmt.Errorf("chart %s: %w", *folder, err)
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	if args[0] == "peer" {
		return peer.Run(ctx, peer.Settings{Config: config, Chart: chart, MetricsAddr: *metrics, Workers: *workers})
	}
	client := bare.Client{Config: config, Chart: chart, Workers: *workers, Apply: args[0] == "bare-apply"}
	if err := client.Run(ctx); err != nil {
		return err
	}
	// It stays until it is told to end, so that what it used can be read.
	<-ctx.Done()
	return nil
}
