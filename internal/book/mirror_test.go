// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Below is what mdBook does, line by line and as plainly as it does it. What the package does has to give
// the same, without reading a file again for each directive.

// mirrorPattern is mdBook's own (the links preprocessor), with Rust's Unicode meaning of \s spelled out.
var mirrorPattern = regexp.MustCompile(
	`\\\{\{#.*\}\}|\{\{` + mirrorSpace + `*#([a-zA-Z0-9_]+)` + mirrorSpace + `+([^}]+)\}\}`)

const mirrorSpace = `[\t-\r \x{85}\x{A0}\p{Z}]`

type mirrorExcerpt struct {
	text  string
	lines []int
}

// mirrorTake mirrors mdBook's take_lines and take_anchored_lines.
func mirrorTake(content string, sel selection) mirrorExcerpt {
	all := splitLines(content)
	var kept []string
	var numbers []int
	if sel.anchor == "" {
		for i := sel.start; i < min(sel.end, len(all)); i++ {
			kept, numbers = append(kept, all[i]), append(numbers, i+1)
		}
		return mirrorExcerpt{strings.Join(kept, "\n"), numbers}
	}
	within := false
	for i, line := range all {
		start, end := anchorName(line, anchorStart), anchorName(line, anchorEnd)
		switch {
		case !within:
			within = start == sel.anchor
		case end == sel.anchor:
			return mirrorExcerpt{strings.Join(kept, "\n"), numbers}
		case end == "" && start == "":
			kept, numbers = append(kept, line), append(numbers, i+1)
		}
	}
	return mirrorExcerpt{strings.Join(kept, "\n"), numbers}
}

// mirrorTakeRustdoc mirrors mdBook's take_rustdoc_include_lines and its sibling for anchors: lines that
// are not selected are kept behind "# ".
func mirrorTakeRustdoc(content string, sel selection) mirrorExcerpt {
	var kept []string
	var numbers []int
	keep := func(i int, line string) { kept, numbers = append(kept, line), append(numbers, i+1) }
	within := false
	for i, line := range splitLines(content) {
		if sel.anchor == "" {
			if i < sel.start || i >= sel.end {
				line = "# " + line
			}
			keep(i, line)
			continue
		}
		start, end := anchorName(line, anchorStart), anchorName(line, anchorEnd)
		switch {
		case within && end != "":
			within = end != sel.anchor
		case within && start == "":
			keep(i, line)
		case !within && start != "":
			within = start == sel.anchor
		case !within && end == "":
			keep(i, "# "+line)
		}
	}
	return mirrorExcerpt{strings.Join(kept, "\n"), numbers}
}

// splitLines mirrors Rust's str::lines: no empty line at the end, no carriage return before a newline.
func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	for i := range lines {
		// The last line keeps a carriage return that no newline follows.
		if i < len(lines)-1 || strings.HasSuffix(s, "\n") {
			lines[i] = strings.TrimSuffix(lines[i], "\r")
		}
	}
	return lines
}

// FuzzTake compares excerpts, and where their lines were.
func FuzzTake(f *testing.F) {
	const anchors = "a\r\n// ANCHOR: x\nb\n\n# ANCHOR:y\nc\nANCHOR_END: x\nd ANCHOR:x\ne\nANCHOR_END:y ANCHOR:z\n\nANCHOR:\nf\r"
	for _, content := range []string{"", "\n", "\r\n", "a", "a\n", "\n\n", "a\r\r\nb\r", anchors, anchors + "\n"} {
		for _, selected := range []string{"", "0", "1", "2:3", "3:2", ":4", "4:", "9:", "x", "y", "z", "none"} {
			f.Add(content, selected)
		}
	}
	f.Fuzz(func(t *testing.T, content, selected string) {
		sel := parseSelection(selected)
		s := newSource(content)
		for kind, c := range map[string]struct {
			want mirrorExcerpt
			got  excerpt
		}{
			"include":         {mirrorTake(content, sel), s.take(sel)},
			"rustdoc_include": {mirrorTakeRustdoc(content, sel), s.takeRustdoc(sel)},
		} {
			if c.got.text != c.want.text {
				t.Errorf("%s of %q:%s is %q, want %q", kind, content, selected, c.got.text, c.want.text)
			}
			for i, line := range c.want.lines {
				if got := c.got.lineOf(i + 1); got != line {
					t.Errorf("%s of %q:%s: line %d was line %d, not %d", kind, content, selected, i+1, line, got)
				}
			}
		}
	})
}

// FuzzFindDirectives compares what directives are found, and where.
func FuzzFindDirectives(f *testing.F) {
	for _, text := range []string{
		"{{#include a}}", "{{ \t#include\u3000a b }}{{#x }}{{#x  }}{{#x a}", `\{{#include a}} {{#include b}} {{#include c}`, "\\{{#include a\n}} {{#b c}}",
		`\{{ #include a}}`, `\{{{#include a}}}`, "{{{#include a}}}", "{{#include {{#include a}}", "{{#include }{{#include a}}", `\{{#}}}}{{#a b}}\{{#a b`,
		"{{#include a\n\u0085b}}", "{{#inclüde a}}", "{{#include\xffa}} {{#include \xff}}", `\{{#a`, `{{\{{#a b}}`, "{{#a \\{{#b}}", `{{#a b}}\{{#c}} {{#d e}}` + "\n{{#f g}}",
	} {
		f.Add(text)
	}
	type match struct {
		text, kind string
		fields     []string
		offset     int
	}
	f.Fuzz(func(t *testing.T, text string) {
		var want []match
		for _, m := range mirrorPattern.FindAllStringSubmatchIndex(text, -1) {
			if m[2] >= 0 && len(strings.Fields(text[m[4]:m[5]])) > 0 {
				want = append(want, match{text[m[0]:m[1]], text[m[2]:m[3]], strings.Fields(text[m[4]:m[5]]), m[0]})
			}
		}
		var got []match
		for d := range scanDirectives(text) {
			got = append(got, match{d.text, d.kind, slices.Concat([]string{d.target}, d.attrs), d.offset})
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(match{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	})
}
