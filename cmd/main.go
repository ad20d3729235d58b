// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// The manager: reads its settings and runs the operator.
package main

import (
	"fmt"
	"os"
	"slices"

	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"github.com/bobuhiro11/markdown-view/internal/operator"
)

// version is set by the linker (-X main.version=...).
var version = "unknown"

func main() {
	if slices.Equal(os.Args[1:], []string{"--version"}) {
		fmt.Fprintln(os.Stdout, version)
		return
	}
	settings, logging, err := parseSettings(os.Args[1:], os.Getenv)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	logger := zap.New(zap.UseFlagOptions(&logging))
	ctrl.SetLogger(logger)
	klog.SetLogger(logger)
	logger.Info("starting", "version", version)
	config, err := ctrl.GetConfig()
	if err != nil {
		logger.Error(err, "no cluster to connect to; set KUBECONFIG, or run in a pod")
		os.Exit(1)
	}
	if err := operator.Run(ctrl.SetupSignalHandler(), config, settings); err != nil {
		logger.Error(err, "the manager stopped")
		os.Exit(1)
	}
}
