// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"fmt"
	"maps"
	"strings"
)

// Accepted is an odd object that must work.
type Accepted struct {
	Object
	// Warnings are what the webhook tells, in order.
	Warnings []string
}

const (
	nfc = "caf\u00e9.md"
	nfd = "cafe\u0301.md"
)

// AcceptedObjects is the table, by the name of each case.
func AcceptedObjects() map[string]Accepted {
	all := acceptedFields()
	maps.Copy(all, acceptedBooks())
	return all
}

func acceptedBook(spec string, warnings ...string) Accepted {
	return Accepted{Object{Spec: spec}, warnings}
}

// acceptedFields are odd values of single fields and odd paths.
func acceptedFields() map[string]Accepted {
	image := func(name string) Accepted {
		return Accepted{Object: Object{Spec: specWith(`, "viewerImage": `+encode(name), "SUMMARY.md", "- [A](a.md)", "a.md", "")}}
	}
	path := func(p string) Accepted {
		return Accepted{Object: Object{Spec: spec("SUMMARY.md", "- [A](<"+p+">)", p, "text")}}
	}
	book := acceptedBook
	named := func(metadata string) Accepted { return Accepted{Object: Object{metadata, page("text")}} }
	deep := strings.Repeat("d/", 100) + "a.md"
	long := strings.Repeat("x", 255) + "/" + strings.Repeat("y", 250) + "/a.md"

	return map[string]Accepted{
		"replicas left out": book(page("text")),
		"replicas null":     book(specWith(`, "replicas": null`, "SUMMARY.md", "- [A](a.md)", "a.md", "")),
		"replicas 1":        book(specWith(`, "replicas": 1`, "SUMMARY.md", "- [A](a.md)", "a.md", "")),
		"replicas 5":        book(specWith(`, "replicas": 5`, "SUMMARY.md", "- [A](a.md)", "a.md", "")),
		"assets null":       book(specWith(`, "assets": null`, "SUMMARY.md", "- [A](a.md)", "a.md", "")),
		"assets empty":      book(specWith(`, "assets": {}`, "SUMMARY.md", "- [A](a.md)", "a.md", "")),

		"name of 56 characters": named(`{"name": "` + strings.Repeat("n", 56) + `"}`),
		"name of one character": named(`{"name": "n"}`),
		"name of digits":        named(`{"name": "2026"}`),
		"generated name":        named(`{"generateName": "book-"}`),
		"labels, annotations":   named(`{"name": "annotated", "labels": {"team": "docs"}, "annotations": {"view.bobuhiro11.net/paused": "true"}}`),

		"image empty":             image(""),
		"image with a tag":        image("docker.io/peaceiris/mdbook:v0.5.0"),
		"image of a local port":   image("localhost:5000/team/mdbook:1"),
		"image of an IPv6 host":   image("[fd00::1]:5000/mdbook:1"),
		"image by digest":         image("mdbook@sha256:" + strings.Repeat("0a", 32)),
		"image by tag and digest": image("quay.io/a/b__c-d.e:v1@sha256:" + strings.Repeat("0a", 32)),
		"image without a tag": {image("peaceiris/mdbook").Object, []string{
			"spec.viewerImage: peaceiris/mdbook may be another image tomorrow: name a version, or leave the field empty for registry.example/mdbook:v0.5.4"}},
		"image latest of a port": {image("localhost:5000/mdbook:latest").Object, []string{
			"spec.viewerImage: localhost:5000/mdbook:latest may be another image tomorrow: name a version, or leave the field empty for registry.example/mdbook:v0.5.4"}},

		"path with folders":            path("a/b/c.md"),
		"path a hundred folders deep":  path(deep),
		"path of 512 characters":       path(long),
		"path with spaces":             path(" a  b .md"),
		"path in Japanese":             path("手順/再起動.md"),
		"path in Arabic":               path("دليل.md"),
		"path in Devanagari":           path("हिन्दी.md"),
		"path with a joiner (Persian)": path("می\u200cخواهم.md"),
		"path with an emoji family":    path("👩\u200d👩\u200d👧.md"),
		"path composed":                path(nfc),
		"path decomposed":              path(nfd),
		"path with shell characters":   path("$(rm -rf ~);'\"`|&*?.md"),
		"path with template braces":    path("{{ .Values }}.md"),
		"path with a colon and %":      path("C:100%.md"),
		"path like an option":          path("--help.md"),
		"path hidden":                  path(".hidden/.a.md"),
		"path with a dot at the end":   path("a./b..md"),
		"path Windows reserves":        path("con/aux.md"),
		"path of 253 bytes and .md":    path(strings.Repeat("x", 250) + ".md"),
		"path without an ending":       path("LICENSE"),
		"paths that differ by case": book(page("", "A.md", ""),
			"A.md: SUMMARY.md does not link to the page, so it is not published",
			"a.md: the path differs from A.md by case only, which many file systems cannot hold"),
	}
}

// acceptedBooks are odd sizes, texts, assets and settings.
func acceptedBooks() map[string]Accepted {
	book := acceptedBook
	toml := func(text string, warnings ...string) Accepted { return book(settings(text), warnings...) }
	const noFirstPage = "SUMMARY.md: it links to no page, so the site has no first page"
	return map[string]Accepted{
		"1024 files":                             book(fmt.Sprintf(`{"markdowns": %s}`, pages(1023))),
		"1024 assets":                            book(specWith(`, "assets": `+images(1024), "SUMMARY.md", "- [A](a.md)", "a.md", "")),
		"a file of a million bytes":              book(page(strings.Repeat("x", 1_000_000))),
		"a book close to the limit":              book(page(strings.Repeat("x", 800_000), "SUMMARY.md", "- [A](a.md)\n- [B](b.md)\n", "b.md", strings.Repeat("y", 500_000))),
		"empty SUMMARY.md":                       book(spec("SUMMARY.md", ""), noFirstPage),
		"drafts only":                            book(spec("SUMMARY.md", "- [A]()\n- [B]()"), noFirstPage),
		"empty pages":                            book(page("")),
		"text with NUL and controls":             book(page("a\u0000b\u0007\u001b[31m\r\n\u2028\ufffd")),
		"text with template braces":              book(page("{{ .Values.x }} {{- template }} \\{{#include /etc/passwd}}")),
		"text like YAML":                         book(page("---\nkind: Secret\n---\n&a *a !!binary |\n")),
		"a byte order mark":                      book(page("\ufeff# A")),
		"includes within the book":               book(page("{{#include part.md}}", "part.md", "{{#include SUMMARY.md}}")),
		"an empty asset":                         book(asset("images/empty.png", "")),
		"an asset that is no text":               book(asset("画像/\u00e9.png", "\x00\xff\x89PNG")),
		"an asset that is null":                  book(specWith(`, "assets": {"a.png": null}`, "SUMMARY.md", "- [A](a.md)", "a.md", "")),
		"an asset in lines, as base64 prints it": book(specWith(`, "assets": {"a.png": "\n//79\r\n +/8=\n"}`, "SUMMARY.md", "- [A](a.md)", "a.md", "")),
		"an asset of 950,000 bytes":              book(asset("big.bin", strings.Repeat("x", 950_000))),
		"an asset as a page":                     book(fmt.Sprintf(`{"markdowns": {"SUMMARY.md": "- [A](a.md)"}, "assets": {"a.md": %q}}`, "IyBB")),
		"an asset that hides a page":             book(asset("a.html", "x"), "a.html: the file takes the place of the page that a.md becomes: rename one of them"),
		"README and index":                       book(spec("SUMMARY.md", "- [A](README.md)\n- [B](index.md)", "README.md", "", "index.md", ""), "SUMMARY.md:2:3: README.md and index.md both become index.html, and the later one wins: rename one of them"),
		"a page that nobody links to":            book(page("", "b.md", ""), "b.md: SUMMARY.md does not link to the page, so it is not published"),
		"a page for not found":                   book(page("", "404.md", "# Not here")),
		"a page for the contents":                book(spec("SUMMARY.md", "- [A](toc.md)", "toc.md", ""), "SUMMARY.md:1:3: toc.md takes the place of mdBook's own toc.html, which readers without JavaScript need: rename the page"),
		"settings empty":                         toml(""),
		"settings in full":                       toml("[book]\ntitle = \"手順書\"\nauthors = [\"a\"]\nlanguage = \"ja\"\nsrc = \"./src/\"\n[output.html]\nadditional-css = [\"src/extra.css\"]\ndefault-theme = \"navy\"\n[output.html.redirect]\n\"/old.html\" = \"a.html\"\n"),
		"settings with a preprocessor":           toml("[preprocessor.toc]\ncommand = \"mdbook-toc\"\n[preprocessor.mermaid]\n[preprocessor.links]\n"),
		"settings mdBook dropped": toml("[book]\nmultilingual = false\n[google]\n",
			"book.toml:2: mdBook 0.5 does not know the setting book.multilingual and refuses to build with it: remove it",
			"book.toml:3: mdBook 0.5 does not know the setting google and refuses to build with it: remove it"),
		"an image that fills Helm's record": book(asset("photo.jpg", noise(750_000)),
			"the book takes 732 KiB even when compressed; above 700 KiB Helm's record of it may be too large, and it would not be published: make images smaller, or serve them from elsewhere"),
		"settings with a build folder": toml("[build]\nbuild-dir = \"out\"\n", "book.toml:2: build-dir has no effect: the operator decides where the site is built"),
	}
}
