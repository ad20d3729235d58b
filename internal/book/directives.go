// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// directive is one {{#include}} or relative of it. Escaped ones and {{#title}} read no file and
// are not among them.
type directive struct {
	text   string // as written
	kind   string // include, rustdoc_include, playground or playpen
	target string
	sel    selection
	attrs  []string // the words behind the target, of a playground
	offset int      // where it begins
}

// findDirectives returns the directives of a text that read a file, in order.
func findDirectives(text string) []directive {
	var directives []directive
	for d := range scanDirectives(text) {
		switch d.kind {
		case "include", "rustdoc_include":
			var selected string
			d.target, selected, _ = strings.Cut(d.target, ":")
			d.sel, d.attrs = parseSelection(selected), nil
		case "playground", "playpen":
		default:
			continue
		}
		directives = append(directives, d)
	}
	return directives
}

// scanDirectives yields all directives but escaped ones and those without a word behind the kind, in order;
// the first of these words is the target, the others are attrs. It finds what mdBook's pattern (the links
// preprocessor) finds:
//
//	\\\{\{#.*\}\}|\{\{\s*#([a-zA-Z0-9_]+)\s+([^}]+)\}\}
//
// mdBook looks at the raw text: code blocks and comments are not exempt. The pattern itself would be many
// times slower, and all that a book includes is looked through.
func scanDirectives(text string) iter.Seq[directive] {
	return func(yield func(directive) bool) {
		s := scanner{text: text, lineEnd: -1, brace: -1}
		for at := s.open(0); at >= 0; {
			if end := s.escaped(at); end >= 0 {
				at = s.open(end)
				continue
			}
			d, end := s.directive(at)
			if end < 0 {
				at = s.open(at + 1)
				continue
			}
			if d.target != "" && !yield(d) {
				return
			}
			at = s.open(end)
		}
	}
}

// scanner looks for what ends a directive, and remembers it for the directives that begin before it.
type scanner struct {
	text  string
	from  int // the end of the last match
	brace int // the next closing brace behind some place

	lineEnd, lastClose int // the end of a line, and its last "}}", or less
}

// open is where the next "{{" begins, or -1.
func (s *scanner) open(from int) int {
	at := strings.Index(s.text[from:], "{{")
	if at < 0 {
		return -1
	}
	return from + at
}

// escaped returns the end of what a backslash before the braces hides: up to the last "}}" of the line.
func (s *scanner) escaped(at int) int {
	if at <= s.from || s.text[at-1] != '\\' || !strings.HasPrefix(s.text[at:], "{{#") {
		return -1
	}
	if behind := at + len("{{#"); behind > s.lineEnd {
		s.lineEnd = len(s.text)
		if length := strings.IndexByte(s.text[behind:], '\n'); length >= 0 {
			s.lineEnd = behind + length
		}
		s.lastClose = behind + strings.LastIndex(s.text[behind:s.lineEnd], "}}")
	}
	if s.lastClose < at+len("{{#") {
		return -1
	}
	s.from = s.lastClose + len("}}")
	return s.from
}

// directive reads the directive that begins here, and returns its end, or -1 if none does.
func (s *scanner) directive(at int) (directive, int) {
	rest, marked := strings.CutPrefix(strings.TrimLeftFunc(s.text[at+len("{{"):], isSpace), "#")
	name := strings.IndexFunc(rest, func(r rune) bool { return !isKindRune(r) })
	if !marked || name < 1 {
		return directive{}, -1
	}
	behind := len(s.text) - len(rest) + name
	if s.brace < behind {
		s.brace = len(s.text)
		if length := strings.IndexByte(s.text[behind:], '}'); length >= 0 {
			s.brace = behind + length
		}
	}
	words := s.text[behind:s.brace]
	space, size := utf8.DecodeRuneInString(words)
	if !isSpace(space) || size == len(words) || !strings.HasPrefix(s.text[s.brace:], "}}") {
		return directive{}, -1
	}
	s.from = s.brace + len("}}")
	d := directive{text: s.text[at:s.from], kind: rest[:name], offset: at}
	if fields := strings.Fields(words); len(fields) > 0 {
		d.target, d.attrs = fields[0], fields[1:]
	}
	return d, s.from
}

// isSpace is Rust's Unicode meaning of \s.
func isSpace(r rune) bool {
	return r >= '\t' && r <= '\r' || r == ' ' || r == 0x85 || r == 0xA0 || r > 0xA0 && unicode.Is(unicode.Z, r)
}

func isKindRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
