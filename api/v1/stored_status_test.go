// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package v1_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/google/go-cmp/cmp"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/apiservertest"
)

// TestStatusOfTheTutorialsType stores an object while the CRD has the tutorial's schema, in which
// status is a string, then installs the CRD of today. A typed informer must list that object and
// see the next one too: one object that it could not decode would stop it for all.
func TestStatusOfTheTutorialsType(t *testing.T) {
	ctx := t.Context()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{viewv1.AddToScheme, apiextensionsv1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	c, err := client.New(server.Config, client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	today := currentCRD(t)
	tutorials := today.DeepCopy().Spec.Versions[0]
	tutorials.Schema.OpenAPIV3Schema.Properties["status"] = apiextensionsv1.JSONSchemaProps{Type: "string"}
	tutorials.Subresources.Scale = nil // it reads status as an object
	install(ctx, t, c, today.Name, tutorials)
	storeWithStatus(ctx, t, c, "from-the-tutorial", "Healthy")
	install(ctx, t, c, today.Name, today.Spec.Versions[0])

	seen := informerSees(ctx, t, scheme)
	// The old status is read as none, so that the operator's first patch holds a whole one.
	if diff := cmp.Diff(map[string]string{"from-the-tutorial": ""}, seen()); diff != "" {
		t.Errorf("phases that the informer sees (-want +got):\n%s", diff)
	}

	later := book("later")
	if err := c.Create(ctx, later); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"from-the-tutorial": "", "later": ""}
	// What it saw last is compared below.
	_ = wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, 10*time.Second, true, func(context.Context) (bool, error) {
		return cmp.Equal(want, seen()), nil
	})
	if diff := cmp.Diff(want, seen()); diff != "" {
		t.Errorf("phases after another object was created (-want +got):\n%s", diff)
	}

	// The operator replaces the status, as it does at first sight; from then on the author can change
	// the spec (before, the scale subresource finds no status.replicas and refuses).
	key := types.NamespacedName{Namespace: metav1.NamespaceDefault, Name: "from-the-tutorial"}
	var old viewv1.MarkdownView
	if err := c.Get(ctx, key, &old); err != nil {
		t.Fatal(err)
	}
	status := []byte(`{"status": {"phase": "Available", "observedGeneration": 1}}`)
	if err := c.Status().Patch(ctx, &old, client.RawPatch(types.MergePatchType, status)); err != nil {
		t.Errorf("replace the status: %v", err)
	}
	replicas := []byte(`{"spec": {"replicas": 3}}`)
	if err := c.Patch(ctx, &old, client.RawPatch(types.MergePatchType, replicas)); err != nil {
		t.Errorf("change the spec: %v", err)
	}
	if old.Status.Phase != viewv1.PhaseAvailable || *old.Spec.Replicas != 3 {
		t.Errorf("after both: phase %q, replicas %d", old.Status.Phase, *old.Spec.Replicas)
	}
	if err := c.DeleteAllOf(ctx, &viewv1.MarkdownView{}, client.InNamespace(metav1.NamespaceDefault)); err != nil {
		t.Fatal(err)
	}
}

// informerSees starts a typed informer and returns a function that lists name -> phase.
func informerSees(ctx context.Context, t *testing.T, scheme *runtime.Scheme) func() map[string]string {
	t.Helper()
	informers, err := cache.New(server.Config, cache.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = informers.Start(ctx) }()
	list := func() map[string]string {
		var views viewv1.MarkdownViewList
		if err := informers.List(ctx, &views); err != nil {
			t.Fatal(err)
		}
		phases := map[string]string{}
		for _, view := range views.Items {
			phases[view.Name] = view.Status.Phase
		}
		return phases
	}
	if _, err := informers.GetInformer(ctx, &viewv1.MarkdownView{}, cache.BlockUntilSynced(false)); err != nil {
		t.Fatal(err)
	}
	synced, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if !informers.WaitForCacheSync(synced) {
		t.Fatal("the informer did not sync: it cannot decode what is stored")
	}
	return list
}

func currentCRD(t *testing.T) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(apiservertest.CRDs(), "view.bobuhiro11.net_markdownviews.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict(text, crd); err != nil {
		t.Fatal(err)
	}
	return crd
}

// install changes the version that the CRD serves, and waits until the API server takes a status
// of that version's type.
func install(ctx context.Context, t *testing.T, c client.Client, name string, version apiextensionsv1.CustomResourceDefinitionVersion) {
	t.Helper()
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := c.Get(ctx, client.ObjectKey{Name: name}, crd); err != nil {
		t.Fatal(err)
	}
	crd.Spec.Versions[0] = version
	if err := c.Update(ctx, crd); err != nil {
		t.Fatal(err)
	}
	if err := c.Create(ctx, book("probe")); err != nil {
		t.Fatal(err)
	}
	value := `"Healthy"`
	if version.Schema.OpenAPIV3Schema.Properties["status"].Type == "object" {
		value = `{"phase": "Healthy"}`
	}
	patch := client.RawPatch(types.MergePatchType, []byte(`{"status": `+value+`}`))
	var last error
	err := wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, 10*time.Second, true, func(ctx context.Context) (bool, error) {
		last = c.Status().Patch(ctx, raw("probe"), patch)
		return last == nil, nil
	})
	if err != nil {
		t.Fatalf("the API server does not serve the changed schema: %v", last)
	}
	if err := c.Delete(ctx, raw("probe")); err != nil {
		t.Fatal(err)
	}
}

// storeWithStatus creates a MarkdownView whose status is a plain string.
func storeWithStatus(ctx context.Context, t *testing.T, c client.Client, name, status string) {
	t.Helper()
	if err := c.Create(ctx, book(name)); err != nil {
		t.Fatal(err)
	}
	patch := client.RawPatch(types.MergePatchType, []byte(`{"status": "`+status+`"}`))
	stored := raw(name)
	if err := c.Status().Patch(ctx, stored, patch); err != nil {
		t.Fatal(err)
	}
	if got, _, _ := unstructured.NestedString(stored.Object, "status"); got != status {
		t.Fatalf("the stored status is %q, want the string %q", got, status)
	}
}

func book(name string) *viewv1.MarkdownView {
	return &viewv1.MarkdownView{
		ObjectMeta: metav1.ObjectMeta{Namespace: metav1.NamespaceDefault, Name: name},
		Spec:       viewv1.MarkdownViewSpec{Markdowns: map[string]string{viewv1.SummaryPath: ""}},
	}
}

// raw names an object for calls in which the typed one would read the answer.
func raw(name string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(viewv1.GroupVersion.WithKind("MarkdownView"))
	object.SetNamespace(metav1.NamespaceDefault)
	object.SetName(name)
	return object
}
