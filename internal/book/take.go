// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// excerpt is the text that a directive takes from a file, and where its lines were.
type excerpt struct {
	text string
	// runs are the parts of text that follow each other in the file, in order; nil means that lines are equal.
	runs []run
}

// run begins in line at of the excerpt, which is that line of the file; both from 1.
type run struct{ at, line int }

// lineOf translates a line of the excerpt, from 1, into one of the file.
func (e excerpt) lineOf(line int) int {
	behind, begins := slices.BinarySearchFunc(e.runs, line, func(r run, line int) int { return cmp.Compare(r.at, line) })
	if begins {
		behind++
	}
	if behind == 0 {
		return line
	}
	r := e.runs[behind-1]
	return r.line + line - r.at
}

// selection is the part behind the colon in {{#include file:selection}}, as mdBook reads it.
type selection struct {
	anchor     string
	start, end int // zero-based lines [start, end)
}

// parseSelection mirrors mdBook's parse_range_or_anchor: "", "7", "7:", ":9", "7:9" or an anchor.
func parseSelection(s string) selection {
	first, rest, hasEnd := strings.Cut(s, ":")
	start, startOK := parseLine(first)
	if !startOK && first != "" {
		return selection{anchor: first}
	}
	last, _, _ := strings.Cut(rest, ":")
	end, endOK := parseLine(last)
	sel := selection{end: math.MaxInt}
	if startOK {
		sel.start = max(start-1, 0)
	}
	switch {
	case hasEnd && endOK:
		sel.end = end
	case startOK && !hasEnd:
		sel.end = sel.start + 1
	}
	return sel
}

// parseLine mirrors Rust's usize::from_str, which takes one leading plus sign.
func parseLine(s string) (int, bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "+"), 10, 64)
	return int(min(n, math.MaxInt32)), err == nil
}

const (
	anchorStart = "ANCHOR:"
	anchorEnd   = "ANCHOR_END:"
)

// anchorName is the name behind the first mark of a line that has one, or "".
func anchorName(line, mark string) string {
	for {
		_, behind, ok := strings.Cut(line, mark)
		if !ok {
			return ""
		}
		rest := strings.TrimLeftFunc(behind, unicode.IsSpace)
		end := strings.IndexFunc(rest, func(r rune) bool { return !isNameRune(r) })
		if end < 0 {
			end = len(rest)
		}
		if end > 0 {
			return rest[:end]
		}
		line = behind
	}
}

// isNameRune mirrors the class [\w-] of Rust's regex crate.
func isNameRune(r rune) bool {
	return r == '-' || unicode.IsLetter(r) || unicode.In(r, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc,
		unicode.Other_Alphabetic, unicode.Join_Control)
}

// source is a file as directives read it. It is read once: a page may take thousands of excerpts from it.
type source struct {
	text   string // its lines, as Rust's str::lines has them, with a newline between each two
	starts []int  // where each line begins
	marks  []mark // the lines that hold an anchor, in order
	// unknown tells that a line with an anchor holds a character that this program's Unicode tables
	// lack: mdBook's may be newer, and would read another name.
	unknown bool
}

// mark is a line, from 0, with the names of the anchors that begin and end there.
type mark struct {
	line       int
	start, end string
}

// newSource mirrors str::lines: no empty line at the end, no carriage return before a newline.
func newSource(content string) *source {
	s := &source{text: strings.ReplaceAll(strings.TrimSuffix(content, "\n"), "\r\n", "\n")}
	if before, ok := strings.CutSuffix(content, "\r\n"); ok {
		s.text = strings.ReplaceAll(before, "\r\n", "\n")
	}
	if content == "" {
		return s
	}
	at := 0
	for line := range strings.SplitSeq(s.text, "\n") {
		s.markLine(line)
		s.starts = append(s.starts, at)
		at += len(line) + 1
	}
	return s
}

func (s *source) markLine(line string) {
	if !strings.Contains(line, anchorStart) && !strings.Contains(line, anchorEnd) {
		return
	}
	if start, end := anchorName(line, anchorStart), anchorName(line, anchorEnd); start != "" || end != "" {
		s.marks = append(s.marks, mark{len(s.starts), start, end})
	}
	s.unknown = s.unknown || strings.ContainsFunc(line, func(r rune) bool {
		return !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z)
	})
}

// take mirrors mdBook's take_lines and take_anchored_lines.
func (s *source) take(sel selection) excerpt {
	c := collector{source: s}
	if sel.anchor == "" {
		c.keep(sel.start, sel.end, "")
		return c.excerpt()
	}
	next, within := 0, false
	for _, m := range s.marks {
		switch {
		case !within:
			within = m.start == sel.anchor
		default:
			c.keep(next, m.line, "")
			if m.end == sel.anchor {
				return c.excerpt()
			}
		}
		next = m.line + 1
	}
	if within {
		c.keep(next, len(s.starts), "")
	}
	return c.excerpt()
}

// takeRustdoc mirrors mdBook's take_rustdoc_include_lines and its sibling for anchors: lines that
// are not selected are kept behind "# ".
func (s *source) takeRustdoc(sel selection) excerpt {
	const hidden = "# "
	c := collector{source: s}
	if sel.anchor == "" {
		c.keep(0, sel.start, hidden)
		c.keep(sel.start, sel.end, "")
		c.keep(max(sel.start, sel.end), len(s.starts), hidden)
		return c.excerpt()
	}
	next, prefix := 0, hidden
	for _, m := range s.marks {
		c.keep(next, m.line, prefix)
		next = m.line + 1
		switch {
		case prefix == "" && m.end == sel.anchor:
			prefix = hidden
		case prefix != "" && m.start == sel.anchor:
			prefix = ""
		}
	}
	c.keep(next, len(s.starts), prefix)
	return c.excerpt()
}

// collector puts lines of a source together.
type collector struct {
	source *source
	parts  []string
	runs   []run
	lines  int
}

// keep adds the lines [from, to), each with the prefix.
func (c *collector) keep(from, to int, prefix string) {
	from, to = min(from, len(c.source.starts)), min(to, len(c.source.starts))
	if from >= to {
		return
	}
	end := len(c.source.text)
	if to < len(c.source.starts) {
		end = c.source.starts[to] - 1
	}
	text := c.source.text[c.source.starts[from]:end]
	if prefix != "" {
		text = prefix + strings.ReplaceAll(text, "\n", "\n"+prefix)
	}
	c.parts, c.runs = append(c.parts, text), append(c.runs, run{c.lines + 1, from + 1})
	c.lines += to - from
}

func (c *collector) excerpt() excerpt { return excerpt{strings.Join(c.parts, "\n"), c.runs} }

// takePlayground is the whole file in a fence. The fence is part of what mdBook searches for
// directives again, so it is part of the excerpt.
func takePlayground(content string, attributes []string) excerpt {
	fence := "```rust"
	if len(attributes) > 0 {
		fence += "," + strings.Join(attributes, ",")
	}
	return excerpt{fence + "\n" + strings.TrimSuffix(content, "\n") + "\n```\n", []run{{1, 1}, {2, 1}}}
}
