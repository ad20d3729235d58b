// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package config

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// tree is what one kustomization renders.
type tree []unstructured.Unstructured

// renderTree builds a kustomization, given by its path from this folder.
func renderTree(t *testing.T, path string) tree {
	t.Helper()
	rendered, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), path)
	if err != nil {
		t.Fatalf("kustomize build %s: %v", path, err)
	}
	var objects tree
	for _, resource := range rendered.Resources() {
		content, err := resource.Map()
		if err != nil {
			t.Fatalf("%s: %v", resource.CurId(), err)
		}
		objects = append(objects, unstructured.Unstructured{Object: content})
	}
	return objects
}

// uncommented returns the path of a config/default in which the comment signs before these components are gone, as
// its comments say to do it.
func uncommented(t *testing.T, components ...string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("../../config")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "default", "kustomization.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, component := range components {
		commented := []byte("\n#- ../components/" + component + "\n")
		if !bytes.Contains(text, commented) {
			t.Fatalf("config/default has no comment for the component %s", component)
		}
		text = bytes.Replace(text, commented, bytes.Replace(commented, []byte("#"), nil, 1), 1)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(file)
}

// of returns the objects of one kind.
func (objects tree) of(kind string) tree {
	var found tree
	for _, object := range objects {
		if object.GetKind() == kind {
			found = append(found, object)
		}
	}
	return found
}

// named returns the one object of a kind and a name.
func (objects tree) named(t *testing.T, kind, name string) unstructured.Unstructured {
	t.Helper()
	for _, object := range objects.of(kind) {
		if object.GetName() == name {
			return object
		}
	}
	t.Fatalf("no %s named %s is rendered", kind, name)
	return unstructured.Unstructured{}
}

// into converts an object to its typed form; a field that the type does not have is an error, as it
// is for an API server with strict validation.
func into[T any](t *testing.T, object unstructured.Unstructured) T {
	t.Helper()
	var typed T
	if err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(object.Object, &typed, true); err != nil {
		t.Fatalf("%s %s: %v", object.GetKind(), object.GetName(), err)
	}
	return typed
}
