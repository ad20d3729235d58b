// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package bookdir_test

import (
	"errors"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/bookdir"
)

func TestSpec(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	tests := map[string]struct {
		dir  fstest.MapFS
		want viewv1.MarkdownViewSpec
		err  error
	}{
		"pages, settings and folders": {
			dir: fstest.MapFS{
				"book.toml": file("[book]\n"), "src/SUMMARY.md": file("# Summary\n"), "src/guide/手順.md": file("# 手順\n"),
			},
			want: viewv1.MarkdownViewSpec{Markdowns: map[string]string{
				"book.toml": "[book]\n", "SUMMARY.md": "# Summary\n", "guide/手順.md": "# 手順\n",
			}},
		},
		"an image is an asset, a drawing in text is not": {
			dir: fstest.MapFS{"src/SUMMARY.md": file(""), "src/a.png": file("\x89PNG\xff"), "src/b.svg": file("<svg/>")},
			want: viewv1.MarkdownViewSpec{
				Markdowns: map[string]string{"SUMMARY.md": "", "b.svg": "<svg/>"},
				Assets:    map[string]viewv1.Base64{"a.png": viewv1.EncodeBase64([]byte("\x89PNG\xff"))},
			},
		},
		"what is hidden, or not in src, is left out": {
			dir: fstest.MapFS{
				"src/SUMMARY.md": file(""), "src/.page.md.swp": file("x"), "src/.git/config": file("x"), "README.md": file("x"), "book/index.html": file("x"),
			},
			want: viewv1.MarkdownViewSpec{Markdowns: map[string]string{"SUMMARY.md": ""}},
		},
		"no book": {
			dir: fstest.MapFS{"README.md": file("x")},
			err: bookdir.ErrNoSummary,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := bookdir.Spec(test.dir)
			if !errors.Is(err, test.err) {
				t.Fatalf("error %v, want %v", err, test.err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("spec (-want +got):\n%s", diff)
			}
		})
	}
}
