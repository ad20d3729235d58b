// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package release

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"helm.sh/helm/v3/pkg/kube"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"github.com/bobuhiro11/markdown-view/internal/plan"
	"github.com/bobuhiro11/markdown-view/internal/render"
)

// hookAnnotation marks an object that Helm runs at a step of an action; it is no part of the
// release's state.
const hookAnnotation = "helm.sh/hook"

// kubeClient is what Helm's actions see of the cluster in one run. Helm's own client asks for
// discovery and OpenAPI documents and GETs every object before it PATCHes it; this one asks nothing
// that the plan already knows.
type kubeClient struct {
	run *run
}

var (
	_ kube.Interface                    = &kubeClient{}
	_ kube.InterfaceDeletionPropagation = &kubeClient{}
)

// IsReachable asks nothing: the first write finds out.
func (c *kubeClient) IsReachable() error { return nil }

// Build parses a manifest. A kind that no chart may render is an error.
func (c *kubeClient) Build(reader io.Reader, _ bool) (kube.ResourceList, error) {
	manifest, err := io.ReadAll(reader)
	if err != nil {
		return nil, err
	}
	objects, err := render.Parse(string(manifest), c.run.request.Owner.Namespace)
	if err != nil {
		return nil, err
	}
	list := make(kube.ResourceList, 0, len(objects))
	for _, object := range objects {
		render.Mark(object, c.run.request.Owner)
		kind, _ := render.KindOf(object.GroupVersionKind())
		list = append(list, &resource.Info{
			Client: nothingExists,
			Mapping: &meta.RESTMapping{
				Resource: kind.GroupVersionResource(), GroupVersionKind: kind.GroupVersionKind, Scope: meta.RESTScopeNamespace,
			},
			Namespace: object.GetNamespace(), Name: object.GetName(), Object: object,
		})
	}
	return list, nil
}

// Create applies the objects of an install, or of a hook.
func (c *kubeClient) Create(resources kube.ResourceList) (*kube.Result, error) {
	if err := c.run.apply(objectsOf(resources)); err != nil {
		return &kube.Result{}, c.run.store.fail(err)
	}
	return &kube.Result{Created: resources}, nil
}

// Update applies target and deletes what of ours is not in it. The recorded manifest (original) is
// not believed.
func (c *kubeClient) Update(_, target kube.ResourceList, _ bool) (*kube.Result, error) {
	if err := c.run.apply(objectsOf(target)); err != nil {
		return &kube.Result{}, c.run.store.fail(err)
	}
	if err := c.run.deleteSurplus(); err != nil {
		return &kube.Result{}, c.run.store.fail(err)
	}
	return &kube.Result{Updated: target}, nil
}

// Delete deletes what of the resources exists and is the owner's. Hooks, which are not observed, are
// asked for: the chart's own hooks are few.
func (c *kubeClient) Delete(resources kube.ResourceList) (*kube.Result, []error) {
	named := map[plan.Ref]bool{}
	for _, info := range resources {
		if object, ok := info.Object.(*unstructured.Unstructured); ok && object.GetAnnotations()[hookAnnotation] != "" {
			if err := c.run.deleteHook(object); err != nil {
				return &kube.Result{}, []error{c.run.store.fail(err)}
			}
			continue
		}
		named[plan.Ref{Kind: info.Mapping.GroupVersionKind.Kind, Name: info.Name}] = true
	}
	var objects []plan.Live
	for _, object := range c.run.request.Input.Live {
		if named[object.Ref] && !object.Deleting {
			objects = append(objects, object)
		}
	}
	if err := c.run.delete(objects); err != nil {
		return &kube.Result{}, []error{c.run.store.fail(err)}
	}
	return &kube.Result{Deleted: resources}, nil
}

// DeleteWithPropagationPolicy is Delete; the policy is always background.
func (c *kubeClient) DeleteWithPropagationPolicy(resources kube.ResourceList, _ metav1.DeletionPropagation) (*kube.Result, []error) {
	return c.Delete(resources)
}

// Wait does not wait: a worker is never held up by a rollout. Package health reads how it goes.
func (c *kubeClient) Wait(kube.ResourceList, time.Duration) error { return nil }

// WaitWithJobs does not wait; see Wait.
func (c *kubeClient) WaitWithJobs(kube.ResourceList, time.Duration) error { return nil }

// WatchUntilReady is asked about hooks. Every kind that a chart may render is ready once it exists.
func (c *kubeClient) WatchUntilReady(kube.ResourceList, time.Duration) error { return nil }

// WaitAndGetCompletedPodPhase is for `helm test`, which the operator does not run.
func (c *kubeClient) WaitAndGetCompletedPodPhase(name string, _ time.Duration) (corev1.PodPhase, error) {
	return "", fmt.Errorf("pod %s: chart tests are not run by the operator", name)
}

func objectsOf(resources kube.ResourceList) []*unstructured.Unstructured {
	objects := make([]*unstructured.Unstructured, 0, len(resources))
	for _, info := range resources {
		objects = append(objects, info.Object.(*unstructured.Unstructured)) //nolint:forcetypeassert // Build made every Info of the list.
	}
	return objects
}

// nothingExists is the resource.Info client that Helm's actions see. Before it creates, Helm GETs
// every object to find foreign ones; the guard of each write does that without a request and without
// a race, so here every GET answers "not found".
var nothingExists = newNothingExists()

func newNothingExists() resource.RESTClient {
	config := rest.ClientContentConfig{
		ContentType:  runtime.ContentTypeJSON,
		GroupVersion: corev1.SchemeGroupVersion,
		Negotiator:   runtime.NewClientNegotiator(scheme.Codecs.WithoutConversion(), corev1.SchemeGroupVersion),
	}
	client, err := rest.NewRESTClient(&url.URL{Scheme: "http", Host: "localhost"}, "", config, nil, &http.Client{Transport: notFound{}})
	if err != nil {
		panic(fmt.Sprintf("release: a REST client without a server cannot fail: %v", err))
	}
	return client
}

type notFound struct{}

func (notFound) RoundTrip(request *http.Request) (*http.Response, error) {
	const status = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`
	return &http.Response{
		StatusCode: http.StatusNotFound, Request: request, Body: io.NopCloser(strings.NewReader(status)),
		Header: http.Header{"Content-Type": []string{runtime.ContentTypeJSON}},
	}, nil
}
