// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
)

const (
	// MaxIncludeDepth is how deep mdBook follows includes before it leaves text out.
	MaxIncludeDepth = 10

	// MaxExpandedBytes bounds what all includes together may grow to: a few files that include each
	// other many times would otherwise fill the builder's memory, and the time of an admission.
	MaxExpandedBytes = 64 << 20

	// directiveBytes is how many bytes could be looked at in the time that one directive takes.
	directiveBytes = 128
)

// inclusion is what is known about one excerpt once all that it includes was followed.
type inclusion struct {
	bytes int // its size with all that it includes
	depth int // how many includes lie in each other
}

// expansion follows the includes of a book, each excerpt once.
type expansion struct {
	in    *inspection
	known map[string]inclusion
	// sources are the files that excerpts were taken from.
	sources map[string]*source
	// open are the excerpts being followed, outermost first; open again means a circle.
	open []string
	// read counts the bytes that were looked at.
	read int
}

// checkIncludes follows the directives of every published page.
func (in *inspection) checkIncludes() {
	in.included = map[string]bool{}
	e := &expansion{in: in, known: map[string]inclusion{}, sources: map[string]*source{}}
	total := 0
	for _, page := range in.chapters {
		got := e.follow(page.path, excerpt{text: in.tree.files[page.path]})
		if got.depth > MaxIncludeDepth {
			in.failf(Finding{Path: keyOf(page.path)},
				"includes lie %d deep in each other; mdBook leaves out what is deeper than %d", got.depth, MaxIncludeDepth)
		}
		total += got.bytes
		if e.exhausted(total) {
			in.failf(Finding{Path: keyOf(page.path)}, "with its includes the book grows to more than %d MiB: include less", MaxExpandedBytes>>20)
			return
		}
	}
}

func (e *expansion) look(bytes int) {
	e.read += bytes
	e.in.work.look(bytes)
}

func (e *expansion) exhausted(total int) bool {
	return total > MaxExpandedBytes || e.read > MaxExpandedBytes
}

// follow looks at an excerpt of the file, and at all that it includes.
func (e *expansion) follow(file string, ex excerpt) inclusion {
	e.look(len(ex.text))
	sum := inclusion{bytes: len(ex.text)}
	place := &place{text: ex.text, work: &e.in.work}
	for _, d := range findDirectives(ex.text) {
		if e.exhausted(sum.bytes) || e.in.full() {
			break
		}
		e.look(directiveBytes)
		line, column := place.of(d.offset)
		at := Finding{Path: keyOf(file), Line: ex.lineOf(line), Column: column}
		got, ok := e.enter(path.Dir(file), d, at)
		if ok {
			sum.bytes = min(sum.bytes+got.bytes, MaxExpandedBytes+1)
			sum.depth = max(sum.depth, got.depth+1)
		}
	}
	return sum
}

// enter follows one directive that was found in a file of the folder dir.
func (e *expansion) enter(dir string, d directive, at Finding) (inclusion, bool) {
	target, ok := e.in.target(dir, d, at)
	if !ok {
		return inclusion{}, false
	}
	e.in.included[target] = true
	// The attributes of a playground are part of the text that is searched again.
	key := fmt.Sprintf("%s\x00%s\x00%v\x00%q", d.kind, target, d.sel, d.attrs)
	if got, ok := e.known[key]; ok {
		return got, true
	}
	for i, open := range e.open {
		if open == key {
			e.in.failf(at,
				"%s includes itself (%s): mdBook would leave the text out after %d rounds", shorten(d.text), circle(e.open[i:], key), MaxIncludeDepth)
			return inclusion{}, false
		}
	}
	if len(e.open) >= MaxIncludeDepth {
		e.in.failf(at, "%s lies more than %d includes deep; mdBook would leave its text out", shorten(d.text), MaxIncludeDepth)
		return inclusion{}, false
	}
	content := e.in.tree.files[target]
	if d.sel.anchor != "" && e.source(target).unknown {
		e.in.failf(at,
			"%s: an anchor of %s has a character that Unicode %s lacks: rename the anchor", shorten(d.text), printable(keyOf(target)), unicode.Version)
		return inclusion{}, false
	}
	e.look(len(content))
	e.open = append(e.open, key)
	got := e.follow(target, e.take(d, target))
	e.open = e.open[:len(e.open)-1]
	e.known[key] = got
	return got, true
}

// take is what mdBook puts in the directive's place, before it looks for directives in that.
func (e *expansion) take(d directive, target string) excerpt {
	switch d.kind {
	case "include":
		return e.source(target).take(d.sel)
	case "rustdoc_include":
		return e.source(target).takeRustdoc(d.sel)
	default:
		return takePlayground(e.in.tree.files[target], d.attrs)
	}
}

func (e *expansion) source(target string) *source {
	s, ok := e.sources[target]
	if !ok {
		e.in.work.look(len(e.in.tree.files[target]))
		s = newSource(e.in.tree.files[target])
		e.sources[target] = s
	}
	return s
}

// target is the file that a directive reads, from the root; false, and a finding, if it may not.
func (in *inspection) target(dir string, d directive, at Finding) (string, bool) {
	const escape = `, or write \{{# to show the directive as text`
	target, where := in.tree.resolve(dir, d.target)
	text := shorten(d.text)
	switch where {
	case absolute:
		in.failf(at, "%s names a file of the builder's container, not of the book: use a path relative to this file"+escape, text)
	case outside:
		in.failf(at, "%s leaves the book: add the file to spec.markdowns or spec.assets and include it from there"+escape, text)
	case folder:
		in.failf(at, "%s names a folder: name a file in it"+escape, text)
	case missing:
		in.failf(at, "%s: the book has no file %s%s: add it to spec.markdowns or spec.assets"+escape,
			text, printable(keyOf(target)), in.tree.lookalike(target))
	case found:
		if in.tree.holdsText(target) {
			return target, true
		}
		in.failf(at, "%s: the file is not text (UTF-8): link to it instead", text)
	}
	return "", false
}

// circle writes the files of a circle of includes, in order.
func circle(open []string, again string) string {
	var files []string
	for _, key := range append(slices.Clip(open), again) {
		files = append(files, printable(keyOf(strings.Split(key, "\x00")[1])))
	}
	return strings.Join(files, " → ")
}

// shorten keeps a quoted directive on one line and readable.
func shorten(text string) string {
	const most = 80
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
