// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

func items(list client.ObjectList) int { return meta.LenList(list) }

// MetricsAndEvents publishes a book and looks for its event and its gauges; nobody may read the
// latter without a token.
func MetricsAndEvents(ctx context.Context, _ Bundle, cluster Cluster) []string {
	book, err := cluster.publish(ctx, "scorecard-metrics", "# Counted\n")
	if err != nil {
		return []string{err.Error()}
	}
	var problems []string
	for _, check := range []func() error{
		func() error { return book.waitReady(ctx, viewv1.ReasonHealthy) },
		func() error { return book.waitEvent(ctx) },
		func() error { return book.waitGauges(ctx) },
		func() error { return book.remove(ctx) },
	} {
		if err := check(); err != nil {
			problems = append(problems, err.Error())
		}
	}
	return problems
}

func (b Book) waitEvent(ctx context.Context) error {
	want := fmt.Sprintf("MarkdownView(%s:%s) updated: %s", b.Namespace, b.Name, viewv1.PhaseHealthy)
	return eventually(ctx, "an event says "+want, func(ctx context.Context) error {
		var list eventsv1.EventList
		if err := b.List(ctx, &list, client.InNamespace(b.Namespace)); err != nil {
			return err
		}
		var seen []string
		for _, event := range list.Items {
			if event.Regarding.Kind != "MarkdownView" || event.Regarding.Name != b.Name {
				continue
			}
			if event.Type == corev1.EventTypeNormal && event.Reason == viewv1.EventUpdated && event.Note == want {
				return nil
			}
			seen = append(seen, event.Reason+": "+event.Note)
		}
		return fmt.Errorf("events of the book: %q", seen)
	})
}

func (b Book) waitGauges(ctx context.Context) error {
	url, err := b.metricsURL(ctx)
	if err != nil {
		return err
	}
	// The endpoint's certificate is its own unless cert-manager makes one; its identity is not what is tested.
	doer := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	_, err = fetch(ctx, doer, url, "")
	switch {
	case err == nil:
		return errors.New("the metrics are there for everybody, without a token")
	case !strings.Contains(err.Error(), "401"):
		return fmt.Errorf("without a token the metrics are not refused with 401: %w", err)
	}
	want := map[string]string{"notready": "0", "available": "0", "healthy": "1"}
	return eventually(ctx, "the gauges call the book healthy", func(ctx context.Context) error {
		text, err := fetch(ctx, doer, url, b.Config.BearerToken)
		if err != nil {
			return err
		}
		for phase, value := range want {
			line := fmt.Sprintf("markdownview_%s{name=%q,namespace=%q} %s", phase, b.Name, b.Namespace, value)
			if !strings.Contains(text, line+"\n") {
				return fmt.Errorf("the metrics have no line %s", line)
			}
		}
		return nil
	})
}

// metricsURL finds the operator's metrics, in whichever namespace it was installed.
func (b Book) metricsURL(ctx context.Context) (string, error) {
	var services corev1.ServiceList
	if err := b.List(ctx, &services, client.MatchingLabels{"control-plane": "controller-manager", "app.kubernetes.io/name": "markdown-view"}); err != nil {
		return "", fmt.Errorf("find the metrics' Service: %w", err)
	}
	for _, service := range services.Items {
		if strings.HasSuffix(service.Name, "-metrics-service") {
			return fmt.Sprintf("https://%s.%s.svc:8443/metrics", service.Name, service.Namespace), nil
		}
	}
	return "", fmt.Errorf("no Service of the operator's metrics among %d", len(services.Items))
}
