// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package peer runs helm-operator-plugins, the library that hybrid operators are usually built on,
// with the same chart: as its own main.go does, with its documented settings for this size.
package peer

import (
	"context"
	"fmt"
	"time"

	"github.com/operator-framework/helm-operator-plugins/pkg/annotation"
	"github.com/operator-framework/helm-operator-plugins/pkg/reconciler"
	"github.com/operator-framework/helm-operator-plugins/pkg/values"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/bobuhiro11/markdown-view/test/bench/internal/workload"
)

// period of the peer's reconciliation, its command's default.
const period = time.Minute

// Settings of the peer.
type Settings struct {
	Config *rest.Config
	Chart  *chart.Chart
	// MetricsAddr is "HOST:PORT".
	MetricsAddr string
	Workers     int
}

// Run runs until ctx ends.
func Run(ctx context.Context, s Settings) error {
	config := rest.CopyConfig(s.Config)
	// No brake of the client's own: the peer at its best.
	config.QPS = -1
	mgr, err := ctrl.NewManager(config, ctrl.Options{Metrics: metricsserver.Options{BindAddress: s.MetricsAddr}, HealthProbeBindAddress: "0"})
	if err != nil {
		return fmt.Errorf("manager: %w", err)
	}
	r, err := reconciler.New(
		reconciler.WithChart(*s.Chart),
		reconciler.WithGroupVersionKind(workload.GVK),
		reconciler.WithValueTranslator(values.TranslatorFunc(func(_ context.Context, view *unstructured.Unstructured) (chartutil.Values, error) {
			return workload.Values(view), nil
		})),
		reconciler.SkipDependentWatches(false),
		reconciler.WithMaxConcurrentReconciles(s.Workers),
		reconciler.WithReconcilePeriod(period),
		reconciler.WithInstallAnnotations(annotation.DefaultInstallAnnotations...),
		reconciler.WithUpgradeAnnotations(annotation.DefaultUpgradeAnnotations...),
		reconciler.WithUninstallAnnotations(annotation.DefaultUninstallAnnotations...),
	)
	if err != nil {
		return fmt.Errorf("reconciler: %w", err)
	}
	if err := r.SetupWithManager(mgr); err != nil {
		return fmt.Errorf("controller: %w", err)
	}
	return mgr.Start(ctx)
}
