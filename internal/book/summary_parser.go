// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// summaryLink is an entry of the table of contents.
type summaryLink struct {
	destination string // as mdBook reads it; empty for a draft
	offset      int
}

// summaryProblem is why mdBook cannot read a table of contents.
type summaryProblem struct {
	message string
	offset  int
}

// parseSummary returns the chapters of a SUMMARY.md in the order in which mdBook finds them. The
// states below are those of mdBook's own parser (crate mdbook-summary), because what it skips and
// what it refuses is defined by nothing else.
func parseSummary(source string) ([]summaryLink, *summaryProblem) {
	p := &summaryParser{events: summaryEvents([]byte(source))}
	p.title()
	if problem := p.affix(true); problem != nil {
		return nil, problem
	}
	if problem := p.parts(); problem != nil {
		return nil, problem
	}
	if problem := p.affix(false); problem != nil {
		return nil, problem
	}
	return p.links, nil
}

type eventKind int

const (
	other eventKind = iota
	heading1
	paragraph
	list
	item
	link
	rule
	htmlText
	anyTag // a container that none of the above names
)

type event struct {
	kind        eventKind
	end         bool
	node        ast.Node
	offset      int
	destination string
}

// summaryEvents flattens the document into the events that mdBook's Markdown parser emits.
func summaryEvents(source []byte) []event {
	document := goldmark.DefaultParser().Parse(text.NewReader(source))
	var events []event
	offset := 0
	// The visitor returns no error, so neither does Walk.
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		e := event{kind: kindOf(n), end: !entering, node: n}
		// Some nodes do not know where they are; they lie where the last one that does lies.
		if at := offsetOf(n); at >= 0 && at < len(source) && entering {
			offset = at
		}
		e.offset = offset
		switch n := n.(type) {
		case *ast.Document, *ast.TextBlock:
			return ast.WalkContinue, nil
		case *ast.Link:
			e.destination = destination(n.Destination)
		case *ast.AutoLink:
			e.destination = string(n.URL(source))
		}
		if entering || isContainer(e.kind) {
			events = append(events, e)
		}
		return ast.WalkContinue, nil
	})
	return events
}

func offsetOf(n ast.Node) int {
	if words, ok := n.(*ast.Text); ok {
		return words.Segment.Start
	}
	return n.Pos()
}

func kindOf(n ast.Node) eventKind {
	switch n := n.(type) {
	case *ast.Heading:
		if n.Level == 1 {
			return heading1
		}
		return anyTag
	case *ast.Paragraph:
		return paragraph
	case *ast.List:
		return list
	case *ast.ListItem:
		return item
	case *ast.Link, *ast.AutoLink:
		return link
	case *ast.ThematicBreak:
		return rule
	case *ast.HTMLBlock, *ast.RawHTML:
		return htmlText
	case *ast.Text, *ast.String, *ast.CodeSpan:
		return other
	default:
		return anyTag
	}
}

func isContainer(k eventKind) bool { return k != other && k != rule && k != htmlText }

// destination undoes the escapes that Markdown allows in a link's destination.
func destination(raw []byte) string {
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(raw))))
}

type summaryParser struct {
	events []event
	at     int
	links  []summaryLink
}

func (p *summaryParser) next() (event, bool) {
	if p.at >= len(p.events) {
		return event{}, false
	}
	p.at++
	return p.events[p.at-1], true
}

// back puts the last event back.
func (p *summaryParser) back() { p.at-- }

// skipTo drops everything up to the end of the node.
func (p *summaryParser) skipTo(node ast.Node) {
	for e, ok := p.next(); ok; e, ok = p.next() {
		if e.end && e.node == node {
			return
		}
	}
}

// title skips a heading at the beginning.
func (p *summaryParser) title() {
	for e, ok := p.next(); ok; e, ok = p.next() {
		switch {
		case e.kind == heading1 && !e.end:
			p.skipTo(e.node)
			return
		case e.kind != htmlText:
			p.back()
			return
		}
	}
}

// affix reads the chapters before or after the numbered ones: every link outside a list.
func (p *summaryParser) affix(isPrefix bool) *summaryProblem {
	for e, ok := p.next(); ok; e, ok = p.next() {
		switch {
		case e.end:
		case e.kind == list || e.kind == heading1:
			if isPrefix {
				p.back()
				return nil
			}
			return &summaryProblem{"a list or a heading follows the chapters after the numbered ones: " +
				"move those chapters to the end, or make them entries of a list", e.offset}
		case e.kind == link:
			p.link(e)
		}
	}
	return nil
}

// parts reads the numbered chapters, under any number of headings.
func (p *summaryParser) parts() *summaryProblem {
	for e, ok := p.next(); ok; e, ok = p.next() {
		switch {
		case e.kind == paragraph && !e.end:
			p.back()
			return nil
		case e.kind == heading1 && !e.end:
			p.skipTo(e.node)
		default:
			p.back()
		}
		if problem := p.numbered(); problem != nil {
			return problem
		}
	}
	return nil
}

// numbered reads lists until a heading or a paragraph begins. What is in neither is skipped.
func (p *summaryParser) numbered() *summaryProblem {
	first := true
	for e, ok := p.next(); ok; e, ok = p.next() {
		switch {
		case e.end:
		case e.kind == paragraph:
			if !first {
				p.back()
				return nil
			}
		case e.kind == heading1:
			p.back()
			return nil
		case e.kind == list:
			p.back()
			if problem := p.nested(); problem != nil {
				return problem
			}
		case isContainer(e.kind):
			p.skipTo(e.node)
		}
		first = false
	}
	return nil
}

// nested reads one list with the lists in it.
func (p *summaryParser) nested() *summaryProblem {
	items := 0
	for e, ok := p.next(); ok; e, ok = p.next() {
		switch {
		case e.kind == item && !e.end:
			if problem := p.item(); problem != nil {
				return problem
			}
			items++
		case e.kind == list && e.end:
			return nil
		case e.kind == list && items > 0:
			if problem := p.nested(); problem != nil {
				return problem
			}
		}
	}
	return nil
}

// item expects the link that an entry of a list must begin with.
func (p *summaryParser) item() *summaryProblem {
	for {
		e, ok := p.next()
		switch {
		case ok && e.kind == paragraph && !e.end:
		case ok && e.kind == link && !e.end:
			p.link(e)
			return nil
		default:
			return &summaryProblem{"an entry of the list must begin with a link, [title](page.md), or [title]() for a draft", e.offset}
		}
	}
}

func (p *summaryParser) link(e event) {
	p.links = append(p.links, summaryLink{e.destination, e.offset})
	p.skipTo(e.node)
}
