// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package config

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/chartutil"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	markdownview "github.com/bobuhiro11/markdown-view"
	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/live"
	"github.com/bobuhiro11/markdown-view/internal/render"
	"github.com/bobuhiro11/markdown-view/internal/values"
)

// rendered lists the kinds of everything that the chart makes of a book which uses every field.
func rendered(t *testing.T) []string {
	t.Helper()
	chart, err := render.LoadChart(markdownview.Files, "helm-charts/markdownview")
	if err != nil {
		t.Fatal(err)
	}
	view := viewv1.MarkdownView{}
	view.Namespace, view.Name = "default", "book"
	view.Spec.Replicas = new(int32(3))
	view.Spec.Markdowns = map[string]string{viewv1.SummaryPath: "- [One](one.md)", "one.md": "# One", viewv1.SettingsPath: ""}
	view.Spec.Assets = map[string]viewv1.Base64{"image.png": "aGVsbG8="}
	chartValues, _ := values.For(&view, values.Images{Viewer: "viewer:v1", Server: "server:v1"}, nil)
	objects, err := render.Objects(render.Request{
		Chart: chart, Values: chartValues, Owner: render.OwnerOf(&view), Capabilities: chartutil.DefaultCapabilities,
	})
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, object := range objects {
		kinds = append(kinds, object.GroupVersionKind().GroupKind().String())
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// TestOneSetOfKinds holds four lists together: what the chart renders, what the operator accepts
// from a chart, what it caches (pods besides, for why a book does not build), and what the role lets
// it write.
func TestOneSetOfKinds(t *testing.T) {
	chart := rendered(t)

	var accepted []string
	resources := map[string]string{}
	for _, kind := range render.Kinds() {
		name := kind.GroupKind().String()
		accepted = append(accepted, name)
		resources[kind.GroupVersionResource().GroupResource().String()] = name
	}
	slices.Sort(accepted)
	if diff := cmp.Diff(chart, accepted); diff != "" {
		t.Errorf("kinds (-rendered by the chart +accepted from it):\n%s", diff)
	}

	var cached []string
	for _, object := range live.Kinds(false) {
		gvk, err := apiutil.GVKForObject(object, scheme.Scheme)
		if err != nil {
			t.Fatal(err)
		}
		if name := gvk.GroupKind().String(); name != "Pod" {
			cached = append(cached, name)
		}
	}
	slices.Sort(cached)
	if diff := cmp.Diff(chart, slices.Compact(cached)); diff != "" {
		t.Errorf("kinds (-rendered by the chart +cached):\n%s", diff)
	}

	var written []string
	role := into[rbacv1.ClusterRole](t, renderTree(t, "../../config/default").named(t, "ClusterRole", "markdown-view-manager-role"))
	for resource, verbs := range granted(role.Rules) {
		if !slices.Contains(verbs, "delete") {
			continue
		}
		if diff := cmp.Diff([]string{"create", "delete", "get", "list", "patch", "watch"}, verbs); diff != "" {
			t.Errorf("verbs on %s (-want +got):\n%s", resource, diff)
		}
		written = append(written, resources[resource])
	}
	slices.Sort(written)
	if diff := cmp.Diff(chart, written); diff != "" {
		t.Errorf("kinds (-rendered by the chart +written by the role):\n%s", diff)
	}
}
