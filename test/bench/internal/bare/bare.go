// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package bare is the floor: a client that knows everything beforehand and only writes. For each
// MarkdownView it writes what the operator writes, and nothing else: the content ConfigMap, the
// ServiceAccount, the Service, the Deployment, Helm's record, the status, one event. It decides
// nothing, reads nothing back, watches nothing, and has rendered and encoded everything before it
// makes its first write.
package bare

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
	"helm.sh/helm/v3/pkg/chart"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/bobuhiro11/markdown-view/test/bench/internal/workload"
)

// Client writes. It is a client of its own, in a process of its own.
type Client struct {
	Config *rest.Config
	Chart  *chart.Chart
	// Workers write at once.
	Workers int
	// Apply writes the objects by server-side apply, as the operator does; else they are created.
	Apply bool
}

// book is all that one MarkdownView needs.
type book struct {
	view    *unstructured.Unstructured
	objects []*unstructured.Unstructured
	record  *unstructured.Unstructured
	status  []byte
	event   *unstructured.Unstructured
}

// Run writes for every MarkdownView there is.
func (c *Client) Run(ctx context.Context) error {
	config := rest.CopyConfig(c.Config)
	config.QPS = -1
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("client: %w", err)
	}
	views, err := client.Resource(workload.GVR).List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("list MarkdownViews: %w", err)
	}
	books := make([]book, len(views.Items))
	for i := range views.Items {
		if books[i], err = c.prepare(&views.Items[i]); err != nil {
			return err
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(c.Workers)
	for _, b := range books {
		group.Go(func() error { return c.write(ctx, client, b) })
	}
	return group.Wait()
}

func (c *Client) prepare(view *unstructured.Unstructured) (book, error) {
	objects, record, err := workload.Release(c.Chart, view)
	if err != nil {
		return book{}, err
	}
	status, err := json.Marshal(map[string]any{"status": status(view)})
	if err != nil {
		return book{}, fmt.Errorf("status of %s: %w", view.GetName(), err)
	}
	return book{view: view, objects: objects, record: record, status: status, event: event(view)}, nil
}

func (c *Client) write(ctx context.Context, client dynamic.Interface, b book) error {
	for _, object := range append(b.objects, b.record) {
		resource := client.Resource(resources[object.GetKind()]).Namespace(object.GetNamespace())
		var err error
		if c.Apply {
			_, err = resource.Apply(ctx, object.GetName(), object, metav1.ApplyOptions{FieldManager: "bare", Force: true})
		} else {
			_, err = resource.Create(ctx, object, metav1.CreateOptions{})
		}
		if err != nil {
			return fmt.Errorf("%s %s: %w", object.GetKind(), object.GetName(), err)
		}
	}
	_, err := client.Resource(workload.GVR).Namespace(b.view.GetNamespace()).
		Patch(ctx, b.view.GetName(), types.MergePatchType, b.status, metav1.PatchOptions{}, "status")
	if err != nil {
		return fmt.Errorf("status of %s: %w", b.view.GetName(), err)
	}
	if _, err := client.Resource(events).Namespace(b.view.GetNamespace()).Create(ctx, b.event, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("event of %s: %w", b.view.GetName(), err)
	}
	return nil
}

var resources = map[string]schema.GroupVersionResource{
	"ConfigMap":           {Version: "v1", Resource: "configmaps"},
	"ServiceAccount":      {Version: "v1", Resource: "serviceaccounts"},
	"Service":             {Version: "v1", Resource: "services"},
	"Deployment":          {Group: "apps", Version: "v1", Resource: "deployments"},
	"PodDisruptionBudget": {Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"},
}

var events = schema.GroupVersionResource{Group: "events.k8s.io", Version: "v1", Resource: "events"}

func condition(kind, value string) map[string]any {
	return map[string]any{
		"type": kind, "status": value, "reason": "Applied", "message": "Release revision 1 is applied.",
		"observedGeneration": 1, "lastTransitionTime": time.Now().UTC().Format(time.RFC3339),
	}
}

// status is as long as the one that the operator writes.
func status(view *unstructured.Unstructured) map[string]any {
	hash, _, _ := unstructured.NestedString(workload.Values(view), "content", "hash")
	return map[string]any{
		"phase": "NotReady", "observedGeneration": 1, "replicas": 0, "readyReplicas": 0,
		"selector": "app.kubernetes.io/name=mdbook,app.kubernetes.io/instance=" + view.GetName(),
		"url":      fmt.Sprintf("http://viewer-%s.%s.svc", view.GetName(), view.GetNamespace()),
		"content":  map[string]any{"desired": hash},
		"release":  map[string]any{"name": view.GetName(), "revision": 1, "chartVersion": "0.1.0", "digest": "00000000000000000000000000000000"},
		"conditions": []any{
			condition("Released", "True"), condition("Available", "False"), condition("Ready", "False"), condition("Reconciling", "True"),
		},
	}
}

func event(view *unstructured.Unstructured) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "events.k8s.io/v1", "kind": "Event",
		"eventTime": time.Now().UTC().Format("2006-01-02T15:04:05.000000Z07:00"),
		"type":      "Normal", "reason": "Updated", "action": "Update",
		"note":                fmt.Sprintf("MarkdownView(%s:%s) updated: NotReady", view.GetNamespace(), view.GetName()),
		"reportingController": "bare", "reportingInstance": "bare-0",
		"regarding": map[string]any{
			"apiVersion": workload.GVK.GroupVersion().String(), "kind": workload.GVK.Kind,
			"namespace": view.GetNamespace(), "name": view.GetName(), "uid": string(view.GetUID()),
		},
	}}
	object.SetNamespace(view.GetNamespace())
	object.SetName(view.GetName() + ".updated")
	return object
}
