// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// directivePattern is mdBook's own (the links preprocessor), with Rust's Unicode meaning of \s
// spelled out. mdBook looks at the raw text: code blocks and comments are not exempt.
var directivePattern = regexp.MustCompile(
	`\\\{\{#.*\}\}|\{\{` + space + `*#([a-zA-Z0-9_]+)` + space + `+([^}]+)\}\}`)

const space = `[\t-\r \x{85}\x{A0}\p{Z}]`

// directive is one {{#include}} or relative of it. Escaped ones and {{#title}} read no file and
// are not among them.
type directive struct {
	text   string // as written
	kind   string // include, rustdoc_include, playground or playpen
	target string
	sel    selection
	attrs  []string // of a playground
	offset int      // where it begins
}

// findDirectives returns the directives of a text that read a file, in order.
func findDirectives(text string) []directive {
	if !strings.Contains(text, "{{") {
		return nil
	}
	var directives []directive
	for _, m := range directivePattern.FindAllStringSubmatchIndex(text, -1) {
		if m[2] < 0 {
			continue // escaped
		}
		kind, fields := text[m[2]:m[3]], strings.Fields(text[m[4]:m[5]])
		if len(fields) == 0 {
			continue
		}
		d := directive{text: text[m[0]:m[1]], kind: kind, target: fields[0], offset: m[0]}
		switch kind {
		case "include", "rustdoc_include":
			var selected string
			d.target, selected, _ = strings.Cut(d.target, ":")
			d.sel = parseSelection(selected)
		case "playground", "playpen":
			d.attrs = fields[1:]
		default:
			continue
		}
		directives = append(directives, d)
	}
	return directives
}

// take is what mdBook puts in the directive's place, before it looks for directives in that.
func (d directive) take(content string) excerpt {
	switch d.kind {
	case "include":
		return take(content, d.sel)
	case "rustdoc_include":
		return takeRustdoc(content, d.sel)
	default:
		return takePlayground(content, d.attrs)
	}
}

// position turns an offset into a line and a column, both from 1, the column in characters.
func position(text string, offset int) (line, column int) {
	before := text[:offset]
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
}
