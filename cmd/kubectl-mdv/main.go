// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Command kubectl-mdv prints the MarkdownView of a book that lies in a folder, as `mdbook init`
// makes one. On the PATH it is a plugin of kubectl:
//
//	kubectl mdv --name handbook docs | kubectl apply --server-side -f -
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/bookdir"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "kubectl-mdv:", err)
		os.Exit(1)
	}
}

// run prints the manifest of the folder that args name.
func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("kubectl-mdv", flag.ContinueOnError)
	name := flags.String("name", "", "name of the MarkdownView (required)")
	namespace := flags.String("namespace", "", "its namespace; empty: that of the kubectl context")
	replicas := flags.Int("replicas", 0, "how many pods serve the book, 1 to 5; without it the manifest leaves the number as it is, 1 at first")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: kubectl mdv --name NAME [--namespace NAMESPACE] [--replicas N] FOLDER")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *name == "" || flags.NArg() != 1 {
		flags.Usage()
		return fmt.Errorf("give --name and one folder, not %d", flags.NArg())
	}
	if *replicas < 0 || *replicas > 5 {
		return fmt.Errorf("--replicas must be in the range of 1 to 5, not %d", *replicas)
	}
	spec, err := bookdir.Spec(os.DirFS(flags.Arg(0)))
	if err != nil {
		return fmt.Errorf("folder %s: %w", flags.Arg(0), err)
	}
	if *replicas != 0 {
		// A number that is always printed would be fought over with whoever scales the book.
		spec.Replicas = new(int32(*replicas))
	}
	manifest, err := yaml.Marshal(map[string]any{
		"apiVersion": viewv1.GroupVersion.String(), "kind": "MarkdownView",
		// Without this literal, the zero status and creationTimestamp would be printed as well.
		"metadata": metav1.ObjectMeta{Name: *name, Namespace: *namespace}, "spec": spec,
	})
	if err != nil {
		return fmt.Errorf("print the MarkdownView: %w", err)
	}
	_, err = out.Write(manifest)
	return err
}
