// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package proc

import (
	"context"
	"fmt"
	"net/http"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// Metrics are the sums of a program's metrics over their labels, by name.
type Metrics map[string]float64

// Scrape reads the metrics that a program serves at addr ("HOST:PORT").
func Scrape(ctx context.Context, addr string) (Metrics, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("metrics at %s: %s", addr, response.Status)
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(response.Body)
	if err != nil {
		return nil, fmt.Errorf("metrics at %s: %w", addr, err)
	}
	sums := Metrics{}
	for name, family := range families {
		for _, metric := range family.GetMetric() {
			sums[name] += value(metric)
		}
	}
	return sums, nil
}

func value(metric *dto.Metric) float64 {
	switch {
	case metric.GetCounter() != nil:
		return metric.GetCounter().GetValue()
	case metric.GetGauge() != nil:
		return metric.GetGauge().GetValue()
	case metric.GetHistogram() != nil:
		return metric.GetHistogram().GetSampleSum()
	}
	return metric.GetUntyped().GetValue()
}

// Reconciles is the number of passes that a controller-runtime manager has finished.
func (m Metrics) Reconciles() float64 { return m["controller_runtime_reconcile_total"] }

// AtRest tells whether no pass runs and none waits.
func (m Metrics) AtRest() bool {
	return m["workqueue_depth"] == 0 && m["controller_runtime_active_workers"] == 0
}

// Goroutines there are.
func (m Metrics) Goroutines() int { return int(m["go_goroutines"]) }
