// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/apiservertest"
	"github.com/bobuhiro11/markdown-view/internal/book"
)

// example is a MarkdownView, whole or only its spec, in a page.
type example struct {
	place  string
	object map[string]any
}

// examples are the YAML blocks of all pages that show a MarkdownView.
func examples(t *testing.T) []example {
	t.Helper()
	var found []example
	for _, file := range pages(t) {
		source := []byte(read(t, file))
		number := 0
		err := ast.Walk(parse(source), func(node ast.Node, entering bool) (ast.WalkStatus, error) {
			block, ok := node.(*ast.FencedCodeBlock)
			if !ok || !entering || string(block.Language(source)) != "yaml" {
				return ast.WalkContinue, nil
			}
			number++
			text := block.Lines().Value(source)
			if !strings.Contains(string(text), "kind: MarkdownView") && !strings.HasPrefix(string(text), "spec:\n") {
				return ast.WalkContinue, nil
			}
			if strings.HasPrefix(string(text), "- ") {
				return ast.WalkContinue, nil // a watches.yaml
			}
			object := map[string]any{}
			if err := yaml.Unmarshal(text, &object); err != nil {
				t.Errorf("%s, YAML block %d: %v", file, number, err)
				return ast.WalkContinue, nil
			}
			found = append(found, example{fmt.Sprintf("%s, YAML block %d", file, number), complete(object)})
			return ast.WalkContinue, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// complete adds what an excerpt leaves out.
func complete(object map[string]any) map[string]any {
	for key, value := range map[string]any{
		"apiVersion": viewv1.GroupVersion.String(), "kind": "MarkdownView", "metadata": map[string]any{"name": "example"},
	} {
		if object[key] == nil {
			object[key] = value
		}
	}
	if spec, ok := object["spec"].(map[string]any); ok {
		markdowns, ok := spec["markdowns"].(map[string]any)
		if !ok {
			markdowns = map[string]any{}
			spec["markdowns"] = markdowns
		}
		if markdowns[viewv1.SummaryPath] == nil {
			markdowns[viewv1.SummaryPath], markdowns["welcome.md"] = "- [Welcome](welcome.md)\n", "# Welcome\n"
		}
	}
	return object
}

// Whoever copies an example from the documentation gets a book.
func TestExamplesAreBooks(t *testing.T) {
	all := examples(t)
	if len(all) < 6 {
		t.Errorf("only %d examples were found: the test reads the wrong blocks", len(all))
	}
	for _, example := range all {
		text, err := yaml.Marshal(example.object)
		if err != nil {
			t.Fatal(err)
		}
		var view viewv1.MarkdownView
		if err := yaml.UnmarshalStrict(text, &view); err != nil {
			t.Errorf("%s: %v", example.place, err)
			continue
		}
		errors, warnings := book.Inspect(view.Spec.Markdowns, view.Spec.AssetBytes())
		for _, finding := range append(errors, warnings...) {
			t.Errorf("%s: %s", example.place, finding)
		}
	}
}

// The same, asked of a real API server; and what the pages show of kubectl's output is what it prints.
func TestAgainstARealServer(t *testing.T) {
	if testing.Short() {
		t.Skip("starts an API server")
	}
	server, err := apiservertest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	api, err := client.New(server.Config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, example := range examples(t) {
		object := &unstructured.Unstructured{Object: example.object}
		if object.GetNamespace() == "" {
			object.SetNamespace(metav1.NamespaceDefault)
		}
		if err := client.WithFieldValidation(api, metav1.FieldValidationStrict).Create(t.Context(), object, client.DryRunAll); err != nil {
			t.Errorf("%s: %v", example.place, err)
		}
	}

	refused, err := server.Kubectl("apply", "-f", "config/samples/view_v1_markdownview_noimage.yaml").CombinedOutput()
	if err == nil {
		t.Fatalf("the sample without images was taken: %s", refused)
	}
	for _, page := range []string{"../README.md", "src/authors/errors.md"} {
		// The API server gives its reasons in any order.
		for line := range strings.Lines(string(refused)) {
			if !shows(read(t, page), strings.Fields(line)) {
				t.Errorf("%s does not show kubectl's line %q", page, line)
			}
		}
	}
	if out, err := server.Kubectl("create", "-f", "config/samples/view_v1_markdownview.yaml").CombinedOutput(); err != nil {
		t.Fatalf("create the sample: %v\n%s", err, out)
	}
	for arguments, pages := range map[string][]string{
		"get mdv":         {"../README.md", "src/README.md"},
		"get mdv -o wide": {"src/authors/errors.md"},
	} {
		out, err := server.Kubectl(strings.Fields(arguments)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		columns := strings.Fields(strings.SplitN(string(out), "\n", 2)[0])
		for _, page := range pages {
			if !shows(read(t, page), columns) {
				t.Errorf("%s shows other columns than %q of `kubectl %s`", page, columns, arguments)
			}
		}
	}
}

// shows tells whether a line of the text consists of these words.
func shows(text string, words []string) bool {
	for line := range strings.Lines(text) {
		if strings.Join(strings.Fields(line), " ") == strings.Join(words, " ") {
			return true
		}
	}
	return false
}
