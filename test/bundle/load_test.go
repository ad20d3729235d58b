// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/operator-framework/api/pkg/manifests"
	"github.com/operator-framework/api/pkg/operators/v1alpha1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

const (
	root = "../.."
	// folder of the bundle, as committed.
	folder  = root + "/bundle"
	csvFile = folder + "/manifests/markdown-view.clusterserviceversion.yaml"
	crdFile = folder + "/manifests/view.bobuhiro11.net_markdownviews.yaml"
)

// read decodes a YAML file; a field that the type does not have is an error.
func read[T any](t *testing.T, path string) T {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var value T
	if err := yaml.UnmarshalStrict(data, &value); err != nil {
		t.Fatalf("%s: %v", filepath.Base(path), err)
	}
	return value
}

func csv(t *testing.T) v1alpha1.ClusterServiceVersion {
	t.Helper()
	return read[v1alpha1.ClusterServiceVersion](t, csvFile)
}

func crd(t *testing.T) apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	return read[apiextensionsv1.CustomResourceDefinition](t, crdFile)
}

func load(t *testing.T) *manifests.Bundle {
	t.Helper()
	bundle, err := manifests.GetBundleFromDir(folder)
	if err != nil {
		t.Fatalf("the bundle does not load: %v", err)
	}
	return bundle
}
