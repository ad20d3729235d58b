// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// excerpt is the text that a directive takes from a file, and where each of its lines was.
type excerpt struct {
	text string
	// lines holds, for each line of text, its number in the file; nil means that they are equal.
	lines []int
}

// lineOf translates a line of the excerpt, from 1, into one of the file.
func (e excerpt) lineOf(line int) int {
	if e.lines == nil {
		return line
	}
	return e.lines[min(line, len(e.lines))-1]
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

// hasUnknownAnchor tells whether a line with an anchor holds a character that this program's
// Unicode tables lack: mdBook's may be newer, and would read another name.
func hasUnknownAnchor(content string) bool {
	for line := range strings.SplitSeq(content, "\n") {
		if strings.Contains(line, anchorStart) || strings.Contains(line, anchorEnd) {
			for _, r := range line {
				if !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z) {
					return true
				}
			}
		}
	}
	return false
}

// take mirrors mdBook's take_lines and take_anchored_lines.
func take(content string, sel selection) excerpt {
	all := splitLines(content)
	var kept []string
	var numbers []int
	if sel.anchor == "" {
		for i := sel.start; i < min(sel.end, len(all)); i++ {
			kept, numbers = append(kept, all[i]), append(numbers, i+1)
		}
		return excerpt{strings.Join(kept, "\n"), numbers}
	}
	within := false
	for i, line := range all {
		start, end := anchorName(line, anchorStart), anchorName(line, anchorEnd)
		switch {
		case !within:
			within = start == sel.anchor
		case end == sel.anchor:
			return excerpt{strings.Join(kept, "\n"), numbers}
		case end == "" && start == "":
			kept, numbers = append(kept, line), append(numbers, i+1)
		}
	}
	return excerpt{strings.Join(kept, "\n"), numbers}
}

// takeRustdoc mirrors mdBook's take_rustdoc_include_lines and its sibling for anchors: lines that
// are not selected are kept behind "# ".
func takeRustdoc(content string, sel selection) excerpt {
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
	return excerpt{strings.Join(kept, "\n"), numbers}
}

// takePlayground is the whole file in a fence. The fence is part of what mdBook searches for
// directives again, so it is part of the excerpt.
func takePlayground(content string, attributes []string) excerpt {
	fence := "```rust"
	if len(attributes) > 0 {
		fence += "," + strings.Join(attributes, ",")
	}
	numbers := []int{1}
	for i := range splitLines(content) {
		numbers = append(numbers, i+1)
	}
	return excerpt{fence + "\n" + strings.TrimSuffix(content, "\n") + "\n```\n", append(numbers, numbers[len(numbers)-1])}
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
