// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"github.com/bobuhiro11/markdown-view/internal/operator"
)

// defaultViewerImage and defaultServerImage are used where the RELATED_IMAGE variables are unset, as in `make run`.
const (
	defaultViewerImage = "docker.io/peaceiris/mdbook:v0.5.0"
	defaultServerImage = "server:latest"
)

// parseSettings reads flags, which name what is fixed at installation, and environment variables,
// which OLM and kustomize fill in.
func parseSettings(args []string, getenv func(string) string) (operator.Settings, zap.Options, error) {
	var s operator.Settings
	var logging zap.Options
	flags := flag.NewFlagSet("manager", flag.ContinueOnError)
	flags.StringVar(&s.MetricsAddr, "metrics-bind-address", ":8443", "Address of the metrics; 0 turns them off.")
	flags.BoolVar(&s.SecureMetrics, "metrics-secure", true, "Serve metrics over TLS, to clients that the API server authorizes.")
	flags.StringVar(&s.ProbeAddr, "health-probe-bind-address", ":8081", "Address of /healthz and /readyz.")
	flags.StringVar(&s.PprofAddr, "pprof-bind-address", "",
		"Address of Go's profiles, unprotected: 127.0.0.1:PORT and a port-forward; empty turns them off.")
	flags.StringVar(&s.WebhookCertDir, "webhook-cert-path", "", "Folder of tls.crt and tls.key for the webhooks; default: controller-runtime's own.")
	flags.DurationVar(&s.WebhookDrain, "webhook-drain", 5*time.Second,
		"How long webhooks are still answered when the manager is told to stop, until their Service has forgotten it.")
	flags.BoolVar(&s.LeaderElect, "leader-elect", false, "Take a lease before reconciling, so that one manager does.")
	flags.StringVar(&s.LeaseName, "leader-election-id", "markdown-view.bobuhiro11.net", "Name of the lease; one a shard.")
	flags.StringVar(&s.WatchesFile, "watches-file", getenv("WATCHES_FILE"),
		"A watches.yaml in place of the built-in one; a chart other than the built-in is read from beside it. Default: $WATCHES_FILE, which OLM can set.")
	flags.IntVar(&s.MaxHistory, "max-history", 3, "Helm records kept a release, at least 1.")
	helmDriver := flags.String("helm-driver", "configmap", "Where Helm records are kept: configmap, or secret (needs config/components/secret-driver).")
	logging.BindFlags(flags)
	if err := flags.Parse(args); err != nil {
		return s, logging, err
	}
	if flags.NArg() > 0 {
		return s, logging, fmt.Errorf("unexpected argument %q; every setting is a flag", flags.Arg(0))
	}
	if s.MaxHistory < 1 {
		return s, logging, errors.New("--max-history must be at least 1")
	}
	// A lease that is lost in a longer drain would run out before the process does.
	if s.WebhookDrain < 0 || s.WebhookDrain >= 10*time.Second {
		return s, logging, fmt.Errorf("--webhook-drain is %s; it must be less than 10s, and not negative", s.WebhookDrain)
	}
	if *helmDriver != "configmap" && *helmDriver != "secret" {
		return s, logging, fmt.Errorf("--helm-driver is %q; it is configmap or secret", *helmDriver)
	}
	s.SecretRecords = *helmDriver == "secret"
	s.Webhooks = getenv("ENABLE_WEBHOOKS") != "false"
	s.Namespaces = splitNamespaces(getenv("WATCH_NAMESPACE"))
	s.ViewerImage = orDefault(getenv("RELATED_IMAGE_VIEWER"), defaultViewerImage)
	s.ServerImage = orDefault(getenv("RELATED_IMAGE_SERVER"), defaultServerImage)
	s.LeaseNamespace = getenv("POD_NAMESPACE")
	return s, logging, nil
}

// splitNamespaces reads WATCH_NAMESPACE: empty is all, else names separated by commas.
func splitNamespaces(value string) []string {
	var out []string
	for name := range strings.SplitSeq(value, ",") {
		if name = strings.TrimSpace(name); name != "" {
			out = append(out, name)
		}
	}
	return out
}

func orDefault(value, fallback string) string {
	if value == "" {
		return fallback
	}
	return value
}
