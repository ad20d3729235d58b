// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/chartutil"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	markdownview "github.com/bobuhiro11/markdown-view"
	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/render"
	"github.com/bobuhiro11/markdown-view/internal/values"
)

// A Deployment's selector is immutable: were one to change, no upgrade would go through. The literals
// below are those of the first version, and never follow the code.

func TestManagersSelectorNeverChanges(t *testing.T) {
	want := &metav1.LabelSelector{MatchLabels: map[string]string{
		"control-plane":          "controller-manager",
		"app.kubernetes.io/name": "markdown-view",
	}}
	got := csv(t).Spec.InstallStrategy.StrategySpec.DeploymentSpecs[0].Spec.Selector
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the manager's selector (-first version +now):\n%s", diff)
	}
}

func TestViewersSelectorNeverChanges(t *testing.T) {
	want := &metav1.LabelSelector{MatchLabels: map[string]string{
		"app.kubernetes.io/name":       "mdbook",
		"app.kubernetes.io/instance":   "book",
		"app.kubernetes.io/created-by": "markdown-view-controller",
	}}
	if diff := cmp.Diff(want, viewer(t).Spec.Selector); diff != "" {
		t.Errorf("a book's selector (-first version +now):\n%s", diff)
	}
}

// viewer renders the Deployment of a MarkdownView named book.
func viewer(t *testing.T) appsv1.Deployment {
	t.Helper()
	chart, err := render.LoadChart(markdownview.Files, "helm-charts/markdownview")
	if err != nil {
		t.Fatal(err)
	}
	view := viewv1.MarkdownView{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "book"}}
	view.Spec.Markdowns = map[string]string{viewv1.SummaryPath: ""}
	chartValues, _ := values.For(&view, values.Images{Viewer: "viewer:v1", Server: "server:v1"}, nil)
	objects, err := render.Objects(render.Request{
		Chart: chart, Values: chartValues, Owner: render.OwnerOf(&view), Capabilities: chartutil.DefaultCapabilities,
	})
	if err != nil {
		t.Fatal(err)
	}
	var deployment appsv1.Deployment
	for _, object := range objects {
		if object.GetKind() != "Deployment" {
			continue
		}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &deployment); err != nil {
			t.Fatal(err)
		}
	}
	return deployment
}
