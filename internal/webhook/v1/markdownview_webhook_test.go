// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package v1

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// spec is a book of one page with the text.
func spec(text string, replicas int32) viewv1.MarkdownViewSpec {
	return viewv1.MarkdownViewSpec{
		Markdowns: map[string]string{"SUMMARY.md": "- [A](a.md)", "a.md": text},
		Replicas:  &replicas,
	}
}

func TestValidateUpdate(t *testing.T) {
	const (
		leak    = "{{#include /etc/passwd}}"
		refusal = `MarkdownView.view.bobuhiro11.net "book" is invalid: spec.markdowns: Invalid value: a.md:1:1: {{#include /etc/passwd}} ` +
			`names a file of the builder's container, not of the book: use a path relative to this file, or write \{{# to show the directive as text`
	)
	now := metav1.Now()
	withImage := func(s viewv1.MarkdownViewSpec, image string) viewv1.MarkdownViewSpec { s.ViewerImage = image; return s }
	withAsset := func(s viewv1.MarkdownViewSpec) viewv1.MarkdownViewSpec {
		s.Assets = map[string]viewv1.Base64{"a.html": ""}
		return s
	}
	cases := map[string]struct {
		old, view viewv1.MarkdownViewSpec
		deleted   *metav1.Time
		warnings  []string
		err       string
	}{
		"a good edit":                             {old: spec("a", 1), view: spec("b", 1)},
		"a bad edit":                              {old: spec("a", 1), view: spec(leak, 1), err: refusal},
		"a bad book of old is scaled":             {old: spec(leak, 1), view: spec(leak, 3)},
		"a bad book of old is edited":             {old: spec(leak, 1), view: spec(leak+" ", 1), err: refusal},
		"a bad book of old is mended":             {old: spec(leak, 1), view: spec("a", 1)},
		"a bad book is on its way out":            {old: spec("a", 1), view: spec(leak, 1), deleted: &now},
		"too many replicas":                       {old: spec("a", 1), view: spec("a", 6), err: `MarkdownView.view.bobuhiro11.net "book" is invalid: spec.replicas: Invalid value: 6: replicas must be in the range of 1 to 5.`},
		"an image that moves":                     {old: spec("a", 1), view: withImage(spec("a", 1), "mdbook"), warnings: []string{"spec.viewerImage: mdbook may be another image tomorrow: name a version, or leave the field empty for default:v1"}},
		"an image that moves, told once":          {old: withImage(spec("a", 1), "mdbook"), view: withImage(spec("b", 1), "mdbook")},
		"an asset that surprises":                 {old: spec("a", 1), view: withAsset(spec("a", 1)), warnings: []string{"a.html: the file takes the place of the page that a.md becomes: rename one of them"}},
		"an asset that surprises, told only once": {old: withAsset(spec("a", 1)), view: withAsset(spec("a", 2))},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			view := &viewv1.MarkdownView{ObjectMeta: metav1.ObjectMeta{Name: "book", DeletionTimestamp: c.deleted}, Spec: c.view}
			warnings, err := validator{defaultImage: "default:v1"}.ValidateUpdate(t.Context(), &viewv1.MarkdownView{Spec: c.old}, view)
			if diff := cmp.Diff(c.warnings, []string(warnings)); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.err, text(err)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

// TestValidateCreateWithoutSchema: where the schema is older than the operator, the webhook gives
// the contract's two lines by itself, in the contract's order.
func TestValidateCreateWithoutSchema(t *testing.T) {
	replicas := int32(1000)
	view := &viewv1.MarkdownView{
		ObjectMeta: metav1.ObjectMeta{Name: "markdownview-sample-noimage"},
		Spec:       viewv1.MarkdownViewSpec{Markdowns: map[string]string{"page1.md": ""}, Replicas: &replicas},
	}
	_, err := validator{}.ValidateCreate(t.Context(), view)
	want := `MarkdownView.view.bobuhiro11.net "markdownview-sample-noimage" is invalid: [` +
		"spec.replicas: Invalid value: 1000: replicas must be in the range of 1 to 5., " +
		"spec.markdowns: Required value: markdowns must have SUMMARY.md.]"
	if diff := cmp.Diff(want, text(err)); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
}

func TestWarningsAreBounded(t *testing.T) {
	view := &viewv1.MarkdownView{Spec: spec("a", 1)}
	for i := range 30 {
		view.Spec.Markdowns[fmt.Sprintf("z%02d.md", i)] = ""
	}
	warnings, err := validator{}.ValidateCreate(t.Context(), view)
	if err != nil {
		t.Fatal(err)
	}
	if len(warnings) != maxWarnings+1 || warnings[maxWarnings] != "and 20 more warnings" {
		t.Errorf("warnings:\n%s", strings.Join(warnings, "\n"))
	}
}

func TestDefault(t *testing.T) {
	two := int32(2)
	cases := map[string]struct {
		spec viewv1.MarkdownViewSpec
		want *int32
	}{
		"replicas left out": {viewv1.MarkdownViewSpec{Markdowns: map[string]string{}}, new(int32(1))},
		"replicas given":    {viewv1.MarkdownViewSpec{Markdowns: map[string]string{}, Replicas: &two}, &two},
		"no spec":           {},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			view := &viewv1.MarkdownView{Spec: c.spec}
			if err := (defaulter{}).Default(t.Context(), view); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, view.Spec.Replicas); diff != "" {
				t.Errorf("spec.replicas (-want +got):\n%s", diff)
			}
			if view.Spec.ViewerImage != "" {
				t.Errorf("spec.viewerImage is %q: a stored default would outlive the operator that chose it", view.Spec.ViewerImage)
			}
		})
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
