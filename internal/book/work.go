// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"strings"
	"unicode/utf8"
)

// work counts the bytes that were looked at. An author must not be able to occupy admission, so the count
// grows with the book and not with its square; hostile_test.go holds it to that.
type work struct{ bytes int }

func (w *work) look(bytes int) { w.bytes += bytes }

// place turns offsets of a text into lines and columns. It goes on from the last offset, because what is
// looked for comes in order: thousands of links may stand in one line.
type place struct {
	text         string
	offset       int
	line, column int // of the offset, both from 0
	work         *work
}

// of returns a line and a column, both from 1, the column in characters.
func (p *place) of(offset int) (line, column int) {
	if offset < p.offset {
		p.offset, p.line, p.column = 0, 0, 0
	}
	passed := p.text[p.offset:offset]
	p.work.look(len(passed))
	if newlines := strings.Count(passed, "\n"); newlines > 0 {
		p.line, p.column = p.line+newlines, 0
		passed = passed[strings.LastIndexByte(passed, '\n')+1:]
	}
	p.column += utf8.RuneCountInString(passed)
	p.offset = offset
	return p.line + 1, p.column + 1
}
