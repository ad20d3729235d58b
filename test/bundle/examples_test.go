// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/book"
)

func examples(t *testing.T) []map[string]any {
	t.Helper()
	var objects []map[string]any
	if err := json.Unmarshal([]byte(csv(t).Annotations["alm-examples"]), &objects); err != nil {
		t.Fatalf("alm-examples: %v", err)
	}
	return objects
}

func TestEveryOwnedVersionHasAnExample(t *testing.T) {
	shown := map[string]bool{}
	for _, example := range examples(t) {
		version, _ := example["apiVersion"].(string)
		shown[version] = true
	}
	for _, version := range crd(t).Spec.Versions {
		if !shown["view.bobuhiro11.net/"+version.Name] {
			t.Errorf("alm-examples has none of version %s", version.Name)
		}
	}
}

// TestExamplesFitTheSchema finds what a console would offer and an API server refuse: wrong types,
// missing and unknown fields. The scorecard's own test sends them to a real API server as well.
func TestExamplesFitTheSchema(t *testing.T) {
	var internal apiextensions.JSONSchemaProps
	external := crd(t).Spec.Versions[0].Schema.OpenAPIV3Schema
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(external, &internal, nil); err != nil {
		t.Fatal(err)
	}
	validator, _, err := validation.NewSchemaValidator(&internal)
	if err != nil {
		t.Fatal(err)
	}
	structural, err := schema.NewStructural(&internal)
	if err != nil {
		t.Fatal(err)
	}
	for _, example := range examples(t) {
		if problems := validation.ValidateCustomResource(nil, example, validator); len(problems) > 0 {
			t.Errorf("%v: %v", example["metadata"], problems)
		}
		unknown := pruning.PruneWithOptions(example, structural, true, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
		if len(unknown) > 0 {
			t.Errorf("%v: unknown fields %v", example["metadata"], unknown)
		}
	}
}

func TestInitializationResourceIsAnExample(t *testing.T) {
	var resource map[string]any
	if err := json.Unmarshal([]byte(csv(t).Annotations["operatorframework.io/initialization-resource"]), &resource); err != nil {
		t.Fatal(err)
	}
	// The smallest example: it is what a person edits into a first book.
	name := func(object map[string]any) string { return (&unstructured.Unstructured{Object: object}).GetName() }
	i := slices.IndexFunc(examples(t), func(example map[string]any) bool { return name(example) == "markdownview-sample" })
	if i < 0 || name(resource) != "markdownview-sample" {
		t.Fatalf("the initialization resource is %s", name(resource))
	}
	if diff := cmp.Diff(examples(t)[i], resource); diff != "" {
		t.Errorf("initialization-resource against its example:\n%s", diff)
	}
}

// TestExamplesAreBooks finds an example whose pages are missing: the schema can't.
func TestExamplesAreBooks(t *testing.T) {
	for _, example := range examples(t) {
		var view viewv1.MarkdownView
		if err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(example, &view, true); err != nil {
			t.Fatal(err)
		}
		for _, finding := range book.Check(view.Spec.Markdowns, view.Spec.AssetBytes()) {
			t.Errorf("%s: %v", view.Name, finding)
		}
	}
}
