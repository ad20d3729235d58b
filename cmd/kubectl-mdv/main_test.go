// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

func TestRun(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"src/SUMMARY.md": "- [Home](home.md)\n", "src/home.md": "# Home\n"} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	markdowns := map[string]string{"SUMMARY.md": "- [Home](home.md)\n", "home.md": "# Home\n"}
	cases := map[string]struct {
		args []string
		want viewv1.MarkdownView
		err  string
	}{
		"Folder": {
			args: []string{"--name", "handbook", folder},
			// No replicas: `kubectl scale` and an autoscaler have the number.
			want: viewv1.MarkdownView{ObjectMeta: metav1.ObjectMeta{Name: "handbook"}, Spec: viewv1.MarkdownViewSpec{Markdowns: markdowns}},
		},
		"Replicas": {
			args: []string{"--name", "handbook", "--namespace", "team-a", "--replicas", "3", folder},
			want: viewv1.MarkdownView{
				ObjectMeta: metav1.ObjectMeta{Namespace: "team-a", Name: "handbook"},
				Spec:       viewv1.MarkdownViewSpec{Replicas: new(int32(3)), Markdowns: markdowns},
			},
		},
		"ZeroReplicas": {
			// As if not given.
			args: []string{"--name", "handbook", "--replicas", "0", folder},
			want: viewv1.MarkdownView{ObjectMeta: metav1.ObjectMeta{Name: "handbook"}, Spec: viewv1.MarkdownViewSpec{Markdowns: markdowns}},
		},
		"SixReplicas":      {args: []string{"--name", "handbook", "--replicas", "6", folder}, err: "--replicas must be in the range of 1 to 5, not 6"},
		"NegativeReplicas": {args: []string{"--name", "handbook", "--replicas", "-1", folder}, err: "--replicas must be in the range of 1 to 5, not -1"},
		// As 32 bits it is 2.
		"HugeReplicas": {args: []string{"--name", "handbook", "--replicas", "4294967298", folder}, err: "--replicas must be in the range of 1 to 5, not 4294967298"},
		"NoName":       {args: []string{folder}, err: "give --name and one folder, not 1"},
		"NoBook":       {args: []string{"--name", "handbook", t.TempDir()}, err: "no src/SUMMARY.md: this is not the root of an mdBook"},
		"NoFolder":     {args: []string{"--name", "handbook"}, err: "give --name and one folder, not 0"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			err := run(c.args, &out)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("error %v, want %q", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got viewv1.MarkdownView
			if err := yaml.UnmarshalStrict(out.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			c.want.TypeMeta = metav1.TypeMeta{APIVersion: viewv1.GroupVersion.String(), Kind: "MarkdownView"}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
