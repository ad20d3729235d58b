// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"helm.sh/helm/v3/pkg/releaseutil"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// Parse reads a manifest of several YAML documents, as Helm records it, and returns its objects in
// order. An object of a kind that a chart may not render, or of another namespace, is an error.
func Parse(manifest, namespace string) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	for _, document := range documentsOf(manifest) {
		object, err := parseOne(document, namespace)
		if err != nil {
			return nil, err
		}
		if object != nil {
			objects = append(objects, object)
		}
	}
	return objects, nil
}

// documentsOf splits a manifest line by line. Helm's own way, a regular expression, takes as long as
// all the rest of Parse; it is used for what only it can split (a separator with text behind it).
func documentsOf(manifest string) []string {
	var documents []string
	reader := utilyaml.NewYAMLReader(bufio.NewReader(strings.NewReader(manifest)))
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return documents
		}
		if err != nil {
			break
		}
		documents = append(documents, string(document))
	}
	documents = nil
	_ = eachDocument(manifest, func(document string) error {
		documents = append(documents, document)
		return nil
	})
	return documents
}

// Sanitize returns what of a recorded manifest a chart could have rendered for that namespace. A
// record can be edited by anyone who may write ConfigMaps there, so the rest is dropped unseen.
func Sanitize(manifest, namespace string) string {
	var kept strings.Builder
	_ = eachDocument(manifest, func(document string) error {
		if object, err := parseOne(document, namespace); err == nil && object != nil {
			kept.WriteString("---\n" + document + "\n")
		}
		return nil
	})
	return kept.String()
}

func eachDocument(manifest string, visit func(string) error) error {
	documents := releaseutil.SplitManifests(manifest)
	for i := range len(documents) {
		if err := visit(documents[fmt.Sprintf("manifest-%d", i)]); err != nil {
			return err
		}
	}
	return nil
}

// parseOne returns the object of one document, or nil for a document without content.
func parseOne(document, namespace string) (*unstructured.Unstructured, error) {
	var content map[string]any
	if err := yaml.Unmarshal([]byte(document), &content); err != nil {
		return nil, fmt.Errorf("not YAML: %w", err)
	}
	if len(content) == 0 {
		return nil, nil //nolint:nilnil // A document of comments alone is neither an object nor an error.
	}
	object := &unstructured.Unstructured{Object: content}
	if _, ok := KindOf(object.GroupVersionKind()); !ok {
		return nil, fmt.Errorf("%s is not a kind that a chart may render; Kinds in package render lists them", object.GroupVersionKind())
	}
	if object.GetName() == "" {
		return nil, fmt.Errorf("%s without metadata.name", object.GetKind())
	}
	if ns := object.GetNamespace(); ns != "" && ns != namespace {
		return nil, fmt.Errorf("%s %s is for namespace %s; a release stays in its own, %s", object.GetKind(), object.GetName(), ns, namespace)
	}
	return object, nil
}
