// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	operatorsv1 "github.com/operator-framework/api/pkg/operators/v1"
	operatorsv1alpha1 "github.com/operator-framework/api/pkg/operators/v1alpha1"
	"github.com/yuin/goldmark/ast"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// What people apply to install through OLM has the fields that OLM knows, and the package's names.
func TestOLMObjects(t *testing.T) {
	kinds := map[string]func() any{
		"CatalogSource": func() any { return &operatorsv1alpha1.CatalogSource{} },
		"Subscription":  func() any { return &operatorsv1alpha1.Subscription{} },
		"OperatorGroup": func() any { return &operatorsv1.OperatorGroup{} },
		"Namespace":     func() any { return &corev1.Namespace{} },
	}
	seen := map[string]int{}
	for _, document := range yamlDocuments(t, "src/admin/olm.md") {
		var about metav1.TypeMeta
		if err := yaml.Unmarshal(document, &about); err != nil {
			t.Fatal(err)
		}
		typed, known := kinds[about.Kind]
		if !known {
			t.Errorf("olm.md has a %s, which this test does not know", about.Kind)
			continue
		}
		seen[about.Kind]++
		object := typed()
		if err := yaml.UnmarshalStrict(document, object); err != nil {
			t.Errorf("%s in olm.md: %v", about.Kind, err)
		}
		if s, ok := object.(*operatorsv1alpha1.Subscription); ok && (s.Spec.Package != "markdown-view" || s.Spec.Channel != "stable") {
			t.Errorf("the Subscription in olm.md is for package %s, channel %s", s.Spec.Package, s.Spec.Channel)
		}
	}
	if diff := cmp.Diff(map[string]int{"CatalogSource": 1, "Subscription": 2, "OperatorGroup": 1, "Namespace": 1}, seen); diff != "" {
		t.Errorf("objects in olm.md (-want +got):\n%s", diff)
	}
}

// yamlDocuments returns the documents of all YAML blocks of a page.
func yamlDocuments(t *testing.T, file string) [][]byte {
	t.Helper()
	source := []byte(read(t, file))
	var documents [][]byte
	err := ast.Walk(parse(source), func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if block, ok := node.(*ast.FencedCodeBlock); ok && entering && string(block.Language(source)) == "yaml" {
			documents = append(documents, bytes.Split(block.Lines().Value(source), []byte("\n---\n"))...)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return documents
}

// versionInGraph is a version's box in the drawing; the text's height tells the channel.
var versionInGraph = regexp.MustCompile(`<text class="t" x="\d+" y="(\d+)">(v[0-9.]+)</text>`)

// The drawing of the upgrade graph shows the channels of the catalogue.
func TestUpgradeGraph(t *testing.T) {
	rows := map[string]string{"61": "candidate", "141": "stable"}
	drawn := map[string][]string{}
	for _, match := range versionInGraph.FindAllStringSubmatch(read(t, "src/images/upgrade-graph.svg"), -1) {
		drawn[rows[match[1]]] = append(drawn[rows[match[1]]], match[2])
	}
	var template struct {
		Entries []struct {
			Schema, Name string
			Entries      []struct{ Name, Replaces string }
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(root, "catalog", "template.yaml"))), &template); err != nil {
		t.Fatal(err)
	}
	offered := map[string][]string{}
	for _, channel := range template.Entries {
		if channel.Schema != "olm.channel" {
			continue
		}
		for i, entry := range channel.Entries {
			offered[channel.Name] = append(offered[channel.Name], strings.TrimPrefix(entry.Name, "markdown-view."))
			if i > 0 && entry.Replaces != channel.Entries[i-1].Name {
				t.Errorf("channel %s: %s replaces %q; the drawing shows that it replaces %s", channel.Name, entry.Name, entry.Replaces, channel.Entries[i-1].Name)
			}
		}
	}
	if diff := cmp.Diff(offered, drawn); diff != "" {
		t.Errorf("catalog/template.yaml against the drawing (-offered +drawn):\n%s", diff)
	}
}
