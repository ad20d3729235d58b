// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package values

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKey(t *testing.T) {
	long := strings.Repeat("a", 250)
	cases := map[string]struct{ reason, path, want string }{
		"Plain":        {"A valid key is the path itself, so `kubectl describe` reads well.", "SUMMARY.md", "SUMMARY.md"},
		"Dash":         {"A dash is valid.", "a-b.md", "a-b.md"},
		"Folder":       {"A slash is not valid in a key.", "guide/a.md", "guide_2fa.md"},
		"Underscore":   {"The escape character escapes itself, else a_2fb and a/b would be one.", "a_2fb.md", "a_5f2fb.md"},
		"UTF8":         {"Every byte of another alphabet.", "é.md", "_c3_a9.md"},
		"Space":        {"A space.", "a b.md", "a_20b.md"},
		"LeadingDot":   {"Keys '.' and '..', and those that begin so, are refused by the API server.", ".hidden", "_2ehidden"},
		"InnerDots":    {"Only the first character matters for that.", "a..md", "a..md"},
		"AtTheLimit":   {"253 characters is the API server's limit.", long + ".md", long + ".md"},
		"OverTheLimit": {"A longer one is named by its hash; no path escapes to two underscores.", long + "b.md", "__66"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := key(c.path)
			if name == "OverTheLimit" {
				got, c.want = got[:2]+fmt.Sprint(len(got)), "__66"
			}
			if got != c.want {
				t.Errorf("%s: key(%q) = %q, want %q", c.reason, c.path, got, c.want)
			}
		})
	}
}

// validKey is the API server's rule for a key of a ConfigMap.
var validKey = regexp.MustCompile(`^[-._a-zA-Z0-9]{1,253}$`)

// FuzzKey: no two paths share a key, and every key is one that the API server takes.
func FuzzKey(f *testing.F) {
	f.Add("a/b", "a_2fb")
	f.Add("a_b", "a_5fb")
	f.Add("..", "_2e.")
	f.Add("\xff", "ÿ")
	f.Add(strings.Repeat("é", 120), strings.Repeat("é", 121))
	f.Fuzz(func(t *testing.T, a, b string) {
		if a == "" || b == "" {
			return // A path is never empty; book.PathProblem says so.
		}
		if a != b && key(a) == key(b) {
			t.Errorf("%q and %q share the key %q", a, b, key(a))
		}
		if k := key(a); !validKey.MatchString(k) || k == "." || strings.HasPrefix(k, "..") {
			t.Errorf("key(%q) = %q is no key of a ConfigMap", a, k)
		}
	})
}

func TestPrintable(t *testing.T) {
	cases := map[string]struct {
		reason, text string
		want         bool
	}{
		"Empty":            {"Nothing is printable.", "", true},
		"Text":             {"Tabs and line ends of every kind.", "a\tb\nc\r\nd", true},
		"UTF8":             {"Any alphabet, emoji with joiners too.", "日本 👩‍💻", true},
		"LineSeparators":   {"YAML counts them as breaks, JSON's quotes hold them.", "a\u2028b\u2029c", true},
		"NUL":              {"YAML has no NUL.", "a\x00b", false},
		"Bell":             {"Nor other C0 controls.", "\a", false},
		"DEL":              {"DEL is not printable, and JSON does not escape it.", "a\x7fb", false},
		"C1":               {"Nor are the C1 controls.", "a\u0085b\u009f", false},
		"ByteOrderMark":    {"A byte order mark anywhere.", "\ufeff# A", false},
		"NonCharacters":    {"U+FFFE and U+FFFF.", "\uffff", false},
		"BrokenUTF8":       {"Latin-1 bytes: JSON would replace them.", "caf\xe9", false},
		"ReplacementStays": {"U+FFFD itself is a character like others.", "\ufffd", true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := printable(c.text); got != c.want {
				t.Errorf("%s: printable(%q) = %v", c.reason, c.text, got)
			}
		})
	}
}

func TestHash(t *testing.T) {
	base := map[string]string{"SUMMARY.md": "- [A](a.md)", "a.md": "# A", "b.md": ""}
	hashOf := func(markdowns map[string]string, assets map[string][]byte) string {
		return Layout("book", markdowns, assets).Hash
	}
	edit := func(change func(map[string]string)) map[string]string {
		edited := maps.Clone(base)
		change(edited)
		return edited
	}
	seen := map[string]string{hashOf(base, nil): "the book itself"}
	for reason, book := range map[string]struct {
		markdowns map[string]string
		assets    map[string][]byte
	}{
		"one byte":                     {markdowns: edit(func(b map[string]string) { b["a.md"] = "# B" })},
		"a byte at a file's end":       {markdowns: edit(func(b map[string]string) { b["a.md"] = "# A\n" })},
		"a renamed file":               {markdowns: edit(func(b map[string]string) { delete(b, "b.md"); b["c.md"] = "" })},
		"a file less":                  {markdowns: edit(func(b map[string]string) { delete(b, "b.md") })},
		"an empty file more":           {markdowns: edit(func(b map[string]string) { b["c.md"] = "" })},
		"a byte that changed its file": {markdowns: edit(func(b map[string]string) { b["a.md"] = "#"; b["b.md"] = " A" })},
		"two texts swapped":            {markdowns: edit(func(b map[string]string) { b["a.md"], b["b.md"] = b["b.md"], b["a.md"] })},
		"an asset":                     {markdowns: base, assets: map[string][]byte{"a.png": {1}}},
		"another asset":                {markdowns: base, assets: map[string][]byte{"a.png": {2}}},
		"settings":                     {markdowns: edit(func(b map[string]string) { b["book.toml"] = "" })},
		"the same as a page": {markdowns: edit(func(b map[string]string) {
			b["src/book.toml"] = "" // Its target is src/src/book.toml, not the settings.
		})},
	} {
		h := hashOf(book.markdowns, book.assets)
		if other, taken := seen[h]; taken {
			t.Errorf("%s and %s have the same hash %s: a rollout would be missed", reason, other, h)
		}
		seen[h] = reason
		if !regexp.MustCompile(`^[0-9a-f]{16}$`).MatchString(h) {
			t.Errorf("%s: hash %q", reason, h)
		}
	}
	if got := Layout("other", base, nil).Hash; seen[got] == "" {
		t.Error("the hash of the same content depends on the book's name")
	}
}

// TestHashIsStable: the hash names immutable ConfigMaps of running clusters. If this fails, the layout
// changed and layoutVersion must, too.
func TestHashIsStable(t *testing.T) {
	content := Layout("book", map[string]string{"SUMMARY.md": "- [A](a.md)", "a.md": "# A"}, map[string][]byte{"a.png": {0xff}})
	if diff := cmp.Diff("716a1b478de7cecc", content.Hash); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestMovedFileIsTheSameContent: spec.markdowns and spec.assets are two ways to write a file. Equal
// content has equal names, and ConfigMaps of one name are immutable, so it must be laid out equally.
func TestMovedFileIsTheSameContent(t *testing.T) {
	const svg = "<svg/>"
	asText := Layout("book", map[string]string{"SUMMARY.md": "", "a.svg": svg}, nil)
	asBytes := Layout("book", map[string]string{"SUMMARY.md": ""}, map[string][]byte{"a.svg": []byte(svg)})
	if diff := cmp.Diff(asText.values(), asBytes.values()); diff != "" {
		t.Errorf("-in markdowns +in assets:\n%s", diff)
	}
}

func TestLayout(t *testing.T) {
	const kib = 1 << 10
	text := func(size int) string { return strings.Repeat("x", size) }
	cases := map[string]struct {
		reason    string
		markdowns map[string]string
		// want lists each ConfigMap's paths.
		want [][]string
	}{
		"Small": {
			reason:    "One ConfigMap as long as it fits; settings come first because their path sorts first.",
			markdowns: map[string]string{"SUMMARY.md": "", "a.md": text(10), "book.toml": ""},
			want:      [][]string{{"book.toml", "src/SUMMARY.md", "src/a.md"}},
		},
		"ExactlyFull": {
			reason:    "The capacity itself still fits.",
			markdowns: map[string]string{"SUMMARY.md": text(100), "a.md": text(ConfigMapCapacity - 100)},
			want:      [][]string{{"src/SUMMARY.md", "src/a.md"}},
		},
		"OneByteMore": {
			reason:    "One byte more does not.",
			markdowns: map[string]string{"SUMMARY.md": text(101), "a.md": text(ConfigMapCapacity - 100)},
			want:      [][]string{{"src/SUMMARY.md"}, {"src/a.md"}},
		},
		"BookOver1MiB": {
			reason: "A book of 1.3 MiB in 13 pages takes two, in byte order of the paths.",
			markdowns: func() map[string]string {
				book := map[string]string{"SUMMARY.md": ""}
				for i := range 13 {
					book[fmt.Sprintf("%02d.md", i)] = text(100 * kib)
				}
				return book
			}(),
			want: [][]string{
				{"src/00.md", "src/01.md", "src/02.md", "src/03.md", "src/04.md", "src/05.md", "src/06.md", "src/07.md", "src/08.md"},
				{"src/09.md", "src/10.md", "src/11.md", "src/12.md", "src/SUMMARY.md"},
			},
		},
		"FileOverCapacity": {
			reason:    "A file is never split: one of 1,000,000 bytes, the schema's limit, has a ConfigMap of its own, below the API server's 1 MiB.",
			markdowns: map[string]string{"SUMMARY.md": "", "a.md": "", "b.md": text(1_000_000), "c.md": ""},
			want:      [][]string{{"src/SUMMARY.md", "src/a.md"}, {"src/b.md"}, {"src/c.md"}},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			content := Layout("book", c.markdowns, nil)
			var got [][]string
			var names []string
			for _, part := range content.Parts {
				var paths []string
				for _, f := range part.Files {
					paths = append(paths, f.Path)
				}
				got = append(got, paths)
				names = append(names, part.Name)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", c.reason, diff)
			}
			wantNames := []string{"markdowns-book-" + content.Hash}
			for i := 1; i < len(got); i++ {
				wantNames = append(wantNames, fmt.Sprintf("markdowns-book-%s-%d", content.Hash, i))
			}
			if diff := cmp.Diff(wantNames, names); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzLayout: every file is laid out once, with its bytes, whatever they are.
func FuzzLayout(f *testing.F) {
	f.Add("a.md", "# A", "b.md", "\x00\xff")
	f.Add("book.toml", "[book]", "src/book.toml", "")
	f.Add("a/b", "", "a_2fb", "\u2028")
	f.Fuzz(func(t *testing.T, pathA, textA, pathB, textB string) {
		if pathA == pathB || pathA == "" || pathB == "" {
			return
		}
		want := map[string]string{target(pathA): textA, target(pathB): textB}
		if len(want) < 2 {
			return
		}
		content := Layout("book", map[string]string{pathA: textA}, map[string][]byte{pathB: []byte(textB)})
		got := map[string]string{}
		var paths []string
		for _, part := range content.Parts {
			for _, f := range part.Files {
				got[f.Path] = f.Text
				paths = append(paths, f.Path)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if !slices.IsSorted(paths) {
			t.Errorf("paths are out of order: %v", paths)
		}
	})
}

// target is where a path is to be in the source volume.
func target(path string) string {
	if path == "book.toml" {
		return path
	}
	return "src/" + path
}

func BenchmarkLayout(b *testing.B) {
	book := map[string]string{"SUMMARY.md": ""}
	for i := range 10 {
		book[fmt.Sprintf("%02d.md", i)] = strings.Repeat("Ten pages of one KiB each. ", 38)
	}
	b.ReportAllocs()
	for b.Loop() {
		Layout("book", book, nil)
	}
}
