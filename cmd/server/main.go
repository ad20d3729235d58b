// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Command server serves one built book: the folder that `mdbook build` wrote. It is the second
// container of a viewer pod, and runs as well on a laptop:
//
//	server --root book --addr localhost:3000
//
// It takes no configuration but its flags (`server -h`).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/bobuhiro11/markdown-view/internal/site"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	config, showVersion, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	if showVersion {
		_, err := fmt.Fprintln(stdout, programVersion())
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	// After the first signal the default comes back: a second one ends the process at once.
	context.AfterFunc(ctx, stop)
	server, err := site.New(ctx, config)
	if err != nil {
		return err
	}
	return server.Run(ctx)
}

// parse reads the flags. Every flag has a default that suits a viewer pod.
func parse(args []string, stderr io.Writer) (config site.Config, showVersion bool, err error) {
	flags := flag.NewFlagSet("server", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&config.Root, "root", "/site", "folder that holds the built book; it must not change while it is served")
	flags.StringVar(&config.Addr, "addr", ":3000", "address of the book")
	flags.StringVar(&config.MetricsAddr, "metrics-addr", ":9090", "address of /metrics, /healthz and /readyz; empty turns them off")
	flags.DurationVar(&config.Drain, "drain", 5*time.Second, "how long the book is still served after SIGTERM, while /readyz fails")
	flags.DurationVar(&config.ShutdownTimeout, "shutdown-timeout", 20*time.Second, "longest wait for answers under way after that")
	var level slog.Level
	flags.TextVar(&level, "log-level", slog.LevelInfo, "least level that is logged: debug (each request), info, warn, error")
	flags.BoolVar(&showVersion, "version", false, "print the version and exit")
	if err := flags.Parse(args); err != nil {
		return config, false, err
	}
	if flags.NArg() > 0 {
		return config, false, fmt.Errorf("unexpected argument %q: everything is a flag, see -h", flags.Arg(0))
	}
	if config.Drain < 0 || config.ShutdownTimeout <= 0 {
		return config, false, fmt.Errorf("--drain %s and --shutdown-timeout %s: neither may be negative, and the latter not zero",
			config.Drain, config.ShutdownTimeout)
	}
	config.Log = slog.New(slog.NewJSONHandler(stderr, &slog.HandlerOptions{Level: level}))
	return config, showVersion, nil
}

// version is set by the linker (-X main.version=...).
var version string

// programVersion is the linker's version, or else what Go knows of the commit that was built.
func programVersion() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return info.Main.Version
}
