// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/bobuhiro11/markdown-view/test/bench/internal/report"
	"github.com/bobuhiro11/markdown-view/test/bench/internal/scenario"
)

// run measures everything and reports it.
func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	root := flags.String("root", "../..", "The checkout.")
	mode := flags.String("mode", "full", "full, quick or smoke; or one plan, as in \"operator:1000:idle=120s:edits=200:passes=10000:restart:pods\".")
	out := flags.String("out", "", "Folder of results; default: one of the time under test/bench/results.")
	note := flags.String("note", "", "A line about the circumstances, for the report.")
	profile := flags.String("profile", "", "Folder for CPU and heap profiles of the operator; with it, figures are not comparable.")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	plans, err := plansOf(*mode)
	if err != nil {
		return err
	}
	bench, err := newBench(*root, *out, *profile)
	if err != nil {
		return err
	}
	results := report.Results{Mode: *mode, Note: *note, Machine: report.ThisMachine(), Versions: report.VersionsOf(*root), Started: time.Now().Format(time.RFC3339)}
	var failures error
	for i, plan := range plans {
		if ctx.Err() != nil {
			break
		}
		fmt.Printf("%s  %d/%d  %s, %d objects%s\n", time.Now().Format(time.TimeOnly), i+1, len(plans), plan.Subject, plan.Objects, map[bool]string{true: ", pods by kwok"}[plan.Pods])
		result, err := bench.Run(ctx, plan)
		if err != nil {
			// The other runs still say something; the command fails in the end.
			failures = errors.Join(failures, err)
			fmt.Println("  FAILED:", err)
			if result.Applied == nil {
				continue
			}
		}
		results.Runs = append(results.Runs, result)
		if err := report.Save(filepath.Join(bench.Dir, "results.json"), results); err != nil {
			return err
		}
	}
	if len(results.Runs) == 0 {
		return failures
	}
	return errors.Join(failures, report.Write(bench.Dir, results, os.Stdout))
}

func newBench(root, out, profile string) (scenario.Bench, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return scenario.Bench{}, err
	}
	if out == "" {
		out = filepath.Join(root, "test/bench/results", time.Now().Format("20060102-150405"))
	}
	if out, err = filepath.Abs(out); err != nil {
		return scenario.Bench{}, err
	}
	for _, folder := range []string{out, profile} {
		if folder == "" {
			continue
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return scenario.Bench{}, fmt.Errorf("folder of results: %w", err)
		}
	}
	bin := os.Getenv("KUBEBUILDER_ASSETS")
	if bin == "" {
		bin = filepath.Join(root, "bin")
	}
	return scenario.Bench{
		Bin: bin, Manager: filepath.Join(root, "bin/manager"),
		Chart: filepath.Join(root, "helm-charts/markdownview"), CRDs: filepath.Join(root, "config/crd/bases"),
		Dir: out, Workers: 10, Profile: profile,
		Say: func(format string, args ...any) { fmt.Printf(format+"\n", args...) },
	}, nil
}

// writeReport makes table and plot from saved results.
func writeReport(_ context.Context, args []string) error {
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("usage: bench report FOLDER (that has a results.json)")
	}
	results, err := report.Load(filepath.Join(flags.Arg(0), "results.json"))
	if err != nil {
		return err
	}
	return report.Write(flags.Arg(0), results, os.Stdout)
}
