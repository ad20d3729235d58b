// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build linux

// Command cluster runs a real one-node Kubernetes cluster on this machine, for tests and the demo:
// every component is the real one, in namespaces of its own, and nothing of it is left when it ends.
//
//	cluster up --bin DIR [--archive FILE]... [--addon FILE]...
//	cluster down
//	cluster load [--tool docker|podman|buildah] IMAGE|FILE.tar=IMAGE...
//	cluster publish [--port N] NAMESPACE/SERVICE
//	cluster kubeconfig
//
// Every command takes --name (default: $CLUSTER_NAME, or markdown-view).
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/bobuhiro11/markdown-view/test/cluster/internal/layout"
	"github.com/bobuhiro11/markdown-view/test/cluster/internal/lifecycle"
	"github.com/bobuhiro11/markdown-view/test/cluster/internal/node"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

// list is a flag that may be given several times.
type list []string

func (l *list) String() string         { return fmt.Sprint([]string(*l)) }
func (l *list) Set(value string) error { *l = append(*l, value); return nil }

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New("say what to do: up, down, load, publish or kubeconfig")
	}
	flags := flag.NewFlagSet("cluster "+args[0], flag.ContinueOnError)
	name := flags.String("name", cmp.Or(os.Getenv("CLUSTER_NAME"), "markdown-view"), "the cluster's name")
	bin := flags.String("bin", "bin", "up: the folder of the node's programs")
	tool := flags.String("tool", "buildah", "load: the program whose store holds the images")
	port := flags.Int("port", 0, "publish: the port to take on 127.0.0.1 where it is free")
	var archives, addons list
	flags.Var(&archives, "archive", "up: an image archive to import before the first pod")
	flags.Var(&addons, "addon", "up: a manifest to apply")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	cluster, err := layout.New(*name)
	if err != nil {
		return err
	}
	if os.Geteuid() != 0 {
		return errors.New("a node's namespaces, cgroups and mounts need root: run it as root, or set KUBECONFIG to use a cluster that is there")
	}
	switch args[0] {
	case "up":
		return lifecycle.Up(ctx, cluster, lifecycle.Options{Bin: *bin, Archives: archives, Addons: addons, Out: os.Stderr})
	case "down":
		return lifecycle.Down(cluster)
	case "load":
		return lifecycle.Load(ctx, cluster, *tool, flags.Args(), os.Stderr)
	case "publish":
		return publish(ctx, cluster, flags.Arg(0), *port)
	case "kubeconfig":
		fmt.Println(cluster.Kubeconfig())
		return nil
	case "node": // the node's first process, started by up
		return node.Main(cluster)
	}
	return fmt.Errorf("unknown command %q: there are up, down, load, publish and kubeconfig", args[0])
}

func publish(ctx context.Context, cluster layout.Cluster, service string, port int) error {
	url, err := lifecycle.Publish(ctx, cluster, service, port)
	if err != nil {
		return err
	}
	fmt.Println(url)
	return nil
}
