// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"fmt"
	"strings"
)

// Refused is an object that must not get in.
type Refused struct {
	Object
	// Schema are the lines without the webhooks; nil means that the schema alone takes the object.
	Schema []string
	// Webhook are the lines of the webhook, for what the schema takes.
	Webhook []string
}

// The words of the schema.
const (
	needsSummary = "spec.markdowns: Required value: markdowns must have SUMMARY.md."
	badReplicas  = ": replicas must be in the range of 1 to 5."
	badLength    = ": Invalid value: a path must have 1 to 512 characters, and each part of it at most 255."
	badCharacter = ": Invalid value: a path must not hold a backslash, a control character or an invisible one."
	badBoth      = "spec.assets: Invalid value: a path must not be in both markdowns and assets."
	badTotal     = "spec.markdowns: Invalid value: markdowns and assets together must stay below 1.25 MiB: split the book, or serve large files from elsewhere."
	badImage     = ": viewerImage must be an image reference, such as docker.io/peaceiris/mdbook:v0.5.2."
	longName     = "<nil>: Invalid value: metadata.name must have at most 56 characters: the Service viewer-<name> must fit into 63."
	dotInName    = "<nil>: Invalid value: metadata.name must have no dot: it becomes part of the Service's host name."
	notChecked   = "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"
	noRFC1123    = ": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

	// The scale subresource has an opinion of its own on spec.replicas.
	replicasAccessor = ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: "
)

// The words of the webhook.
const (
	inMarkdowns = "spec.markdowns: Invalid value: "
	inAssets    = "spec.assets: Invalid value: "
	orText      = `, or write \{{# to show the directive as text`
	ofContainer = " names a file of the builder's container, not of the book: use a path relative to this file"
	leaves      = " leaves the book: add the file to spec.markdowns or spec.assets and include it from there"
	onlyOurs    = ` leaves the book: only what spec.markdowns and spec.assets hold can be used, and it lies in "src"`
	bareName    = `" is refused: it must be the bare name of a program mdbook-NAME of the viewer image, without folder or arguments`
	mustLink    = "an entry of the list must begin with a link, [title](page.md), or [title]() for a draft"
)

// RefusedObjects is the table, by the name of each case.
func RefusedObjects() map[string]Refused {
	all := map[string]Refused{}
	for _, part := range []map[string]Refused{
		refusedReplicas(), refusedMarkdowns(), refusedNames(), refusedImages(), refusedPaths(), refusedAssets(),
		refusedSizes(), refusedBooks(), refusedSettings(),
	} {
		for name, c := range part {
			if _, twice := all[name]; twice {
				panic("two cases are called " + name)
			}
			all[name] = c
		}
	}
	return all
}

func bySchema(spec string, lines ...string) Refused {
	return Refused{Object: Object{Spec: spec}, Schema: lines}
}
func byWebhook(spec string, lines ...string) Refused {
	return Refused{Object: Object{Spec: spec}, Webhook: lines}
}

func refusedReplicas() map[string]Refused {
	replicas := func(value string, lines ...string) Refused {
		return bySchema(fmt.Sprintf(`{"replicas": %s, "markdowns": {"SUMMARY.md": ""}}`, value), lines...)
	}
	return map[string]Refused{
		"replicas 0":            replicas("0", "spec.replicas: Invalid value: 0"+badReplicas),
		"replicas -1":           replicas("-1", ".spec.replicas: Invalid value: -1: should be a non-negative integer", "spec.replicas: Invalid value: -1"+badReplicas),
		"replicas 6":            replicas("6", "spec.replicas: Invalid value: 6"+badReplicas),
		"replicas 1000":         replicas("1000", "spec.replicas: Invalid value: 1000"+badReplicas),
		"replicas beyond int32": replicas("2147483648", ".spec.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647", "<nil>: Invalid value: \"\": Checked value must be of type integer with format int32 in spec.replicas", "spec.replicas: Invalid value: 2147483648: replicas must be in the range of 1 to 5."),
		"replicas 1.5":          replicas("1.5", replicasAccessor+"1.5 is of the type float64, expected int64", "<nil>: Invalid value: \"\": Checked value must be of type integer with format int32 in spec.replicas", notChecked, "spec.replicas: Invalid value: \"float64\": spec.replicas in body must be of type int32: \"float64\""),
		"replicas a string":     replicas(`"2"`, replicasAccessor+"2 is of the type string, expected int64", notChecked, "spec.replicas: Invalid value: \"string\": spec.replicas in body must be of type integer: \"string\""),
		"replicas true":         replicas("true", replicasAccessor+"true is of the type bool, expected int64", notChecked, "spec.replicas: Invalid value: \"\": spec.replicas in body must be of type int32: \"\""),
		"replicas a list":       replicas("[2]", replicasAccessor+"[2] is of the type []interface {}, expected int64", notChecked, "spec.replicas: Invalid value: \"array\": spec.replicas in body must be of type integer: \"array\""),
		"the sample's two errors": bySchema(`{"replicas": 1000, "markdowns": {"page1.md": ""}}`,
			needsSummary, "spec.replicas: Invalid value: 1000"+badReplicas),
	}
}

func refusedMarkdowns() map[string]Refused {
	return map[string]Refused{
		"no spec":                 bySchema("", notChecked, "spec: Required value"),
		"spec null":               bySchema("null", notChecked, "spec: Required value"),
		"spec a string":           bySchema(`"text"`, replicasAccessor+"text is of the type string, expected map[string]interface{}", notChecked, "spec: Invalid value: \"string\": spec in body must be of type object: \"string\""),
		"an unknown field":        bySchema(`{"markdowns": {"SUMMARY.md": ""}, "replica": 1}`, "MarkdownView in version \"v1\" cannot be handled as a MarkdownView: strict decoding error: unknown field \"spec.replica\""),
		"a field twice":           bySchema(`{"markdowns": {"SUMMARY.md": "", "SUMMARY.md": ""}}`, "MarkdownView in version \"v1\" cannot be handled as a MarkdownView: strict decoding error: duplicate field \"spec.markdowns.SUMMARY.md\""),
		"markdowns left out":      bySchema(`{}`, notChecked, "spec.markdowns: Required value"),
		"markdowns null":          bySchema(`{"markdowns": null}`, notChecked, "spec.markdowns: Required value"),
		"markdowns a list":        bySchema(`{"markdowns": ["SUMMARY.md"]}`, notChecked, inMarkdowns+"\"array\": spec.markdowns in body must be of type object: \"array\""),
		"markdowns a string":      bySchema(`{"markdowns": "SUMMARY.md"}`, notChecked, inMarkdowns+"\"string\": spec.markdowns in body must be of type object: \"string\""),
		"markdowns empty":         bySchema(`{"markdowns": {}}`, needsSummary),
		"no SUMMARY.md":           bySchema(spec("a.md", ""), needsSummary),
		"summary.md":              bySchema(spec("summary.md", ""), needsSummary),
		"SUMMARY.md in a folder":  bySchema(spec("src/SUMMARY.md", ""), needsSummary),
		"SUMMARY.md as an asset":  bySchema(`{"markdowns": {}, "assets": {"SUMMARY.md": ""}}`, needsSummary),
		"a text that is null":     bySchema(`{"markdowns": {"SUMMARY.md": null}}`, needsSummary),
		"a text that is a number": bySchema(`{"markdowns": {"SUMMARY.md": 1}}`, notChecked, "spec.markdowns.SUMMARY.md: Invalid value: \"integer\": spec.markdowns.SUMMARY.md in body must be of type string: \"integer\""),
		"a text that is a map":    bySchema(`{"markdowns": {"SUMMARY.md": {}}}`, notChecked, "spec.markdowns.SUMMARY.md: Invalid value: \"object\": spec.markdowns.SUMMARY.md in body must be of type string: \"object\""),
	}
}

func refusedNames() map[string]Refused {
	name := func(metadata string, lines ...string) Refused {
		return Refused{Object: Object{metadata, page("")}, Schema: lines}
	}
	return map[string]Refused{
		"name of 57 characters":       name(`{"name": "`+strings.Repeat("n", 57)+`"}`, longName),
		"name with a dot":             name(`{"name": "a.b"}`, dotInName),
		"name long and dotted":        name(`{"name": "`+strings.Repeat("n", 60)+`.b"}`, dotInName, longName),
		"name with capitals":          name(`{"name": "Book"}`, "metadata.name: Invalid value: \"Book\""+noRFC1123),
		"name with an underscore":     name(`{"name": "a_b"}`, "metadata.name: Invalid value: \"a_b\""+noRFC1123),
		"name empty":                  name(`{"name": ""}`, notChecked, "metadata.name: Required value: name or generateName is required"),
		"name in Japanese":            name(`{"name": "本"}`, "metadata.name: Invalid value: \"本\""+noRFC1123),
		"a generated name too long":   name(`{"generateName": "`+strings.Repeat("n", 52)+`"}`, longName),
		"a name that is a path":       name(`{"name": "../a"}`, dotInName, "metadata.name: Invalid value: \"../a\""+noRFC1123),
		"a label that is not one":     name(`{"name": "a", "labels": {"a b": "c"}}`, "metadata.labels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"),
		"metadata that is not a map":  name(`"a"`, "MarkdownView in version \"v1\" cannot be handled as a MarkdownView: json: cannot unmarshal string into Go value of type v1.ObjectMeta"),
		"a namespace of someone else": name(`{"name": "a", "namespace": "kube-system"}`, "the namespace of the provided object does not match the namespace sent on the request"),
	}
}

func refusedImages() map[string]Refused {
	image := func(value string) Refused {
		return bySchema(fmt.Sprintf(`{"viewerImage": %s, "markdowns": {"SUMMARY.md": ""}}`, encode(value)),
			"spec.viewerImage: Invalid value: "+encode(value)+badImage)
	}
	return map[string]Refused{
		"image with a space":       image("mdbook :1"),
		"image with a newline":     image("mdbook:1\n"),
		"image with capitals":      image("Peaceiris/MdBook:1"),
		"image as a URL":           image("https://example.com/mdbook:1"),
		"image with an empty tag":  image("mdbook:"),
		"image with a short hash":  image("mdbook@sha256:abc"),
		"image with a slash":       image("example.com/mdbook/"),
		"image like an option":     image("--privileged"),
		"image with a variable":    image("$(IMAGE)"),
		"image in Japanese":        image("画像:1"),
		"image of 513 characters":  bySchema(fmt.Sprintf(`{"viewerImage": %q, "markdowns": {"SUMMARY.md": ""}}`, strings.Repeat("m", 513)), notChecked, "spec.viewerImage: Too long: may not be more than 512 bytes"),
		"image that is a number":   bySchema(`{"viewerImage": 1, "markdowns": {"SUMMARY.md": ""}}`, notChecked, "spec.viewerImage: Invalid value: \"integer\": spec.viewerImage in body must be of type string: \"integer\""),
		"image with a tag too far": image("mdbook:" + strings.Repeat("1", 129)),
	}
}

func refusedPaths() map[string]Refused {
	relative := func(path string) Refused {
		return bySchema(withPath(path), "spec.markdowns: Invalid value: path '"+path+"' must be relative to the book, without an empty part, a part '.', or a part that begins with '..'.")
	}
	character := func(path string) Refused { return bySchema(withPath(path), "spec.markdowns"+badCharacter) }
	raw := func(path string) Refused {
		return bySchema(`{"markdowns": {"SUMMARY.md": "", "`+path+`": ""}}`, "spec.markdowns"+badCharacter)
	}
	return map[string]Refused{
		"path empty":                      bySchema(withPath(""), inMarkdowns+"a path must have 1 to 512 characters, and each part of it at most 255.", inMarkdowns+"path '' must be relative to the book, without an empty part, a part '.', or a part that begins with '..'."),
		"path of 513 characters":          bySchema(withPath(strings.Repeat("d/", 255)+"abc"), "spec.markdowns"+badLength),
		"path with a part of 256":         bySchema(withPath("d/"+strings.Repeat("x", 256)), "spec.markdowns"+badLength),
		"path with a part of 256 bytes":   byWebhook(withPath("d/"+strings.Repeat("é", 128)), inMarkdowns+"d/éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé: the path has a part of 256 bytes; a file name has at most 255"),
		"path /":                          relative("/"),
		"path absolute":                   relative("/etc/passwd"),
		"path with two slashes":           relative("a//b.md"),
		"path with a slash at the end":    relative("a/"),
		"path .":                          relative("."),
		"path ./a":                        relative("./b.md"),
		"path a/./b":                      relative("a/./b.md"),
		"path ..":                         relative(".."),
		"path ../a":                       relative("../b.md"),
		"path a/../b":                     relative("x/../b.md"),
		"path a/..":                       relative("x/.."),
		"path ..a (the kubelet's)":        relative("..data"),
		"path d/..a":                      relative("d/..2026/b.md"),
		"path with a backslash":           character(`a\b.md`),
		"path of Windows":                 character(`C:\a.md`),
		"path with NUL":                   character("a\x00.md"),
		"path with a newline":             character("a\n.md"),
		"path with a carriage return":     character("a\r.md"),
		"path with a tab":                 character("a\t.md"),
		"path with escape":                character("\x1b[2J.md"),
		"path with DEL":                   character("a\x7f.md"),
		"path with U+0085 (C1)":           character("a\u0085.md"),
		"path turned by U+202E":           character("a\u202emd.exe"),
		"path isolated by U+2066":         character("a\u2066b\u2069.md"),
		"path with a mark U+200E":         character("a\u200e.md"),
		"path with a mark U+061C":         character("a\u061c.md"),
		"path with zero width U+200B":     character("a\u200b.md"),
		"path with a word joiner U+2060":  character("a\u2060.md"),
		"path with a soft hyphen U+00AD":  character("a\u00ad.md"),
		"path with U+180E":                character("a\u180e.md"),
		"path with a byte order mark":     character("\ufeffa.md"),
		"path with a line separator":      character("a\u2028.md"),
		"path with U+FFFD":                character("a\ufffd.md"),
		"path with a tag U+E0041":         character("a\U000e0041.md"),
		"path with a lone surrogate":      raw(`a\ud800.md`),
		"path with a turned surrogate":    raw(`a\udc00\ud800.md`),
		"path that is not UTF-8":          raw("a\xff.md"),
		"path with an overlong slash":     raw("a\xc0\xafb.md"),
		"path that is CESU-8":             raw("a\xed\xa0\x80.md"),
		"paths composed and decomposed":   byWebhook(page("", nfc, "", nfd, ""), inMarkdowns+"café.md: the path, \"caf\\u00e9.md\", looks the same as \"cafe\\u0301.md\": rename one of them"),
		"paths equal but for joiners":     byWebhook(page("", "b.md", "", "b\u200d.md", ""), inMarkdowns+"b\u200d.md: the path, \"b\\u200d.md\", looks the same as \"b.md\": rename one of them"),
		"paths a file and its folder":     byWebhook(page("", "a.md/b.md", ""), inMarkdowns+"a.md: the path is a file, and also a folder of a.md/b.md: rename one of them"),
		"paths settings and their folder": byWebhook(page("", "book.toml", "", "book.toml/b.md", ""), inMarkdowns+"book.toml: the path is a file, and also a folder of book.toml/b.md: rename one of them"),
		"path with two faults":            bySchema(withPath("/a\u202e.md"), "spec.markdowns"+badCharacter, "spec.markdowns: Invalid value: path '/a\u202e.md' must be relative to the book, without an empty part, a part '.', or a part that begins with '..'."),
	}
}

func refusedAssets() map[string]Refused {
	raw := func(value string) string {
		return specWith(`, "assets": `+value, "SUMMARY.md", "- [A](a.md)", "a.md", "")
	}
	return map[string]Refused{
		"assets a list":                  bySchema(raw(`["a.png"]`), notChecked, inAssets+"\"array\": spec.assets in body must be of type object: \"array\""),
		"asset that is not base64":       bySchema(raw(`{"a.png": "***"}`), "spec.assets.a.png: Invalid value: \"***\": spec.assets.a.png in body should match '^\\s*(([A-Za-z0-9+/]\\s*){4})*(([A-Za-z0-9+/]\\s*){2}(=\\s*){2}|([A-Za-z0-9+/]\\s*){3}=\\s*)?$'"),
		"asset in URL-safe base64":       bySchema(raw(`{"a.png": "-_-_"}`), "spec.assets.a.png: Invalid value: \"-_-_\": spec.assets.a.png in body should match '^\\s*(([A-Za-z0-9+/]\\s*){4})*(([A-Za-z0-9+/]\\s*){2}(=\\s*){2}|([A-Za-z0-9+/]\\s*){3}=\\s*)?$'"),
		"asset that is a number":         bySchema(raw(`{"a.png": 1}`), notChecked, "spec.assets.a.png: Invalid value: \"integer\": spec.assets.a.png in body must be of type string: \"integer\""),
		"asset also a page":              bySchema(asset("a.md", "x"), badBoth),
		"asset absolute":                 bySchema(asset("/a.png", "x"), "spec.assets: Invalid value: path '/a.png' must be relative to the book, without an empty part, a part '.', or a part that begins with '..'."),
		"asset out of the book":          bySchema(asset("i/../../a.png", "x"), "spec.assets: Invalid value: path 'i/../../a.png' must be relative to the book, without an empty part, a part '.', or a part that begins with '..'."),
		"asset with a turned path":       bySchema(asset("a\u202egnp.exe", "x"), "spec.assets"+badCharacter),
		"asset with a long path":         bySchema(asset(strings.Repeat("x", 256), "x"), "spec.assets"+badLength),
		"asset in a page as a folder":    byWebhook(asset("a.md/b.png", "x"), inMarkdowns+"a.md: the path is a file, and also a folder of a.md/b.png: rename one of them"),
		"asset as a folder of a page":    byWebhook(specWith(`, "assets": {"d": ""}`, "SUMMARY.md", "- [A](d/a.md)", "d/a.md", ""), inAssets+"d: the path is a file, and also a folder of d/a.md: rename one of them"),
		"asset that looks like a page":   byWebhook(specWith(`, "assets": {"`+nfd+`": ""}`, "SUMMARY.md", "- [A]("+nfc+")", nfc, ""), inMarkdowns+"café.md: the path, \"caf\\u00e9.md\", looks the same as \"cafe\\u0301.md\": rename one of them"),
		"asset that is the settings":     byWebhook(asset("book.toml", ""), inAssets+"book.toml: the settings are text: move them from assets to markdowns"),
		"asset that is an external page": byWebhook(specWith(`, "assets": {"a.png": "iVBO/w=="}`, "SUMMARY.md", "- [A](a.png)"), inMarkdowns+"SUMMARY.md:1:3: a.png is not text (UTF-8): a chapter is a Markdown file"),
	}
}

func refusedSizes() map[string]Refused {
	return map[string]Refused{
		"1025 files":                     bySchema(fmt.Sprintf(`{"markdowns": %s}`, pages(1024)), notChecked, "spec.markdowns: Too many: 1025: must have at most 1024 items"),
		"1025 assets":                    bySchema(specWith(`, "assets": `+images(1025), "SUMMARY.md", "- [A](a.md)", "a.md", ""), notChecked, "spec.assets: Too many: 1025: must have at most 1024 items"),
		"a file over a million":          bySchema(page(strings.Repeat("x", 1_000_001)), "spec.markdowns: Invalid value: file a.md must have at most 1000000 bytes."),
		"an asset over a million":        bySchema(asset("a.bin", strings.Repeat("x", 1_000_001)), badTotal),
		"text over the limit":            bySchema(page(strings.Repeat("x", 700_000), "b.md", strings.Repeat("x", 700_000)), badTotal),
		"text and asset over the limit":  bySchema(specWith(`, "assets": {"b": "`+strings.Repeat("AAAA", 200_000)+`"}`, "SUMMARY.md", strings.Repeat("x", 600_000)), badTotal),
		"Japanese file over a million":   byWebhook(page(strings.Repeat("あ", 340_000)), inMarkdowns+"a.md: the file has 1020000 bytes, the limit is 1000000: split it, or serve it from elsewhere"),
		"Japanese text over the limit":   byWebhook(page(strings.Repeat("あ", 220_000), "b.md", strings.Repeat("あ", 220_000)), inMarkdowns+"the book takes 1320089 bytes as stored JSON (each of < > & takes 6, an asset a third more than its size); the limit is 1310720: split the book, or serve large files from elsewhere"),
		"escaped text over the limit":    byWebhook(page(strings.Repeat("<", 220_000)), inMarkdowns+"the book takes 1320067 bytes as stored JSON (each of < > & takes 6, an asset a third more than its size); the limit is 1310720: split the book, or serve large files from elsewhere"),
		"a request of more than 3 MiB":   bySchema(page(strings.Repeat("x", 3_200_000)), "Request entity too large: limit is 3145728"),
		"table of contents too large":    byWebhook(spec("SUMMARY.md", "- [A](a.md)\n"+strings.Repeat("\n<!-- y -->\n", 24_000), "a.md", ""), inMarkdowns+"SUMMARY.md: the table of contents has 288012 bytes, the limit is 262144: split the book"),
		"table of contents in one line":  byWebhook(spec("SUMMARY.md", strings.Repeat("[A](a.md) ", 500), "a.md", ""), inMarkdowns+"SUMMARY.md:1: the line has 5000 bytes, the limit is 4096: write one chapter a line"),
		"settings too large":             byWebhook(page("", "book.toml", strings.Repeat("# y\n", 20_000)), inMarkdowns+"book.toml: the settings have 80000 bytes, the limit is 65536: remove what mdBook does not need"),
		"includes that grow to the moon": byWebhook(bomb(), inMarkdowns+"0.md: with its includes the book grows to more than 64 MiB: include less"),
	}
}

// bomb is eight files that each include the next ten times.
func bomb() string {
	files := []string{"SUMMARY.md", "- [A](0.md)", "8.md", "boom"}
	for i := range 8 {
		files = append(files, fmt.Sprintf("%d.md", i), strings.Repeat(fmt.Sprintf("{{#include %d.md}}", i+1), 10))
	}
	return spec(files...)
}

func refusedBooks() map[string]Refused {
	summary := func(text string, lines ...string) Refused {
		return byWebhook(spec("SUMMARY.md", text, "a.md", "", "d/b.md", ""), lines...)
	}
	text := func(text string, lines ...string) Refused { return byWebhook(page(text), lines...) }
	return map[string]Refused{
		"a page that is missing":          summary("# Summary\n\n- [A](a.md)\n  - [B](b.md)\n", inMarkdowns+"SUMMARY.md:4:5: page b.md is not in spec.markdowns: add it, or correct the link"),
		"two pages that are missing":      summary("- [B](b.md)\n- [C](c.md)\n", inMarkdowns+"SUMMARY.md:1:3: page b.md is not in spec.markdowns: add it, or correct the link", inMarkdowns+"SUMMARY.md:2:3: page c.md is not in spec.markdowns: add it, or correct the link"),
		"a page of the container":         summary("- [A](/etc/passwd)", inMarkdowns+"SUMMARY.md:1:3: /etc/passwd begins with /: a chapter's path is relative to SUMMARY.md"),
		"a page out of the book":          summary("- [A](../../etc/passwd)", inMarkdowns+"SUMMARY.md:1:3: ../../etc/passwd leaves the book: a chapter is a file of spec.markdowns"),
		"a page elsewhere":                summary("- [A](https://example.com)", inMarkdowns+"SUMMARY.md:1:3: https://example.com is not a file of the book: a chapter cannot be an external link; link to it from within a page"),
		"a page that is a folder":         summary("- [A](d)", inMarkdowns+"SUMMARY.md:1:3: d is a folder: link to a page in it, such as d/README.md"),
		"a page twice":                    summary("- [A](a.md)\n- [B](a.md)", inMarkdowns+"SUMMARY.md:2:3: a.md is a chapter already in line 1: link to each page once"),
		"a page with an anchor":           summary("- [A](a.md#b)", inMarkdowns+"SUMMARY.md:1:3: page a.md#b is not in spec.markdowns: add it, or correct the link (SUMMARY.md names files: leave out what begins with # or ?)"),
		"an entry that is no link":        summary("- words", inMarkdowns+"SUMMARY.md:1:3: "+mustLink),
		"a list after the suffix":         summary("- [A](a.md)\n\n[B](d/b.md)\n\n- [C](a.md)", inMarkdowns+"SUMMARY.md:5:1: a list or a heading follows the chapters after the numbered ones: move those chapters to the end, or make them entries of a list"),
		"an include of the container":     text("{{#include /etc/passwd}}", inMarkdowns+"a.md:1:1: {{#include /etc/passwd}}"+ofContainer+orText),
		"an include of the token":         text("```\n{{#include /var/run/secrets/kubernetes.io/serviceaccount/token}}\n```", inMarkdowns+"a.md:2:1: {{#include /var/run/secrets/kubernetes.io/serviceaccount/token}}"+ofContainer+orText),
		"an include out of the book":      text("{{#include ../../../etc/passwd}}", inMarkdowns+"a.md:1:1: {{#include ../../../etc/passwd}}"+leaves+orText),
		"an include in a comment":         text("<!-- {{#include /proc/self/environ}} -->", inMarkdowns+"a.md:1:6: {{#include /proc/self/environ}}"+ofContainer+orText),
		"an include over lines":           text("{{\n#include\n/etc/passwd\n}}", inMarkdowns+"a.md:1:1: {{ #include /etc/passwd }}"+ofContainer+orText),
		"an include by U+3000":            text("{{#include\u3000/etc/passwd}}", inMarkdowns+"a.md:1:1: {{#include /etc/passwd}}"+ofContainer+orText),
		"a playground of the container":   text("{{#playground /etc/passwd}}", inMarkdowns+"a.md:1:1: {{#playground /etc/passwd}}"+ofContainer+orText),
		"a rustdoc_include out":           text("{{#rustdoc_include ../../x.rs:1:2}}", inMarkdowns+"a.md:1:1: {{#rustdoc_include ../../x.rs:1:2}}"+leaves+orText),
		"an include that is missing":      text("{{#include b.md}}", inMarkdowns+"a.md:1:1: {{#include b.md}}: the book has no file b.md: add it to spec.markdowns or spec.assets"+orText),
		"an include of itself":            text("{{#include a.md}}", inMarkdowns+"a.md:1:1: {{#include a.md}} includes itself (a.md → a.md): mdBook would leave the text out after 10 rounds"),
		"an include behind a page's part": byWebhook(page("{{#include b.txt:2}}", "b.txt", "one\n{{#include /etc/passwd}}"), inMarkdowns+"b.txt:2:1: {{#include /etc/passwd}}"+ofContainer+orText),
	}
}

func refusedSettings() map[string]Refused {
	toml := func(text, line string) Refused { return byWebhook(settings(text), inMarkdowns+"book.toml:"+line) }
	return map[string]Refused{
		"settings that do not parse":     toml("[book\ntitle = 1", "1:6: expected ']' to close table name: mdBook cannot read its settings, mend the TOML"),
		"settings twice":                 toml("[book]\ntitle = \"a\"\ntitle = \"b\"", "3:1: key title is already defined: mdBook cannot read its settings, mend the TOML"),
		"settings of a wrong type":       toml("[book]\ntitle = 3", "2:9: the setting book.title has a value of the wrong type: mdBook cannot read its settings"),
		"settings with other sources":    toml("[book]\nsrc = \"docs\"", "2: src is \"docs\", but the operator puts the files of spec.markdowns into \"src\": remove the line"),
		"settings with the root":         toml("[book]\nsrc = \"/\"", "2: src is \"/\", but the operator puts the files of spec.markdowns into \"src\": remove the line"),
		"settings with a renderer":       toml("[output.html]\n[output.epub]\n", "2: [output.epub] adds a renderer, with which mdBook puts the site elsewhere: only [output.html] can be served, remove this table"),
		"settings with a shell":          toml("[preprocessor.x]\ncommand = \"sh -c 'cat /etc/passwd'\"", "1: command \"sh -c 'cat /etc/passwd'"+bareName),
		"settings with a program's path": toml("[preprocessor.x]\ncommand = \"/usr/bin/mdbook-x\"", "1: command \"/usr/bin/mdbook-x"+bareName),
		"settings with another links":    toml("[preprocessor.links]\ncommand = \"cat /etc/passwd\"", "1: command \"cat /etc/passwd"+bareName),
		"settings with a theme outside":  toml("[output.html]\ntheme = \"/etc\"", "2: \"/etc\""+onlyOurs),
		"settings without the theme":     toml("[output.html]\ntheme = \"theme\"", "2: the book has no folder theme: add it to spec.markdowns or spec.assets"),
		"settings with a style outside":  toml("[output.html]\nadditional-css = [\"../../etc/passwd\"]", "2: \"../../etc/passwd\""+onlyOurs),
		"settings with a style beside":   toml("[output.html]\nadditional-css = [\"extra.css\"]", "2: the book has no file extra.css (the book's files lie in src: write src/extra.css): add it to spec.markdowns or spec.assets"),
		"settings with a script missing": toml("[output.html]\nadditional-js = [\"src/no.js\"]", "2: the book has no file src/no.js: add it to spec.markdowns or spec.assets"),
		"settings with a 404 outside":    toml("[output.html]\ninput-404 = \"/etc/passwd\"", "2: \"/etc/passwd\""+onlyOurs),
		"settings with a redirect out":   toml("[output.html.redirect]\n\"/../../x.html\" = \"a.html\"", "2: the redirect \"/../../x.html\" leaves the site: use a path below it"),
	}
}
