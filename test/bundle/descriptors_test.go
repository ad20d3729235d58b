// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/operator-framework/api/pkg/operators/v1alpha1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/bobuhiro11/markdown-view/internal/render"
)

// paths lists the fields below a schema in a descriptor's notation: "content.desired". An array's
// items and a map's values have no path of their own: one descriptor stands for them.
func paths(schema apiextensionsv1.JSONSchemaProps, prefix string) []string {
	var found []string
	for name, property := range schema.Properties {
		path := strings.TrimPrefix(prefix+"."+name, ".")
		found = append(found, path)
		found = append(found, paths(property, path)...)
	}
	slices.Sort(found)
	return found
}

func TestDescriptorsAreTheSchema(t *testing.T) {
	versions := crd(t).Spec.Versions
	owned := csv(t).Spec.CustomResourceDefinitions.Owned
	if len(owned) != len(versions) {
		t.Fatalf("the CRD serves %d versions, the ClusterServiceVersion owns %d", len(versions), len(owned))
	}
	for i, version := range versions {
		description := owned[i]
		if description.Version != version.Name || description.Description == "" || description.DisplayName == "" {
			t.Errorf("owned[%d] is %q, displayed as %q: %q", i, description.Version, description.DisplayName, description.Description)
		}
		var spec, status []string
		for _, d := range description.SpecDescriptors {
			spec = append(spec, d.Path)
			if d.Description == "" || d.DisplayName == "" || len(d.XDescriptors) == 0 {
				t.Errorf("spec.%s has no description, no name or no x-descriptor", d.Path)
			}
		}
		for _, d := range description.StatusDescriptors {
			status = append(status, d.Path)
			if d.Description == "" || d.DisplayName == "" || strings.Contains(d.DisplayName, ".") || len(d.XDescriptors) == 0 {
				t.Errorf("status.%s has no description, no name or no x-descriptor", d.Path)
			}
		}
		slices.Sort(spec)
		slices.Sort(status)
		schema := version.Schema.OpenAPIV3Schema
		if diff := cmp.Diff(paths(schema.Properties["spec"], ""), spec); diff != "" {
			t.Errorf("spec descriptors (-field of the schema +descriptor):\n%s", diff)
		}
		if diff := cmp.Diff(paths(schema.Properties["status"], ""), status); diff != "" {
			t.Errorf("status descriptors (-field of the schema +descriptor):\n%s", diff)
		}
	}
}

// TestOwnedResourcesAreWhatABookBecomes: consoles list these below a MarkdownView. The operator makes what the
// chart may render and Events; the Deployment makes the Pods.
func TestOwnedResourcesAreWhatABookBecomes(t *testing.T) {
	want := []v1alpha1.APIResourceReference{{Kind: "Event", Version: "v1"}, {Kind: "Pod", Version: "v1"}}
	for _, kind := range render.Kinds() {
		want = append(want, v1alpha1.APIResourceReference{Kind: kind.Kind, Version: kind.Version})
	}
	slices.SortFunc(want, func(a, b v1alpha1.APIResourceReference) int { return strings.Compare(a.Kind, b.Kind) })
	for _, owned := range csv(t).Spec.CustomResourceDefinitions.Owned {
		if diff := cmp.Diff(want, owned.Resources); diff != "" {
			t.Errorf("resources of %s (-made +listed):\n%s", owned.Name, diff)
		}
	}
}

func TestCRDIsTheOneOfConfig(t *testing.T) {
	ours := read[apiextensionsv1.CustomResourceDefinition](t, root+"/config/crd/bases/view.bobuhiro11.net_markdownviews.yaml")
	bundled := crd(t)
	if diff := cmp.Diff(ours.Spec, bundled.Spec); diff != "" {
		t.Errorf("CRD of config/ and of the bundle:\n%s", diff)
	}
}
