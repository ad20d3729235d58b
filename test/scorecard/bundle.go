// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/operator-framework/api/pkg/manifests"
	"github.com/operator-framework/api/pkg/operators/v1alpha1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Bundle is what the tests read of an OLM bundle.
type Bundle struct {
	CSV  *v1alpha1.ClusterServiceVersion
	CRDs []*apiextensionsv1.CustomResourceDefinition
}

// LoadBundle reads a bundle's folder. It is an error if there is no ClusterServiceVersion in it.
func LoadBundle(folder string) (Bundle, error) {
	loaded, err := manifests.GetBundleFromDir(folder)
	if err != nil {
		return Bundle{}, fmt.Errorf("read the bundle in %s: %w", folder, err)
	}
	return Bundle{CSV: loaded.CSV, CRDs: loaded.V1CRDs}, nil
}

// Examples returns the objects of alm-examples.
func (b Bundle) Examples() ([]*unstructured.Unstructured, error) {
	var contents []map[string]any
	if err := json.Unmarshal([]byte(b.CSV.Annotations["alm-examples"]), &contents); err != nil {
		return nil, fmt.Errorf("alm-examples: %w", err)
	}
	objects := make([]*unstructured.Unstructured, len(contents))
	for i, content := range contents {
		objects[i] = &unstructured.Unstructured{Object: content}
	}
	return objects, nil
}

// Descriptors says which fields of the schema have no descriptor, and which descriptors no field.
func (b Bundle) Descriptors() []string {
	var problems []string
	for _, owned := range b.CSV.Spec.CustomResourceDefinitions.Owned {
		schema := b.schema(owned.Name, owned.Version)
		if schema == nil {
			problems = append(problems, fmt.Sprintf("the bundle has no CRD %s with version %s, which the ClusterServiceVersion owns", owned.Name, owned.Version))
			continue
		}
		var spec, status []string
		for _, descriptor := range owned.SpecDescriptors {
			spec = append(spec, descriptor.Path)
		}
		for _, descriptor := range owned.StatusDescriptors {
			status = append(status, descriptor.Path)
		}
		problems = append(problems, differences("spec", fields(schema.Properties["spec"], ""), spec)...)
		problems = append(problems, differences("status", fields(schema.Properties["status"], ""), status)...)
	}
	return problems
}

func (b Bundle) schema(name, version string) *apiextensionsv1.JSONSchemaProps {
	for _, crd := range b.CRDs {
		for _, served := range crd.Spec.Versions {
			if crd.Name == name && served.Name == version && served.Schema != nil {
				return served.Schema.OpenAPIV3Schema
			}
		}
	}
	return nil
}

// fields lists the paths below a schema, in a descriptor's notation.
func fields(schema apiextensionsv1.JSONSchemaProps, prefix string) []string {
	var paths []string
	for name, property := range schema.Properties {
		path := strings.TrimPrefix(prefix+"."+name, ".")
		paths = append(paths, path)
		paths = append(paths, fields(property, path)...)
	}
	slices.Sort(paths)
	return paths
}

func differences(part string, schema, descriptors []string) []string {
	var problems []string
	for _, field := range schema {
		if !slices.Contains(descriptors, field) {
			problems = append(problems, fmt.Sprintf("%s.%s has no descriptor", part, field))
		}
	}
	for _, path := range descriptors {
		if !slices.Contains(schema, path) {
			problems = append(problems, fmt.Sprintf("the descriptor of %s.%s describes no field", part, path))
		}
	}
	return problems
}
