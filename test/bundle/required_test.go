// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// TestNothingNewIsRequired holds v1 to what its first version required, status included: OLM refuses
// an upgrade whose CRD an existing object does not fit.
func TestNothingNewIsRequired(t *testing.T) {
	var got []string
	var walk func(schema apiextensionsv1.JSONSchemaProps, prefix string)
	walk = func(schema apiextensionsv1.JSONSchemaProps, prefix string) {
		for _, name := range schema.Required {
			got = append(got, prefix+name)
		}
		for name, property := range schema.Properties {
			walk(property, prefix+name+".")
		}
		if schema.Items != nil && schema.Items.Schema != nil {
			walk(*schema.Items.Schema, prefix+"[].")
		}
	}
	walk(*crd(t).Spec.Versions[0].Schema.OpenAPIV3Schema, "")
	slices.Sort(got)
	want := []string{
		"spec", "spec.markdowns",
		"status.conditions.[].lastTransitionTime", "status.conditions.[].message", "status.conditions.[].reason",
		"status.conditions.[].status", "status.conditions.[].type",
		"status.release.chartVersion", "status.release.digest", "status.release.name", "status.release.revision",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("required fields (-first version +now):\n%s", diff)
	}
}
