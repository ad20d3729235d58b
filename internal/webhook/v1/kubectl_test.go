// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package v1_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBlogPostsObjects applies the two sample objects with the real kubectl and compares what it
// prints to the letter. The order of the two error lines is the API server's, and random.
func TestBlogPostsObjects(t *testing.T) {
	cases := map[string]struct {
		args   []string
		output []string
		fails  bool
	}{
		"the sample": {
			args:   []string{"apply", "-f", sample("view_v1_markdownview.yaml")},
			output: []string{"markdownview.view.bobuhiro11.net/markdownview-sample created"},
		},
		"the sample with everything": {
			args:   []string{"apply", "-f", sample("view_v1_markdownview_handbook.yaml")},
			output: []string{"markdownview.view.bobuhiro11.net/markdownview-handbook created"},
		},
		"the sample without SUMMARY.md": {
			args: []string{"apply", "-f", sample("view_v1_markdownview_noimage.yaml")},
			output: []string{
				`The MarkdownView "markdownview-sample-noimage" is invalid: `,
				"* spec.replicas: Invalid value: 1000: replicas must be in the range of 1 to 5.",
				"* spec.markdowns: Required value: markdowns must have SUMMARY.md.",
			},
			fails: true,
		},
		"scaled out of range": {
			args:   []string{"scale", "mdv/scaled", "--replicas=6"},
			output: []string{`The MarkdownView "scaled" is invalid: spec.replicas: Invalid value: 6: replicas must be in the range of 1 to 5.`},
			fails:  true,
		},
		"scaled": {
			args:   []string{"scale", "mdv/scaled", "--replicas=3"},
			output: []string{"markdownview.view.bobuhiro11.net/scaled scaled"},
		},
		"the printed columns": {
			args:   []string{"get", "mdv", "listed", "-o", "wide", "--no-headers=false"},
			output: []string{"NAME REPLICAS STATUS READY AGE URL MESSAGE", "listed 1"},
		},
	}
	for _, name := range []string{"scaled", "listed"} {
		manifest := "apiVersion: view.bobuhiro11.net/v1\nkind: MarkdownView\nmetadata: {name: " + name + "}\nspec: {markdowns: {SUMMARY.md: '- [A](a.md)', a.md: ''}}\n"
		create := api.Kubectl("create", "-f", "-")
		create.Stdin = strings.NewReader(manifest)
		if output, err := create.CombinedOutput(); err != nil {
			t.Fatalf("create %s: %v\n%s", name, err, output)
		}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			output, err := api.Kubectl(c.args...).CombinedOutput()
			if (err != nil) != c.fails {
				t.Errorf("kubectl %s: error %v", strings.Join(c.args, " "), err)
			}
			got := strings.Split(strings.TrimSuffix(string(output), "\n"), "\n")
			if c.args[0] == "get" {
				for i, line := range got {
					got[i] = strings.Join(strings.Fields(line), " ")
				}
				got[1], _, _ = strings.Cut(got[1], " <") // the age and what is not known yet
				got[1] = strings.Join(strings.Fields(got[1])[:2], " ")
			}
			if len(got) > 1 {
				slices.Sort(got[1:])
				slices.Sort(c.output[1:])
			}
			if diff := cmp.Diff(c.output, got); diff != "" {
				t.Errorf("kubectl %s prints (-want +got):\n%s", strings.Join(c.args, " "), diff)
			}
		})
	}
	if output, err := api.Kubectl("delete", "mdv", "--all").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

// TestExplain: every field of the spec and the status has words of its own.
func TestExplain(t *testing.T) {
	for _, path := range []string{"mdv.spec", "mdv.status", "mdv.status.release", "mdv.status.content"} {
		output, err := api.Kubectl("explain", path).CombinedOutput()
		if err != nil {
			t.Fatalf("explain %s: %v\n%s", path, err, output)
		}
		if strings.Contains(string(output), "<no description>") {
			t.Errorf("explain %s has a field without a description:\n%s", path, output)
		}
	}
}
