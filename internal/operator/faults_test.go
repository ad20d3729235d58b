// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator_test

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/operator"
)

// TestRemovedFileLeaves: the tutorial's ConfigMap kept every file that a book ever had.
func TestRemovedFileLeaves(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	markdowns := book("# Hello")
	markdowns["gone.md"] = "# Gone"
	view := c.view("book", markdowns)
	if err := c.Create(t.Context(), view); err != nil {
		t.Fatal(err)
	}
	c.released(view)
	delete(view.Spec.Markdowns, "gone.md")
	if err := c.Update(t.Context(), view); err != nil {
		t.Fatal(err)
	}
	c.released(view)
	key := client.ObjectKey{Namespace: c.namespace, Name: "markdowns-book-" + view.Status.Content.Desired}
	var content corev1.ConfigMap
	if err := c.Get(t.Context(), key, &content); err != nil {
		t.Fatal(err)
	}
	if _, there := content.Data["gone.md"]; there || len(content.Data) != 2 {
		t.Errorf("the content still has %v", content.Data)
	}
}

// gauges returns the gauges of the test's MarkdownViews: name -> the phase whose gauge is 1.
func (c *cluster) gauges() map[string]string {
	c.Helper()
	families, err := metrics.Registry.Gather()
	if err != nil {
		c.Fatal(err)
	}
	found := map[string]string{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			labels := map[string]string{}
			for _, pair := range metric.GetLabel() {
				labels[pair.GetName()] = pair.GetValue()
			}
			if labels["namespace"] == c.namespace && metric.GetGauge().GetValue() == 1 {
				found[labels["name"]] = family.GetName()
			}
		}
	}
	return found
}

// TestGaugesFollowTheObject: right after a restart, and gone with the object.
func TestGaugesFollowTheObject(t *testing.T) {
	withMetrics := func(s *operator.Settings) { s.MetricsAddr = "127.0.0.1:0" }
	c := newCluster(t)
	c.startOperator(withMetrics)
	view := c.published(book("# Hello"))
	c.settle()
	c.stop()
	if got := c.gauges(); len(got) != 0 {
		t.Errorf("without an operator the gauges are %v", got)
	}

	// No status changes from here on: the tutorial's gauges stayed missing.
	c.startOperator(withMetrics)
	c.eventually("the gauge after a restart", func() error {
		if got := c.gauges(); got["book"] != "markdownview_notready" {
			return fmt.Errorf("gauges are %v", got)
		}
		return nil
	})
	if err := c.Delete(t.Context(), view); err != nil {
		t.Fatal(err)
	}
	c.eventually("no gauge after deletion", func() error {
		if got := c.gauges(); len(got) != 0 {
			return fmt.Errorf("gauges are %v", got)
		}
		return nil
	})
}

// TestAutoscalerKeepsItsReplicas: written through the scale subresource, as a HorizontalPodAutoscaler
// does, replicas stay through edits of the book.
func TestAutoscalerKeepsItsReplicas(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	view := c.published(book("# Hello"))
	c.settle()
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: "viewer-book"}}
	c.scale(deployment, 4)
	c.settle()
	c.released(view) // Its status was written meanwhile.
	view.Spec.Markdowns["README.md"] = "# Edited"
	if err := c.Update(t.Context(), view); err != nil {
		t.Fatal(err)
	}
	c.released(view)
	c.settle()
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(deployment), deployment); err != nil {
		t.Fatal(err)
	}
	if got := *deployment.Spec.Replicas; got != 4 {
		t.Errorf("the autoscaler's 4 replicas are %d", got)
	}
	if got := deployment.Spec.Template.Labels[viewv1.LabelContent]; got != view.Status.Content.Desired {
		t.Errorf("pods are of content %s, want %s: the edit did not roll the Deployment", got, view.Status.Content.Desired)
	}
}
