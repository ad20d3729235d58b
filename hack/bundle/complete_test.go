// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

const generated = `
metadata:
  annotations:
    alm-examples: '[{"kind": "MarkdownView", "spec": {"replicas": 2}}, {"kind": "MarkdownView"}]'
    custom: survives
spec:
  fieldOfTheFuture: survives
  install:
    spec:
      deployments:
      - spec:
          template:
            spec:
              containers:
              - name: manager
                image: r/manager:v2
                env:
                - {name: RELATED_IMAGE_VIEWER, value: "r/mdbook:v1"}
                - {name: RELATED_IMAGE_SERVER, value: "r/server:v2"}
`

func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	object := map[string]any{}
	if err := yaml.Unmarshal([]byte(text), &object); err != nil {
		t.Fatal(err)
	}
	return object
}

func TestComplete(t *testing.T) {
	cases := map[string]struct {
		release Release
		// want is merged into what operator-sdk generated.
		want func(metadata, spec map[string]any)
	}{
		"Upgrade": {
			release: Release{Replaces: "markdown-view.v1.0.0", SkipRange: ">=0.9.0 <2.0.0", Created: "2026-01-02T00:00:00Z"},
			want: func(annotations, spec map[string]any) {
				annotations["createdAt"] = "2026-01-02T00:00:00Z"
				annotations["olm.skipRange"] = ">=0.9.0 <2.0.0"
				spec["replaces"] = "markdown-view.v1.0.0"
			},
		},
		"FirstVersion": {
			release: Release{Created: "2026-01-02T00:00:00Z"},
			want: func(annotations, _ map[string]any) {
				annotations["createdAt"] = "2026-01-02T00:00:00Z"
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, want := decode(t, generated), decode(t, generated)
			annotations := want["metadata"].(map[string]any)["annotations"].(map[string]any)
			spec := want["spec"].(map[string]any)
			annotations["containerImage"] = "r/manager:v2"
			annotations["operatorframework.io/initialization-resource"] = "{\n  \"kind\": \"MarkdownView\"\n}"
			spec["cleanup"] = map[string]any{"enabled": false}
			// The names are those of the containers that the chart renders.
			spec["relatedImages"] = []any{
				map[string]any{"name": "manager", "image": "r/manager:v2"},
				map[string]any{"name": "build", "image": "r/mdbook:v1"},
				map[string]any{"name": "server", "image": "r/server:v2"},
			}
			c.want(annotations, spec)
			if err := Complete(got, c.release); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("ClusterServiceVersion (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCompleteRefuses(t *testing.T) {
	cases := map[string]struct {
		change func(string) string
		want   string
	}{
		"NoExample": {
			change: func(text string) string {
				return strings.Replace(text, `[{"kind": "MarkdownView", "spec": {"replicas": 2}}, {"kind": "MarkdownView"}]`, "[]", 1)
			},
			want: "config/samples has no example",
		},
		"NoDeployment": {
			change: func(text string) string { return strings.Replace(text, "deployments:", "none:", 1) },
			want:   "has no Deployment",
		},
		"ImageThatNothingRuns": {
			change: func(text string) string {
				return text + `                - {name: RELATED_IMAGE_OTHER, value: "r/other:v1"}` + "\n"
			},
			want: `RELATED_IMAGE_OTHER names "r/other:v1", which the chart does not render`,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			err := Complete(decode(t, c.change(generated)), Release{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one that says %q", err, c.want)
			}
		})
	}
}
