// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"regexp"
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

// byDigest writes digests for the tags in a text.
func byDigest(text string) string {
	return regexp.MustCompile(`(r/[a-z]+):v\d`).ReplaceAllString(text, "$1@sha256:"+strings.Repeat("a", 64))
}

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
		// change, if there is one, edits what operator-sdk generated.
		change func(string) string
		// want is merged into that.
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
		// Nothing but the release's digests lets it claim to work without the internet.
		"ByDigest": {
			release: Release{Created: "2026-01-02T00:00:00Z"},
			change:  byDigest,
			want: func(annotations, _ map[string]any) {
				annotations["createdAt"] = "2026-01-02T00:00:00Z"
				annotations["features.operators.openshift.io/disconnected"] = "true"
			},
		},
		"OneTagAmongDigests": {
			release: Release{Created: "2026-01-02T00:00:00Z"},
			change: func(text string) string {
				return strings.Replace(byDigest(text), byDigest("r/mdbook:v1"), "r/mdbook:v1", 1)
			},
			want: func(annotations, _ map[string]any) {
				annotations["createdAt"] = "2026-01-02T00:00:00Z"
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
			text := generated
			if c.change != nil {
				text = c.change(text)
			}
			got, want := decode(t, text), decode(t, text)
			annotations := want["metadata"].(map[string]any)["annotations"].(map[string]any)
			spec := want["spec"].(map[string]any)
			image := func(tag string) string {
				if strings.Contains(text, tag) {
					return tag
				}
				return byDigest(tag)
			}
			annotations["containerImage"] = image("r/manager:v2")
			annotations["features.operators.openshift.io/disconnected"] = "false"
			annotations["operatorframework.io/initialization-resource"] = "{\n  \"kind\": \"MarkdownView\"\n}"
			spec["cleanup"] = map[string]any{"enabled": false}
			// The names are those of the containers that the chart renders.
			spec["relatedImages"] = []any{
				map[string]any{"name": "manager", "image": image("r/manager:v2")},
				map[string]any{"name": "build", "image": image("r/mdbook:v1")},
				map[string]any{"name": "server", "image": image("r/server:v2")},
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
