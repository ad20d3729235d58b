// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package values

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// view is a MarkdownView of one page, changed by each case.
func view(change func(*viewv1.MarkdownView)) *viewv1.MarkdownView {
	v := &viewv1.MarkdownView{
		ObjectMeta: metav1.ObjectMeta{Namespace: "docs", Name: "book"},
		Spec:       viewv1.MarkdownViewSpec{Markdowns: map[string]string{"SUMMARY.md": "- [A](a.md)", "a.md": "# A"}},
	}
	if change != nil {
		change(v)
	}
	return v
}

// TestPrecedence: chart, then images, then spec, then overrides; identity above all.
func TestPrecedence(t *testing.T) {
	images := Images{Viewer: "default-viewer", Server: "default-server"}
	type tree = map[string]any
	type want struct {
		Name, Replicas, Viewer, Server any
		// Rest are the other keys, content aside.
		Rest tree
	}
	cases := map[string]struct {
		reason    string
		change    func(*viewv1.MarkdownView)
		overrides tree
		want      want
	}{
		"NothingSaid": {
			reason: "The operator's own images and one replica.",
			want:   want{Name: "book", Replicas: int64(1), Viewer: tree{"image": "default-viewer"}, Server: tree{"image": "default-server"}},
		},
		"SpecOverImages": {
			reason: "The author's image wins over the operator's default.",
			change: func(v *viewv1.MarkdownView) { v.Spec.ViewerImage, v.Spec.Replicas = "mine", new(int32(3)) },
			want:   want{Name: "book", Replicas: int64(3), Viewer: tree{"image": "mine"}, Server: tree{"image": "default-server"}},
		},
		"OverridesOverSpec": {
			reason:    "The administrator's overrideValues win over the author, field by field.",
			change:    func(v *viewv1.MarkdownView) { v.Spec.ViewerImage, v.Spec.Replicas = "mine", new(int32(3)) },
			overrides: tree{"viewer": tree{"image": "approved", "pullPolicy": "Always"}, "replicas": int64(5)},
			want: want{
				Name: "book", Replicas: int64(5),
				Viewer: tree{"image": "approved", "pullPolicy": "Always"}, Server: tree{"image": "default-server"},
			},
		},
		"OverridesBesideSpec": {
			reason:    "What neither names keeps its value from below; what only the chart knows is passed on.",
			overrides: tree{"viewer": tree{"pullPolicy": "Never"}, "nodeSelector": tree{"disk": "ssd"}},
			want: want{
				Name: "book", Replicas: int64(1),
				Viewer: tree{"image": "default-viewer", "pullPolicy": "Never"}, Server: tree{"image": "default-server"},
				Rest: tree{"nodeSelector": tree{"disk": "ssd"}},
			},
		},
		"IdentityStands": {
			reason:    "An override of the name or the content would mix two books up.",
			overrides: tree{"name": "other", "content": tree{"hash": "0000000000000000"}},
			want:      want{Name: "book", Replicas: int64(1), Viewer: tree{"image": "default-viewer"}, Server: tree{"image": "default-server"}},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			v := view(c.change)
			before := deepCopy(c.overrides)
			got, hash := For(v, images, c.overrides)
			content := got["content"].(tree)
			if content["hash"] != hash || hash != Layout(v.Name, v.Spec.Markdowns, v.Spec.AssetBytes()).Hash {
				t.Errorf("%s: content %v, hash %s", c.reason, content["hash"], hash)
			}
			found := want{Name: got["name"], Replicas: got["replicas"], Viewer: got["viewer"], Server: got["server"]}
			for _, key := range []string{"name", "replicas", "viewer", "server", "content"} {
				delete(got, key)
			}
			if len(got) > 0 {
				found.Rest = got
			}
			if diff := cmp.Diff(c.want, found); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", c.reason, diff)
			}
			if diff := cmp.Diff(before, c.overrides); diff != "" {
				t.Errorf("For wrote into the overrides, which all workers share (-before +after):\n%s", diff)
			}
		})
	}
}

// deepCopy is written apart from the package's own copyTree, which it checks.
func deepCopy(tree map[string]any) map[string]any {
	if tree == nil {
		return nil
	}
	out := map[string]any{}
	for k, v := range tree {
		if sub, ok := v.(map[string]any); ok {
			v = deepCopy(sub)
		}
		out[k] = v
	}
	return out
}

// TestContentValues: what the chart reads of a book.
func TestContentValues(t *testing.T) {
	v := view(func(v *viewv1.MarkdownView) {
		v.Spec.Markdowns = map[string]string{
			"SUMMARY.md": "- [日本](guide/日本.md)", "guide/日本.md": "# 日本", "book.toml": "[book]", "bell.md": "\a",
		}
		v.Spec.Assets = map[string]viewv1.Base64{"images/dot.png": "iVBORw=="}
	})
	got, hash := For(v, Images{}, nil)
	want := map[string]any{
		"hash": hash, "settings": true,
		"configMaps": []any{map[string]any{
			"name": "markdowns-book-" + hash,
			"data": map[string]any{
				"SUMMARY.md": "- [日本](guide/日本.md)", "book.toml": "[book]",
				"guide_2f_e6_97_a5_e6_9c_ac.md": "# 日本",
			},
			// Bytes, and text that YAML cannot carry.
			"binaryData": map[string]any{"bell.md": "Bw==", "images_2fdot.png": "iVBORw=="},
			"items": []any{
				// The settings are at the book's root, everything else below src/.
				map[string]any{"key": "book.toml", "path": "book.toml"},
				map[string]any{"key": "SUMMARY.md", "path": "src/SUMMARY.md"},
				map[string]any{"key": "bell.md", "path": "src/bell.md"},
				map[string]any{"key": "guide_2f_e6_97_a5_e6_9c_ac.md", "path": "src/guide/日本.md"},
				map[string]any{"key": "images_2fdot.png", "path": "src/images/dot.png"},
			},
		}},
	}
	if diff := cmp.Diff(want, got["content"]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// BenchmarkFor is the first step of every pass, of a settled object too: a book of 10 KiB.
func BenchmarkFor(b *testing.B) {
	v := view(func(v *viewv1.MarkdownView) {
		for i := range 10 {
			v.Spec.Markdowns[fmt.Sprintf("%02d.md", i)] = strings.Repeat("Ten pages of one KiB each. ", 38)
		}
	})
	b.ReportAllocs()
	for b.Loop() {
		For(v, Images{Viewer: "viewer", Server: "server"}, nil)
	}
}
