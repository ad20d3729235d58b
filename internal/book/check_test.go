// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"maps"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// texts is spec.markdowns; without SUMMARY.md, the book has one page a.md.
type texts map[string]string

// files is spec.assets, written as text.
type files map[string]string

// verdict is one book, and what Inspect says of it.
type verdict struct {
	markdowns texts
	assets    files
	errors    []string
	warnings  []string
}

// files are the arguments of Inspect.
func (v verdict) files() (map[string]string, map[string][]byte) {
	markdowns := map[string]string{"SUMMARY.md": "- [A](a.md)\n", "a.md": "# A\n"}
	if _, ok := v.markdowns["SUMMARY.md"]; ok {
		delete(markdowns, "a.md")
	}
	maps.Copy(markdowns, v.markdowns)
	assets := map[string][]byte{}
	for p, text := range v.assets {
		assets[p] = []byte(text)
	}
	return markdowns, assets
}

func judge(t *testing.T, cases map[string]verdict) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			errors, warnings := Inspect(c.files())
			if diff := cmp.Diff(c.errors, lines(errors)); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.warnings, lines(warnings)); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

// lines are findings as an author reads them.
func lines(findings []Finding) []string {
	var all []string
	for _, f := range findings {
		all = append(all, f.String())
	}
	return all
}

func TestSummary(t *testing.T) { judge(t, summaryCases()) }

func TestIncludes(t *testing.T) { judge(t, includeCases()) }

func summaryCases() map[string]verdict {
	pages := func(summary string, names ...string) texts {
		m := texts{"SUMMARY.md": summary}
		for _, n := range names {
			m[n] = "text"
		}
		return m
	}
	return map[string]verdict{
		"all that mdBook's guide shows": {markdowns: pages("# Summary\n\n[Preface](p.md)\n\n# Part one\n\n- [A](a.md)\n    - [B](b/b.md)\n\n---\n\n# Part two\n\n* [C](c.md)\n- [Draft]()\n\n-----\n\n[Thanks](t.md)\n",
			"p.md", "a.md", "b/b.md", "c.md", "t.md")},
		"a comment before the title":       {markdowns: pages("<!-- note -->\n\n# Summary\n\n- [A](a.md)\n", "a.md")},
		"no title, starred, loose list":    {markdowns: pages("* [A](a.md)\n\n* [B](b.md)\n", "a.md", "b.md")},
		"numbered list":                    {markdowns: pages("1. [A](a.md)\n2. [B](b.md)\n", "a.md", "b.md")},
		"spaces as %20 and in brackets":    {markdowns: pages("- [A](a%20b.md)\n- [B](<c d.md>)\n", "a b.md", "c d.md")},
		"a title behind the path":          {markdowns: pages("- [A](a.md \"the first\")\n", "a.md")},
		"reference links":                  {markdowns: pages("- [A][one]\n\n[one]: a.md\n", "a.md")},
		"escapes and entities in the path": {markdowns: pages("- [A](a\\(1\\).md)\n- [B](x&amp;y.md)\n", "a(1).md", "x&y.md")},
		"a path with ./ and ..":            {markdowns: pages("- [A](./a.md)\n- [B](d/../b.md)\n", "a.md", "b.md", "d/c.md"), warnings: []string{"d/c.md: SUMMARY.md does not link to the page, so it is not published"}},
		"Japanese names":                   {markdowns: pages("- [手順](手順/再起動.md)\n", "手順/再起動.md")},
		"a page that is an asset":          {markdowns: pages("- [A](a.md)\n"), assets: files{"a.md": "text"}},
		"link text in italics and code":    {markdowns: pages("- [*A* `b`](a.md)\n", "a.md")},
		"text behind a link is ignored":    {markdowns: pages("- [A](a.md) and so on\n", "a.md")},
		"a reference nobody uses":          {markdowns: pages("- [A](a.md)\n\n[x]: nowhere.md\n", "a.md")},
		"CRLF":                             {markdowns: pages("# Summary\r\n\r\n- [A](a.md)\r\n- [B](b.md)\r\n", "a.md", "b.md")},
		"a page without an ending":         {markdowns: pages("- [A](LICENSE)\n", "LICENSE")},

		"empty":       {markdowns: pages(""), warnings: []string{"SUMMARY.md: it links to no page, so the site has no first page"}},
		"drafts only": {markdowns: pages("- [A]()\n"), warnings: []string{"SUMMARY.md: it links to no page, so the site has no first page"}},

		"a missing page": {markdowns: pages("# Summary\n\n- [A](a.md)\n  - [B](b/c.md)\n", "a.md"),
			errors: []string{"SUMMARY.md:4:5: page b/c.md is not in spec.markdowns: add it, or correct the link"}},
		"a missing page before and after the list": {markdowns: pages("[P](p.md)\n\n- [A](a.md)\n\n[S](s.md)\n", "a.md"), errors: []string{
			"SUMMARY.md:1:1: page p.md is not in spec.markdowns: add it, or correct the link",
			"SUMMARY.md:5:1: page s.md is not in spec.markdowns: add it, or correct the link"}},
		"every missing page is named": {markdowns: pages("- [A](a.md)\n- [B](b.md)\n"), errors: []string{
			"SUMMARY.md:1:3: page a.md is not in spec.markdowns: add it, or correct the link",
			"SUMMARY.md:2:3: page b.md is not in spec.markdowns: add it, or correct the link"}},
		"other case": {markdowns: pages("- [A](Intro.md)\n", "intro.md"),
			errors: []string{"SUMMARY.md:1:3: page Intro.md is not in spec.markdowns (there is intro.md): add it, or correct the link"}},
		"composed link, decomposed file": {markdowns: pages("- [A](caf\u00e9.md)\n", "cafe\u0301.md"),
			errors: []string{"SUMMARY.md:1:3: page café.md is not in spec.markdowns (there is one that looks the same but is written with other code points): add it, or correct the link"}},
		"an anchor": {markdowns: pages("- [A](a.md#top)\n", "a.md"),
			errors: []string{"SUMMARY.md:1:3: page a.md#top is not in spec.markdowns: add it, or correct the link (SUMMARY.md names files: leave out what begins with # or ?)"}},
		"an encoded path": {markdowns: pages("- [A](%E6%89%8B.md)\n", "手.md"),
			errors: []string{"SUMMARY.md:1:3: page %E6%89%8B.md is not in spec.markdowns: add it, or correct the link (mdBook decodes %20 only: write other characters as they are)"}},
		"an external link": {markdowns: pages("- [A](https://example.com/a.md)\n"),
			errors: []string{"SUMMARY.md:1:3: https://example.com/a.md is not a file of the book: a chapter cannot be an external link; link to it from within a page"}},
		"an autolink": {markdowns: pages("- <https://example.com>\n"),
			errors: []string{"SUMMARY.md:1:3: https://example.com is not a file of the book: a chapter cannot be an external link; link to it from within a page"}},
		"a protocol-relative link": {markdowns: pages("- [A](//example.com/a.md)\n"),
			errors: []string{"SUMMARY.md:1:3: //example.com/a.md is not a file of the book: a chapter cannot be an external link; link to it from within a page"}},
		"a path of the container": {markdowns: pages("- [A](/etc/passwd)\n"),
			errors: []string{"SUMMARY.md:1:3: /etc/passwd begins with /: a chapter's path is relative to SUMMARY.md"}},
		"out of the book": {markdowns: pages("- [A](../../etc/passwd)\n"),
			errors: []string{"SUMMARY.md:1:3: ../../etc/passwd leaves the book: a chapter is a file of spec.markdowns"}},
		"out of the sources": {markdowns: texts{"SUMMARY.md": "- [A](../book.toml)\n", "book.toml": ""},
			errors: []string{"SUMMARY.md:1:3: ../book.toml leaves the book: a chapter is a file of spec.markdowns"}},
		"through a folder that is not there": {markdowns: pages("- [A](nope/../a.md)\n", "a.md"),
			errors: []string{"SUMMARY.md:1:3: page a.md is not in spec.markdowns (it is there, but the link goes through a folder that is not): add it, or correct the link"}},
		"a folder": {markdowns: pages("- [A](guide/)\n", "guide/x.md"),
			errors: []string{"SUMMARY.md:1:3: guide/ is a folder: link to a page in it, such as guide/README.md"}},
		"the same page twice": {markdowns: pages("- [A](a.md)\n- [B](./a.md)\n", "a.md"),
			errors: []string{"SUMMARY.md:2:3: a.md is a chapter already in line 1: link to each page once"}},
		"the print page": {markdowns: pages("- [A](print.md)\n", "print.md"),
			errors: []string{"SUMMARY.md:1:3: print.md: mdBook keeps this name for the page to print: rename the page"}},
		"an image as a page": {markdowns: pages("- [A](a.png)\n"), assets: files{"a.png": "\x89PNG\xff"},
			errors: []string{"SUMMARY.md:1:3: a.png is not text (UTF-8): a chapter is a Markdown file"}},
		"an entry without a link": {markdowns: pages("# Summary\n\n- [A](a.md)\n- plain words\n", "a.md"),
			errors: []string{"SUMMARY.md:4:3: an entry of the list must begin with a link, [title](page.md), or [title]() for a draft"}},
		"words before the link": {markdowns: pages("- see [A](a.md)\n", "a.md"),
			errors: []string{"SUMMARY.md:1:3: an entry of the list must begin with a link, [title](page.md), or [title]() for a draft"}},
		"an empty entry": {markdowns: pages("-\n- [A](a.md)\n", "a.md"),
			errors: []string{"SUMMARY.md:1:1: an entry of the list must begin with a link, [title](page.md), or [title]() for a draft"}},
		"a list behind the suffix": {markdowns: pages("- [A](a.md)\n\n[S](s.md)\n\n- [B](b.md)\n", "a.md", "b.md", "s.md"),
			errors: []string{"SUMMARY.md:5:1: a list or a heading follows the chapters after the numbered ones: move those chapters to the end, or make them entries of a list"}},
		"a page whose HTML name is too long": {markdowns: pages("- [A]("+strings.Repeat("x", 252)+".md)\n", strings.Repeat("x", 252)+".md"),
			errors: []string{"SUMMARY.md:1:3: " + strings.Repeat("x", 252) + ".md: the page's HTML file would have a name of 257 bytes; a file name has at most 255: rename the page"}},
	}
}

func includeCases() map[string]verdict {
	const (
		orText = `, or write \{{# to show the directive as text`
		addIt  = ": add it to spec.markdowns or spec.assets" + orText
		leaves = " leaves the book: add the file to spec.markdowns or spec.assets and include it from there" + orText
		host   = " names a file of the builder's container, not of the book: use a path relative to this file" + orText
	)
	page := func(text string) texts { return texts{"a.md": text} }
	return map[string]verdict{
		"a file beside the page":           {markdowns: page("{{#include x.rs}}"), assets: files{"x.rs": "fn main() {}"}},
		"lines, an open range, an anchor":  {markdowns: page("{{#include x.rs:1:2}} {{#include x.rs:2:}} {{#include x.rs::2}} {{#include x.rs:one}}"), assets: files{"x.rs": "a\nb\n"}},
		"up and down within the book":      {markdowns: texts{"SUMMARY.md": "- [A](d/a.md)", "d/a.md": "{{#include ../x/y.rs}}"}, assets: files{"x/y.rs": ""}},
		"the settings beside the sources":  {markdowns: texts{"a.md": "{{#include ../book.toml}}", "book.toml": ""}},
		"an included page is published":    {markdowns: texts{"a.md": "{{#include part.md}}", "part.md": "text"}},
		"escaped":                          {markdowns: page(`\{{#include /etc/passwd}}`)},
		"escaped up to the last braces":    {markdowns: page(`\{{#include x}} {{#include /etc/passwd}}`)},
		"a title":                          {markdowns: page("{{#title My page}}")},
		"other mustaches":                  {markdowns: page("{{name}} {{ #if x }} {{#unknown /etc/passwd}} {{#include}} {{#include }}")},
		"rustdoc and playground":           {markdowns: page("{{#rustdoc_include x.rs:2}} {{#playground x.rs editable}} {{#playpen x.rs}}"), assets: files{"x.rs": "a\nb\n"}},
		"the same file many times":         {markdowns: page(strings.Repeat("{{#include x.md}}\n", 50)), assets: files{"x.md": "x"}},
		"ten deep":                         {markdowns: chain(10)},
		"text that no page reaches":        {markdowns: texts{"b.md": "{{#include /etc/passwd}}"}, warnings: []string{"b.md: SUMMARY.md does not link to the page, so it is not published"}},
		"lines that are not taken":         {markdowns: page("{{#include x.md:1}}"), assets: files{"x.md": "fine\n{{#include /etc/passwd}}\n"}},
		"a page that includes other lines": {markdowns: page("one\n{{#include a.md:1}}")},
		"a page may include SUMMARY.md":    {markdowns: page("{{#include SUMMARY.md}}")},
		"a file of the container":          {markdowns: page("# A\n\nsee {{#include /etc/passwd}}"), errors: []string{"a.md:3:5: {{#include /etc/passwd}}" + host}},
		"the token":                        {markdowns: page("{{#include /var/run/secrets/kubernetes.io/serviceaccount/token}}"), errors: []string{"a.md:1:1: {{#include /var/run/secrets/kubernetes.io/serviceaccount/token}}" + host}},
		"out of the book":                  {markdowns: page("{{#include ../../etc/passwd}}"), errors: []string{"a.md:1:1: {{#include ../../etc/passwd}}" + leaves}},
		"out of the book by many steps":    {markdowns: texts{"a.md": "{{#include d/../../../x}}", "d/b.md": ""}, errors: []string{"a.md:1:1: {{#include d/../../../x}}" + leaves}},
		"in a code block":                  {markdowns: page("```\n{{#include /etc/passwd}}\n```"), errors: []string{"a.md:2:1: {{#include /etc/passwd}}" + host}},
		"in a comment":                     {markdowns: page("<!-- {{#include /etc/passwd}} -->"), errors: []string{"a.md:1:6: {{#include /etc/passwd}}" + host}},
		"over two lines":                   {markdowns: page("{{ #include\n/etc/passwd\n}}"), errors: []string{"a.md:1:1: {{ #include /etc/passwd }}" + host}},
		"with a wide space":                {markdowns: page("{{#include\u3000/etc/passwd}}"), errors: []string{"a.md:1:1: {{#include /etc/passwd}}" + host}},
		"with a next-line character":       {markdowns: page("{{\u0085#include\u2028/etc/passwd}}"), errors: []string{"a.md:1:1: {{ #include /etc/passwd}}" + host}},
		"by rustdoc_include":               {markdowns: page("{{#rustdoc_include /etc/passwd:3}}"), errors: []string{"a.md:1:1: {{#rustdoc_include /etc/passwd:3}}" + host}},
		"by playground":                    {markdowns: page("{{#playground /etc/passwd}}"), errors: []string{"a.md:1:1: {{#playground /etc/passwd}}" + host}},
		"by playpen":                       {markdowns: page("{{#playpen /etc/passwd}}"), errors: []string{"a.md:1:1: {{#playpen /etc/passwd}}" + host}},
		"missing":                          {markdowns: page("{{#include no.md}}"), errors: []string{"a.md:1:1: {{#include no.md}}: the book has no file no.md" + addIt}},
		"missing, other case":              {markdowns: page("{{#include X.rs}}"), assets: files{"x.rs": ""}, errors: []string{"a.md:1:1: {{#include X.rs}}: the book has no file X.rs (there is x.rs)" + addIt}},
		"a folder":                         {markdowns: page("{{#include d}}"), assets: files{"d/x": ""}, errors: []string{"a.md:1:1: {{#include d}} names a folder: name a file in it" + orText}},
		"an image":                         {markdowns: page("{{#include a.png}}"), assets: files{"a.png": "\xff"}, errors: []string{"a.md:1:1: {{#include a.png}}: the file is not text (UTF-8): link to it instead"}},
		"through an asset":                 {markdowns: page("{{#include x.md}}"), assets: files{"x.md": "fine\n{{#include /etc/passwd}}\n"}, errors: []string{"x.md:2:1: {{#include /etc/passwd}}" + host}},
		"through lines of an asset":        {markdowns: page("{{#include x.md:3}}"), assets: files{"x.md": "1\n2\n{{#include /etc/passwd}}\n"}, errors: []string{"x.md:3:1: {{#include /etc/passwd}}" + host}},
		"relative to the included file":    {markdowns: page("{{#include d/x.md}}"), assets: files{"d/x.md": "{{#include y.md}}", "y.md": ""}, errors: []string{"d/x.md:1:1: {{#include y.md}}: the book has no file d/y.md" + addIt}},
		"joined by an anchor's lines":      {markdowns: page("{{#include x.md:s}}"), assets: files{"x.md": "ANCHOR: s\n{{#include\nx.md:1 ANCHOR: t\n/etc/passwd}}\nANCHOR_END: s\n"}, errors: []string{"x.md:2:1: {{#include /etc/passwd}}" + host}},
		"joined by a playground's fence":   {markdowns: page("{{#playground x.md {{#include }}"), assets: files{"x.md": "/etc/passwd }}"}, errors: []string{"x.md:1:9: {{#include /etc/passwd }}" + host}},
		"hidden by a name from the future": {markdowns: page("{{#include x.md:s}}"), assets: files{"x.md": "ANCHOR: s\nANCHOR_END: s\U0003FFFD\n"}, errors: []string{"a.md:1:1: {{#include x.md:s}}: an anchor of x.md has a character that Unicode " + unicode.Version + " lacks: rename the anchor"}},
		"itself":                           {markdowns: page("{{#include a.md}}"), errors: []string{"a.md:1:1: {{#include a.md}} includes itself (a.md → a.md): mdBook would leave the text out after 10 rounds"}},
		"in a circle":                      {markdowns: texts{"a.md": "{{#include b.md}}", "b.md": "\n{{#include c.md}}", "c.md": "{{#include b.md}}"}, errors: []string{"c.md:1:1: {{#include b.md}} includes itself (b.md → c.md → b.md): mdBook would leave the text out after 10 rounds"}},
		"eleven deep":                      {markdowns: chain(11), errors: []string{"i10.md:1:1: {{#include i11.md}} lies more than 10 includes deep; mdBook would leave its text out"}},
		"a bomb":                           {markdowns: bomb(), errors: []string{"a.md: with its includes the book grows to more than 64 MiB: include less"}},
	}
}

// chain is a page with includes that lie depth deep in each other.
func chain(depth int) texts {
	m := texts{"a.md": "{{#include i1.md}}"}
	for i := 1; i <= depth; i++ {
		m[name(i)] = "{{#include " + name(i+1) + "}}"
	}
	m[name(depth)] = "end"
	return m
}

func name(i int) string {
	return "i" + strings.TrimLeft(string(rune('0'+i/10))+string(rune('0'+i%10)), "0") + ".md"
}

// bomb is nine files that each include the next ten times: a few hundred bytes become gigabytes.
func bomb() texts {
	m := chain(9)
	for p, text := range m {
		if strings.Contains(text, "include") {
			m[p] = strings.Repeat(text, 10)
		}
	}
	return m
}
