// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io/fs"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	markdownview "github.com/bobuhiro11/markdown-view"
)

// TestContainersIn: a pod is found wherever a kind keeps it, so that a Job of a hook is not forgotten.
func TestContainersIn(t *testing.T) {
	const containers = `{initContainers: [{name: first, image: a}], containers: [{name: second, image: b}]}`
	cases := map[string]string{
		"Pod":        `{kind: Pod, spec: ` + containers + `}`,
		"Deployment": `{kind: Deployment, spec: {template: {spec: ` + containers + `}}}`,
		"CronJob":    `{kind: CronJob, spec: {jobTemplate: {spec: {template: {spec: ` + containers + `}}}}}`,
	}
	for name, text := range cases {
		t.Run(name, func(t *testing.T) {
			manifest := map[string]any{}
			if err := yaml.Unmarshal([]byte(text), &manifest); err != nil {
				t.Fatal(err)
			}
			got := containersIn(manifest)
			slices.SortFunc(got, func(a, b RelatedImage) int { return len(a.Name) - len(b.Name) })
			if diff := cmp.Diff([]RelatedImage{{Name: "first", Image: "a"}, {Name: "second", Image: "b"}}, got); diff != "" {
				t.Errorf("containers (-want +got):\n%s", diff)
			}
		})
	}
}

// TestChartTakesImagesFromTwoValues: a template with an image of its own, in a branch that no book of
// this package reaches, would be an operand that no mirror has.
func TestChartTakesImagesFromTwoValues(t *testing.T) {
	templates, err := fs.Glob(markdownview.Files, "helm-charts/*/templates/*")
	if err != nil || len(templates) == 0 {
		t.Fatalf("templates: %v (%v)", templates, err)
	}
	allowed := []string{"{{ .Values.viewer.image | quote }}", "{{ .Values.server.image | quote }}"}
	var used []string
	for _, name := range templates {
		text, err := fs.ReadFile(markdownview.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile(`\bimage"?:[ \t]*([^\n]*)`).FindAllStringSubmatch(string(text), -1) {
			if !slices.Contains(allowed, match[1]) {
				t.Errorf("%s: the image %s is neither the viewer's nor the server's", name, match[1])
			}
			used = append(used, match[1])
		}
	}
	slices.Sort(used)
	slices.Sort(allowed)
	if diff := cmp.Diff(allowed, slices.Compact(used)); diff != "" {
		t.Errorf("images of the chart (-want +got):\n%s", diff)
	}
}
