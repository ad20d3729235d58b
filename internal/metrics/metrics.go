// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package metrics owns the operator's own metrics.
//
// The three gauges of a MarkdownView are collected from the cache when they are scraped, so they are
// right after a restart and gone with their object, without anybody keeping them so. The package
// must not judge an object: it repeats the phase that the status says.
package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

var releases = prometheus.NewCounterVec(prometheus.CounterOpts{
	Name: "markdownview_releases_total",
	Help: "Plans carried out, by action (Install, Upgrade, Repair), reason of the plan and result (ok, error).",
}, []string{"action", "reason", "result"})

// Released counts a plan that was carried out.
func Released(action, reason string, err error) {
	result := "ok"
	if err != nil {
		result = "error"
	}
	releases.WithLabelValues(action, reason, result).Inc()
}

// phases are the gauges, by the phase in which they are 1.
var phases = map[string]*prometheus.Desc{
	viewv1.PhaseNotReady:  desc("markdownview_notready", "1 while no replica of the MarkdownView serves a book."),
	viewv1.PhaseAvailable: desc("markdownview_available", "1 while some replicas of the MarkdownView serve a book."),
	viewv1.PhaseHealthy:   desc("markdownview_healthy", "1 while all replicas of the MarkdownView serve its current book."),
}

func desc(name, help string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, []string{"name", "namespace"}, nil)
}

// scrapeTimeout bounds a scrape's read of the cache, which only ever waits for its first sync.
const scrapeTimeout = 5 * time.Second

// Collector collects the gauges of every MarkdownView in a cache.
type Collector struct{ Cache client.Reader }

// Describe implements prometheus.Collector.
func (c Collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range phases {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (c Collector) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout) //nolint:forbidigo // Prometheus hands a collector no context.
	defer cancel()
	var views viewv1.MarkdownViewList
	// The copies' texts would be most of the work; nothing here writes into them.
	if err := c.Cache.List(ctx, &views, client.UnsafeDisableDeepCopy); err != nil {
		for _, d := range phases {
			out <- prometheus.NewInvalidMetric(d, err)
		}
		return
	}
	for i := range views.Items {
		view := &views.Items[i]
		for phase, d := range phases {
			value := 0.0
			if view.Status.Phase == phase || phase == viewv1.PhaseNotReady && view.Status.Phase == "" {
				value = 1
			}
			out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, view.Name, view.Namespace)
		}
	}
}

// Register adds the operator's metrics to the registry that the manager serves, the gauges from the
// MarkdownViews in cache, until the returned function is called.
func Register(cache client.Reader) (unregister func(), err error) {
	own := []prometheus.Collector{releases, Collector{Cache: cache}}
	unregister = func() {
		for _, collector := range own {
			metrics.Registry.Unregister(collector)
		}
	}
	for _, collector := range own {
		if err := metrics.Registry.Register(collector); err != nil {
			unregister()
			return nil, err
		}
	}
	return unregister, nil
}
