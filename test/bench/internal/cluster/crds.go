// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"fmt"
	"os"
	"path/filepath"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

// readCRDs reads the CustomResourceDefinitions of a folder. With openStatus, their status takes any
// field: the peer writes conditions of its own form, which the product's schema rightly refuses.
func readCRDs(folder string, openStatus bool) ([]*apiextensionsv1.CustomResourceDefinition, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no CustomResourceDefinition in %s: %w", folder, err)
	}
	var crds []*apiextensionsv1.CustomResourceDefinition
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.UnmarshalStrict(data, crd); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if openStatus {
			yes := true
			for i := range crd.Spec.Versions {
				crd.Spec.Versions[i].Schema.OpenAPIV3Schema.Properties["status"] = apiextensionsv1.JSONSchemaProps{
					Type: "object", XPreserveUnknownFields: &yes,
				}
				crd.Spec.Versions[i].AdditionalPrinterColumns = nil
			}
		}
		crds = append(crds, crd)
	}
	return crds, nil
}
