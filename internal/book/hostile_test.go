// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"fmt"
	"strings"
	"testing"
)

// hostileBook makes a book of about n bytes that costs as much as it can.
type hostileBook func(n int) (markdowns map[string]string, assets map[string][]byte)

// fill repeats lines up to n bytes of stored JSON, or to the most that a file may have; line is told its number.
func fill(n int, line func(i int) string) string {
	var text strings.Builder
	for i, stored := 0, 0; ; i++ {
		next := line(i)
		stored += len(next) + strings.Count(next, "\n") + strings.Count(next, "\\") + strings.Count(next, `"`) + 5*strings.Count(next, ">")
		if stored > n || text.Len()+len(next) > MaxFileBytes {
			return text.String()
		}
		text.WriteString(next)
	}
}

func same(text string) func(int) string { return func(int) string { return text } }

func hostileBooks() map[string]hostileBook {
	summary := func(line func(i int) string) hostileBook {
		return func(n int) (map[string]string, map[string][]byte) {
			return map[string]string{"SUMMARY.md": fill(n, line), "a.md": "a"}, nil
		}
	}
	page := func(line func(i int) string) hostileBook {
		return func(n int) (map[string]string, map[string][]byte) {
			return map[string]string{"SUMMARY.md": "- [A](a.md)\n", "a.md": fill(n, line), "x.md": "x"}, nil
		}
	}
	// half of the bytes are directives, half are the file that they include.
	including := func(directive, line func(i int) string) hostileBook {
		return func(n int) (map[string]string, map[string][]byte) {
			return map[string]string{"SUMMARY.md": "- [A](a.md)\n", "a.md": fill(n/2, directive), "x.md": fill(n/2, line), "b": ""}, nil
		}
	}
	settings := func(head string, line func(i int) string) hostileBook {
		return func(n int) (map[string]string, map[string][]byte) {
			text := fill(min(n, MaxFileBytes-len(head)), line)
			return map[string]string{"SUMMARY.md": "- [A](a.md)\n", "a.md": "a", "book.toml": head + text}, nil
		}
	}
	return map[string]hostileBook{
		"a line of links":            summary(same("[a](b)")),
		"lines of links":             summary(same(strings.Repeat("[a](b)", 600) + "\n\n")),
		"lines of links to one page": summary(same(strings.Repeat("[a](a.md)", 400) + "\n\n")),
		"lines of unclosed links":    summary(same(strings.Repeat("[a](b", 800) + "\n\n")),
		"a line of unclosed links":   summary(same("[a](b")),
		"a line of quotes":           summary(same(">")),
		"a line of lists":            summary(same("- ")),
		"links to one page":          summary(same("- [a](a.md)\n")),
		"missing pages":              summary(func(i int) string { return fmt.Sprintf("- [a](%x.md)\n", i) }),
		"missing pages, many files":  missingAmongMany,
		"blank lines in nested ones": nestedBlankLines,
		"references to a long path":  longReferences,
		"files that are folders":     nestedFiles,

		"a line of directives":             page(same("{{#include x.md}}")),
		"a line of directives to nowhere":  page(same("{{#include y.md}}")),
		"a line of directives to anywhere": page(func(i int) string { return fmt.Sprintf("{{#include %x}}", i) }),
		"a line of braces":                 page(same("{{")),
		"a line of begun directives":       page(same("{{#include ")),
		"a line of escaped directives":     page(same(`\{{#include x}} `)),
		"a long path":                      page(func(i int) string { return map[bool]string{true: "{{#include a"}[i == 0] + "/a" }),
		"long paths":                       page(same("{{#include " + strings.Repeat("a/../", 800) + "x.md}}")),
		"directives in a deep folder":      deepFolder,

		"nothing of a file":        including(same("{{#include x.md:9999999}}"), same("é")),
		"lines of a file":          including(func(i int) string { return fmt.Sprintf("{{#include x.md:%d:}}", i) }, same("\n")),
		"anchors of a file":        including(func(i int) string { return fmt.Sprintf("{{#include x.md:a%d}}", i) }, func(i int) string { return fmt.Sprintf("ANCHOR:a%d 字\n", i) }),
		"rustdoc of a file":        including(func(i int) string { return fmt.Sprintf("{{#rustdoc_include x.md:%d}}", i) }, same("\n")),
		"code of a file":           including(func(i int) string { return fmt.Sprintf("{{#rustdoc_include x.md:b%d}}", i) }, same("ANCHOR_END:字\n")),
		"directives of a file":     including(func(i int) string { return fmt.Sprintf("{{#include x.md:%d:}}", i) }, same("{{#include y}}\n")),
		"includes of a file":       including(func(i int) string { return fmt.Sprintf("{{#include x.md:%d:}}", i) }, same("{{#include b}}\n")),
		"playgrounds of a file":    including(func(i int) string { return fmt.Sprintf("{{#playground x.md a%d}}", i) }, same("\n")),
		"braces of a file":         including(func(i int) string { return fmt.Sprintf("{{#include x.md:%d:}}", i) }, same("{{ \n")),
		"settings":                 settings("", func(i int) string { return fmt.Sprintf("k%x=1\n", i) }),
		"tables":                   settings("", func(i int) string { return fmt.Sprintf("[k%x]\n", i) }),
		"keys of a long table":     settings("["+strings.Repeat("a", 20_000)+"]\n", func(i int) string { return fmt.Sprintf("k%x=1\n", i) }),
		"redirects with many dots": settings("output.html.redirect = {\""+strings.Repeat("/..", 5000)+"\" = \"\"}\n", same("#\n")),
	}
}

func missingAmongMany(n int) (map[string]string, map[string][]byte) {
	markdowns, assets := map[string]string{}, map[string][]byte{}
	for i := range 1000 {
		markdowns[fmt.Sprintf("caf\u00e9/%d.md", i)] = ""
		assets[fmt.Sprintf("cafe\u0301s/%d.md", i)] = nil
	}
	markdowns["SUMMARY.md"] = fill(n, func(i int) string { return fmt.Sprintf("- [a](caf\u00e9/x%x.md)\n", i) })
	return markdowns, assets
}

func nestedBlankLines(n int) (map[string]string, map[string][]byte) {
	return map[string]string{"SUMMARY.md": strings.Repeat("- ", 1000) + "[a](a.md)" + fill(n/2, same("\n")), "a.md": ""}, nil
}

func longReferences(n int) (map[string]string, map[string][]byte) {
	return map[string]string{"SUMMARY.md": "[r]: <" + strings.Repeat("a/", n/6) + ">\n\n" + fill(n/2, same("[r]\n"))}, nil
}

func nestedFiles(n int) (map[string]string, map[string][]byte) {
	markdowns := map[string]string{"SUMMARY.md": ""}
	for i := range 255 {
		markdowns[strings.Repeat("a/", i)+"a"] = ""
	}
	for i := range n / 2048 {
		markdowns[strings.Repeat("a/", 250)+fmt.Sprint(i)] = ""
	}
	return markdowns, nil
}

func deepFolder(n int) (map[string]string, map[string][]byte) {
	deep := strings.Repeat("a/", 250)
	return map[string]string{"SUMMARY.md": "- [A](" + deep + "a.md)\n", deep + "a.md": fill(n, same("{{#include ../x.md}}")), strings.Repeat("a/", 249) + "x.md": ""}, nil
}

// TestWorkGrowsWithTheBook: what is looked at is a multiple of the book, both where all parsers still take it
// and near the schema's limits. Excerpts multiply, and have a bound of their own.
func TestWorkGrowsWithTheBook(t *testing.T) {
	for name, hostile := range hostileBooks() {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{60_000, 1_000_000} {
				most := 100 * n
				if strings.HasSuffix(name, " of a file") {
					most = max(most, MaxExpandedBytes*5/4)
				}
				if got := workOf(t, hostile, n); got > most {
					t.Fatalf("a book of %d bytes made %d be looked at, more than %d", n, got, most)
				}
			}
		})
	}
}

func workOf(t *testing.T, hostile hostileBook, n int) int {
	t.Helper()
	in := newInspection(hostile(n))
	if in.inspect(); in.tree == nil && len(in.markdowns) < 200 {
		t.Errorf("a book of %d bytes was refused before any text was read: %v", n, in.errors[0])
	}
	return in.work.bytes
}

// TestLimitsOfParsers: what the parsers of Markdown and TOML would take minutes or gigabytes for is refused.
func TestLimitsOfParsers(t *testing.T) {
	book := func(summary, settings string) verdict {
		return verdict{markdowns: texts{"SUMMARY.md": summary, "a.md": "a", "book.toml": settings}}
	}
	refused := func(v verdict, message string) verdict {
		v.errors = []string{message}
		return v
	}
	const entry, title = "- [A](a.md)", "[book]\ntitle = \"a\"\n"
	summary := func(text string) verdict { return book(text, "") }
	judge(t, map[string]verdict{
		"a large table of contents": summary(entry + "\n" + strings.Repeat("<!-- "+strings.Repeat("x", 4000)+" -->\n", 65)),
		"a larger one": refused(summary(entry+"\n"+strings.Repeat("<!-- "+strings.Repeat("x", 4000)+" -->\n", 66)),
			"SUMMARY.md: the table of contents has 264672 bytes, the limit is 262144: split the book"),
		"many lines":     summary(entry + strings.Repeat("\n", 9_999)),
		"too many lines": refused(summary(entry+strings.Repeat("\n", 10_000)), "SUMMARY.md: the table of contents has 10001 lines, the limit is 10000: split the book"),
		"a long line":    summary(entry + strings.Repeat("x", 4085)),
		"a longer line":  refused(summary("\n"+entry+strings.Repeat("x", 4086)), "SUMMARY.md:2: the line has 4097 bytes, the limit is 4096: write one chapter a line"),
		"deep nesting": refused(summary(entry+"\n"+strings.Repeat("- ", 51)+"[B](b.md)\n"),
			"SUMMARY.md:2: 102 spaces and marks stand before the entry, the limit is 100: nest the chapters less deep"),
		"deep indentation": refused(summary(entry+"\n"+strings.Repeat(" ", 100)+"-\n"),
			"SUMMARY.md:2: 101 spaces and marks stand before the entry, the limit is 100: nest the chapters less deep"),
		"rules and blank lines": summary(entry + "\n" + strings.Repeat(" ", 200) + "\r\n\n" + strings.Repeat("-", 200) + "\n\n" + strings.Repeat("* ", 200) + "\n"),
		"large settings":        book(entry, title+strings.Repeat("#", 65_515)),
		"larger settings": refused(book(entry, title+strings.Repeat("#", 65_600)),
			"book.toml: the settings have 65619 bytes, the limit is 65536: remove what mdBook does not need"),
		"a path that no program can open": refused(verdict{markdowns: texts{"a.md": "{{#include " + strings.Repeat("./", 2046) + "x.md}}", "x.md": ""}},
			"a.md:1:1: {{#include "+strings.Repeat("./", 34)+"…: the book has no file "+strings.Repeat("./", 39)+".…: add it to spec.markdowns or spec.assets, or write \\{{# to show the directive as text"),
		"one that it can": {markdowns: texts{"a.md": "{{#include " + strings.Repeat("./", 2045) + "x.md}}", "x.md": ""}},
	})
}

// TestErrorsEnd: an author who made thousands of errors mends the first ones first.
func TestErrorsEnd(t *testing.T) {
	summary := fill(100_000, func(i int) string { return fmt.Sprintf("- [A](%05d.md)\n", i) })
	in := newInspection(map[string]string{"SUMMARY.md": summary}, nil)
	if in.inspect(); len(in.errors) != maxErrors {
		t.Errorf("%d errors, want %d", len(in.errors), maxErrors)
	}
	errors := lines(Check(map[string]string{"SUMMARY.md": summary}, nil))
	if got, want := errors[len(errors)-1], "and at least 950 more: mend the ones above first"; got != want {
		t.Errorf("the last finding is %q, want %q", got, want)
	}
	if got, want := errors[0], "SUMMARY.md:1:3: page 00000.md is not in spec.markdowns: add it, or correct the link"; got != want {
		t.Errorf("the first finding is %q, want %q", got, want)
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, hostile := range hostileBooks() {
		for _, n := range []int{60_000, 240_000, 1_200_000} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				markdowns, assets := hostile(n)
				b.ReportAllocs()
				for b.Loop() {
					Check(markdowns, assets)
				}
			})
		}
	}
}
