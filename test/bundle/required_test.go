// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
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

// TestOneOldestKubernetes: OLM installs the operator where the CSV says, and Helm renders the chart where the
// chart says; a cluster that only one of them takes has an operator without a book.
func TestOneOldestKubernetes(t *testing.T) {
	chart, err := os.ReadFile("../../helm-charts/markdownview/Chart.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var metadata struct {
		KubeVersion string `json:"kubeVersion"`
	}
	if err := yaml.Unmarshal(chart, &metadata); err != nil {
		t.Fatal(err)
	}
	if want := ">=" + csv(t).Spec.MinKubeVersion + "-0"; metadata.KubeVersion != want {
		t.Errorf("the chart's kubeVersion is %s, want %s, as the CSV has it", metadata.KubeVersion, want)
	}
}
