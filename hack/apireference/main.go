// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Command apireference writes the API reference of docs/ from what the API server enforces (the
// CRD's schema) and from the names that a client may see (api/v1/names.go).
//
// Generators of CRD documentation print a CEL rule as it stands; what an author meets is the rule's
// message, and the reasons of conditions are in no schema. Hence this one.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	crd := flag.String("crd", "config/crd/bases/view.bobuhiro11.net_markdownviews.yaml", "the CRD")
	names := flag.String("names", "api/v1/names.go", "the Go file of conditions, reasons and annotations")
	out := flag.String("out", "docs/src/reference", "folder to write into")
	flag.Parse()
	if err := write(*crd, *names, *out); err != nil {
		fmt.Fprintln(os.Stderr, "apireference:", err)
		os.Exit(1)
	}
}

func write(crdFile, namesFile, out string) error {
	crd, err := readCRD(crdFile)
	if err != nil {
		return err
	}
	groups, err := readNames(namesFile)
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(out, "api.md"), []byte(fieldsPage(crd)), 0o644),
		os.WriteFile(filepath.Join(out, "names.md"), []byte(namesPage(groups)), 0o644),
	)
}

func readCRD(file string) (*apiextensionsv1.CustomResourceDefinition, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict(text, crd); err != nil {
		return nil, fmt.Errorf("read the CRD %s: %w", file, err)
	}
	if len(crd.Spec.Versions) != 1 {
		return nil, fmt.Errorf("the CRD %s has %d versions; this generator knows how to document one", file, len(crd.Spec.Versions))
	}
	return crd, nil
}
