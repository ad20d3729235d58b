// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package site

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics has no label that a reader could choose: a path or an agent would make a series each.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge
	files    prometheus.Gauge
	bytes    *prometheus.GaugeVec
	indexing prometheus.Gauge
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "markdownview_site_requests_total", Help: "Requests answered, by status code and method.",
		}, []string{"code", "method"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "markdownview_site_request_duration_seconds", Help: "Time to answer a request.",
			Buckets: []float64{.0005, .001, .005, .025, .1, .5, 2.5, 10},
		}, nil),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "markdownview_site_requests_in_flight", Help: "Requests being answered now.",
		}),
		files: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "markdownview_site_files", Help: "Files of the book that can be asked for.",
		}),
		bytes: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "markdownview_site_bytes", Help: "Size of the book by content coding: identity is on disk, the others in memory.",
		}, []string{"coding"}),
		indexing: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "markdownview_site_index_duration_seconds", Help: "Time it took to index the book at the start.",
		}),
	}
	m.registry.MustRegister(m.requests, m.duration, m.inFlight, m.files, m.bytes, m.indexing,
		collectors.NewGoCollector(), collectors.NewBuildInfoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

func (m *metrics) instrument(next http.Handler) http.Handler {
	return promhttp.InstrumentHandlerInFlight(m.inFlight,
		promhttp.InstrumentHandlerDuration(m.duration,
			promhttp.InstrumentHandlerCounter(m.requests, next)))
}

func (m *metrics) indexed(stats Stats, took time.Duration) {
	m.files.Set(float64(stats.Files))
	for coding, size := range stats.Bytes {
		m.bytes.WithLabelValues(coding).Set(float64(size))
	}
	m.indexing.Set(took.Seconds())
}

// logRequests logs each request. It is for debugging only: a log line costs more than the answer.
func logRequests(next http.Handler, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		seen := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(seen, r)
		log.Debug("request", "method", r.Method, "path", r.URL.Path, "status", seen.status,
			"took", time.Since(start).String(), "from", r.RemoteAddr)
	})
}

// statusWriter remembers the status that was sent.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
