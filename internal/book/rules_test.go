// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestSettings(t *testing.T) { judge(t, settingsCases()) }

func settingsCases() map[string]verdict {
	book := func(toml string, errors ...string) verdict {
		return verdict{markdowns: texts{"book.toml": toml}, assets: files{"x.css": "", "theme/head.hbs": ""}, errors: errors}
	}
	const (
		bareName = ` is refused: it must be the bare name of a program mdbook-NAME of the viewer image, without folder or arguments`
		onlyOurs = ` leaves the book: only what spec.markdowns and spec.assets hold can be used, and it lies in "src"`
		addIt    = ": add it to spec.markdowns or spec.assets"
		wrong    = " has a value of the wrong type: mdBook cannot read its settings"
		noTOML   = ": mdBook cannot read its settings, mend the TOML"
	)
	return map[string]verdict{
		"empty": book(""),
		"all that mdBook knows": book("[book]\ntitle = \"手順\"\nauthors = [\"a\", \"b\"]\ndescription = \"d\"\nlanguage = \"ja\"\ntext-direction = \"ltr\"\nsrc = \"src\"\n" +
			"[rust]\nedition = \"2024\"\n[build]\ncreate-missing = true\nuse-default-preprocessors = true\nextra-watch-dirs = [\"x\"]\n" +
			"[output.html]\ntheme = \"src/theme\"\nadditional-css = [\"src/x.css\"]\nadditional-js = []\n" +
			"[output.html.search]\nlimit-results = 20\n[output.html.redirect]\n\"/old.html\" = \"a.html\"\n[output.html.playground]\neditable = true\n"),
		"dotted keys":                book("book.title = \"a\"\noutput.html.additional-css = [\"src/../src/x.css\"]\n"),
		"the order of preprocessors": book("[preprocessor.links]\nbefore = [\"index\"]\n"),
		"a page for not found":       {markdowns: texts{"book.toml": "[output.html]\ninput-404 = \"lost.md\"\n", "lost.md": "# Lost"}},
		"no page for not found":      book("[output.html]\ninput-404 = \"\"\n"),

		"no TOML":          book("[book\n", "book.toml:1:6: expected ']' to close table name"+noTOML),
		"a key twice":      book("[book]\ntitle = \"a\"\ntitle = \"b\"\n", "book.toml:3:1: key title is already defined"+noTOML),
		"a wrong type":     book("[book]\ntitle = 3\n", "book.toml:2:9: the setting book.title"+wrong),
		"authors a text":   book("[book]\nauthors = \"a\"\n", "book.toml:2:11: the setting book.authors"+wrong),
		"a table a text":   book("book = \"a\"\n", "book.toml:1:8: the setting book"+wrong),
		"a command a list": book("[preprocessor.x]\ncommand = [\"sh\"]\n", "book.toml:2:11: the setting preprocessor.x.command"+wrong),
		"other sources":    book("[book]\n\nsrc = \"docs\"\n", "book.toml:3: src is \"docs\", but the operator puts the files of spec.markdowns into \"src\": remove the line"),
		"the container":    book("[book]\nsrc = \"/etc\"\n", "book.toml:2: src is \"/etc\", but the operator puts the files of spec.markdowns into \"src\": remove the line"),
		"another renderer": book("[output.html]\n[output.linkcheck]\noptional = true\n",
			"book.toml:2: [output.linkcheck] adds a renderer, with which mdBook puts the site elsewhere: only [output.html] can be served, remove this table"),
		"the Markdown renderer": book("[output.markdown]\n",
			"book.toml:1: [output.markdown] adds a renderer, with which mdBook puts the site elsewhere: only [output.html] can be served, remove this table"),
		"a shell":                                book("[preprocessor.x]\ncommand = \"sh -c env\"\n", `book.toml:1: command "sh -c env"`+bareName),
		"an argument":                            book("[preprocessor.x]\ncommand = \"mdbook-x --y\"\n", `book.toml:1: command "mdbook-x --y"`+bareName),
		"a second key that mdBook does not read": book("[preprocessor.x]\ncommand = \"sh -c env\"\nCommand = \"mdbook-ok\"\n", `book.toml:1: command "sh -c env"`+bareName),
		"a byte order mark before a shell":       book("\uFEFF[preprocessor.x]\ncommand = \"sh -c env\"\n", `book.toml:1: command "sh -c env"`+bareName),
		"a folder":                               book("[preprocessor.x]\ncommand = \"src/mdbook-x\"\n", `book.toml:1: command "src/mdbook-x"`+bareName),
		"a name with a slash":                    book("[preprocessor.\"../x\"]\n", `book.toml:1: command "mdbook-../x"`+bareName),
		"another links":                          book("[preprocessor.links]\ncommand = \"cat\"\n", `book.toml:1: command "cat"`+bareName),
		"a theme outside":                        book("[output.html]\ntheme = \"../theme\"\n", `book.toml:2: "../theme"`+onlyOurs),
		"a theme of the host":                    book("[output.html]\ntheme = \"/etc\"\n", `book.toml:2: "/etc"`+onlyOurs),
		"a theme that is not":                    book("[output.html]\ntheme = \"theme\"\n", "book.toml:2: the book has no folder theme (the book's files lie in src: write src/theme)"+addIt),
		"a style outside":                        book("[output.html]\nadditional-css = [\n  \"src/x.css\",\n  \"../../etc/passwd\",\n]\n", `book.toml:2: "../../etc/passwd"`+onlyOurs),
		"a style that is not":                    book("[output.html]\nadditional-css = [\"x.css\"]\n", "book.toml:2: the book has no file x.css (the book's files lie in src: write src/x.css)"+addIt),
		"a script outside":                       book("[output.html]\nadditional-js = [\"/etc/passwd\"]\n", `book.toml:2: "/etc/passwd"`+onlyOurs),
		"not found outside":                      book("[output.html]\ninput-404 = \"../../etc/passwd\"\n", `book.toml:2: "../../etc/passwd"`+onlyOurs),
		"not found is not":                       book("[output.html]\ninput-404 = \"lost.md\"\n", "book.toml:2: the book has no file src/lost.md"+addIt),
		"a redirect outside":                     book("[output.html.redirect]\n\"/../../x\" = \"a.html\"\n", `book.toml:2: the redirect "/../../x" leaves the site: use a path below it`),
	}
}

func TestPublished(t *testing.T) { judge(t, publishedCases()) }

func publishedCases() map[string]verdict {
	const notLinked = ": SUMMARY.md does not link to the page, so it is not published"
	return map[string]verdict{
		"nothing":                {},
		"an asset":               {assets: files{"a.png": "\xff"}},
		"a page nobody links to": {markdowns: texts{"b.md": "", "c/d.md": ""}, warnings: []string{"b.md" + notLinked, "c/d.md" + notLinked}},
		"404.md":                 {markdowns: texts{"404.md": "# Lost"}},
		"an asset over a page":   {assets: files{"a.html": ""}, warnings: []string{"a.html: the file takes the place of the page that a.md becomes: rename one of them"}},
		"README over index": {markdowns: texts{"SUMMARY.md": "- [A](d/readme.md)\n- [B](d/index.md)", "d/readme.md": "", "d/index.md": ""},
			warnings: []string{"SUMMARY.md:2:3: d/readme.md and d/index.md both become d/index.html, and the later one wins: rename one of them"}},
		"toc.md": {markdowns: texts{"SUMMARY.md": "- [A](toc.md)", "toc.md": ""},
			warnings: []string{"SUMMARY.md:1:3: toc.md takes the place of mdBook's own toc.html, which readers without JavaScript need: rename the page"}},
		"case":      {markdowns: texts{"B.txt": "", "b.txt": ""}, warnings: []string{"b.txt: the path differs from B.txt by case only, which many file systems cannot hold"}},
		"build-dir": {markdowns: texts{"book.toml": "[build]\nbuild-dir = \"out\"\n"}, warnings: []string{"book.toml:2: build-dir has no effect: the operator decides where the site is built"}},
		"settings of mdBook 0.4": {markdowns: texts{"book.toml": "[book]\nmultilingual = false\n"},
			warnings: []string{"book.toml:2: mdBook 0.5 does not know the setting book.multilingual and refuses to build with it: remove it"}},
		"errors leave no warnings": {markdowns: texts{"b.md": "", "a.md": "{{#include no.md}}"},
			errors: []string{`a.md:1:1: {{#include no.md}}: the book has no file no.md: add it to spec.markdowns or spec.assets, or write \{{# to show the directive as text`}},
	}
}

func TestPathProblem(t *testing.T) {
	cases := map[string]string{
		"a.md": "", "手順/再起動.md": "", " ": "", "...a"[1:]: "the path has a part that begins with '..': it must stay within the book, and the kubelet keeps such names for itself",
		"می\u200cخواهم.md": "", "👩\u200d👧.md": "", "cafe\u0301.md": "", "con": "", ".hidden": "", "a\u00a0b": "", "a\u3000b": "",
		strings.Repeat("x", 255):         "",
		strings.Repeat("x", 256):         "the path has a part of 256 bytes; a file name has at most 255",
		strings.Repeat("あ", 86):          "the path has a part of 258 bytes; a file name has at most 255",
		strings.Repeat("a/", 255) + "bb": "",
		strings.Repeat("a/", 256) + "b":  "the path has 513 characters; it must have 1 to 512",
		"":                               "the path has 0 characters; it must have 1 to 512",
		"/a":                             "the path begins with /: it must be relative to the book",
		"a//b":                           "the path has an empty part: write one / between folders and none at the end",
		"a/":                             "the path has an empty part: write one / between folders and none at the end",
		"a/./b":                          "the path has a part '.': leave it out",
		`a\b`:                            "the path holds a backslash: folders are separated by /",
		"a\x00b":                         "the path holds the control character U+0000",
		"a\u0085b":                       "the path holds the control character U+0085",
		"a\u202eb":                       "the path holds U+202E, which nobody can see: remove it",
		"a\u200bb":                       "the path holds U+200B, which nobody can see: remove it",
		"a\ufffdb":                       "the path holds U+FFFD, which nobody can see: remove it",
		"a\uffffb":                       "the path holds U+FFFF, which nobody can see: remove it",
		"a\U000E0041b":                   "the path holds U+E0041, which nobody can see: remove it",
		"a\xffb":                         "the path is not valid UTF-8",
		"a\xed\xa0\x80b":                 "the path is not valid UTF-8",
	}
	for path, want := range cases {
		if got := PathProblem(path); got != want {
			t.Errorf("PathProblem(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestPaths(t *testing.T) {
	judge(t, map[string]verdict{
		"a file that is a folder":       {markdowns: texts{"a.md/b.md": ""}, errors: []string{"a.md: the path is a file, and also a folder of a.md/b.md: rename one of them"}},
		"a file deep in a file":         {assets: files{"x": "", "x/y/z": ""}, errors: []string{"x: the path is a file, and also a folder of x/y/z: rename one of them"}},
		"in both maps":                  {assets: files{"a.md": ""}, errors: []string{"a.md: the path is in both markdowns and assets: keep one of them"}},
		"settings as bytes":             {assets: files{"book.toml": ""}, errors: []string{"book.toml: the settings are text: move them from assets to markdowns"}},
		"composed and decomposed":       {assets: files{"caf\u00e9": "", "cafe\u0301": ""}, errors: []string{`café: the path, "caf\u00e9", looks the same as "cafe\u0301": rename one of them`}},
		"equal but for a joiner":        {assets: files{"b": "", "b\u200d": ""}, errors: []string{"b\u200d: the path, \"b\\u200d\", looks the same as \"b\": rename one of them"}},
		"a bad path shows what it is":   {assets: files{"a\u202egnp": ""}, errors: []string{`"a\u202egnp": the path holds U+202E, which nobody can see: remove it`}},
		"a folder of a like-named file": {markdowns: texts{"SUMMARY.md": "- [A](a/b.md)", "a/b.md": ""}, assets: files{"a.md": ""}, warnings: []string{"a.md: SUMMARY.md does not link to the page, so it is not published"}},
	})
	errors := lines(Check(map[string]string{"a.md": ""}, nil))
	if diff := cmp.Diff([]string{"SUMMARY.md: markdowns must have SUMMARY.md."}, errors); diff != "" {
		t.Errorf("without SUMMARY.md (-want +got):\n%s", diff)
	}
}

// noise is n bytes that do not compress, the same ones every time.
func noise(t *testing.T, n int) string {
	t.Helper()
	content := make([]byte, n)
	if _, err := rand.NewChaCha8([32]byte{}).Read(content); err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestSize(t *testing.T) {
	judge(t, map[string]verdict{
		"images as large as promised, and text": {markdowns: texts{"a.md": strings.Repeat("text ", 60_000)}, assets: files{"a.jpg": noise(t, RecordRoomBytes-8<<10)}},
		"images beyond that": {assets: files{"a.jpg": noise(t, 750_000)}, warnings: []string{
			"the book takes 732 KiB even when compressed; above 700 KiB Helm's record of it may be too large, and it would not be published: make images smaller, or serve them from elsewhere"}},
		"large files that compress": {assets: files{"a.svg": strings.Repeat("<path/>", 130_000)}},
		"a million bytes":           {markdowns: texts{"a.md": strings.Repeat("x", MaxFileBytes)}},
		"a million bytes and one":   {markdowns: texts{"a.md": strings.Repeat("x", MaxFileBytes+1)}, errors: []string{"a.md: the file has 1000001 bytes, the limit is 1000000: split it, or serve it from elsewhere"}},
		"escapes count": {markdowns: texts{"a.md": strings.Repeat("<", 220_000)}, errors: []string{
			"the book takes 1320069 bytes as stored JSON (each of < > & takes 6, an asset a third more than its size); the limit is 1310720: split the book, or serve large files from elsewhere"}},
		"assets count by a third more": {assets: files{"a": strings.Repeat("x", 990_000)}, errors: []string{
			"the book takes 1320088 bytes as stored JSON (each of < > & takes 6, an asset a third more than its size); the limit is 1310720: split the book, or serve large files from elsewhere"}},
	})
}

func TestFindingsAreBounded(t *testing.T) {
	var list strings.Builder
	for i := range 200 {
		fmt.Fprintf(&list, "- [A](%03d.md)\n", i)
	}
	errors := Check(map[string]string{"SUMMARY.md": list.String()}, nil)
	if len(errors) != MaxFindings+1 {
		t.Fatalf("%d findings, want %d", len(errors), MaxFindings+1)
	}
	if got, want := errors[MaxFindings].String(), "and 150 more: mend the ones above first"; got != want {
		t.Errorf("the last finding is %q, want %q", got, want)
	}
	if got, want := errors[0].String(), "SUMMARY.md:1:3: page 000.md is not in spec.markdowns: add it, or correct the link"; got != want {
		t.Errorf("the first finding is %q, want %q", got, want)
	}
}

// TestMdBookGuide reads mdBook's own guide, which MDBOOK_GUIDE names or which lies beside the project: a
// real book of 40 pages. It has three things that are refused on purpose, and nothing else.
func TestMdBookGuide(t *testing.T) {
	root := os.Getenv("MDBOOK_GUIDE")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "cases", "books", "mdbook-guide")
	}
	if _, err := os.Stat(root); err != nil {
		t.Skipf("mdBook's guide is not here (set MDBOOK_GUIDE to the folder guide of its sources): %v", err)
	}
	markdowns, assets := map[string]string{}, map[string][]byte{}
	for _, pattern := range []string{"*", "*/*", "*/*/*", "*/*/*/*"} {
		names, err := filepath.Glob(filepath.Join(root, "src", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			key, _ := filepath.Rel(filepath.Join(root, "src"), name)
			text, err := os.ReadFile(name)
			switch {
			case err != nil: // a folder
			case filepath.Ext(key) == ".md" && utf8.Valid(text):
				markdowns[key] = string(text)
			default:
				assets[key] = text
			}
		}
	}
	settings, err := os.ReadFile(filepath.Join(root, "book.toml"))
	if err != nil {
		t.Fatal(err)
	}
	markdowns["book.toml"] = string(settings)
	const out = " leaves the book: add the file to spec.markdowns or spec.assets and include it from there, or write \\{{# to show the directive as text"
	want := []string{
		`book.toml:37: command "cargo run --quiet --manifest-path guide-helper/Cargo.toml" is refused: it must be the bare name of a program mdbook-NAME of the viewer image, without folder or arguments`,
		"for_developers/preprocessors.md:42:1: {{#include ../../../examples/nop-preprocessor.rs}}" + out,
		"for_developers/preprocessors.md:69:1: {{#rustdoc_include ../../../examples/remove-emphasis/mdbook-remove-emphasis/src…" + out,
	}
	if diff := cmp.Diff(want, lines(Check(markdowns, assets))); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

func BenchmarkCheck(b *testing.B) {
	markdowns := map[string]string{}
	var list strings.Builder
	for i := range 200 {
		fmt.Fprintf(&list, "- [Page](%03d.md)\n", i)
		markdowns[fmt.Sprintf("%03d.md", i)] = strings.Repeat("Some words, a `{{name}}` and {{#include part.md:1:2}}.\n", 60)
	}
	markdowns["SUMMARY.md"], markdowns["part.md"] = list.String(), "one\ntwo\nthree\n"
	b.ReportAllocs()
	for b.Loop() {
		if findings := Check(markdowns, nil); len(findings) > 0 {
			b.Fatal(findings)
		}
	}
}
