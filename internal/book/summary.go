// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"path"
	"regexp"
	"strings"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// chapter is a page that SUMMARY.md links to.
type chapter struct {
	path string // from the book's root
	at   Finding
}

// checkSummary reads SUMMARY.md as mdBook does and checks where each chapter's link leads.
func (in *inspection) checkSummary() {
	source := in.markdowns[viewv1.SummaryPath]
	if !in.checkSummarySize(source) {
		return
	}
	links, problem := parseSummary(source)
	place := &place{text: source, work: &in.work}
	if problem != nil {
		line, column := place.of(problem.offset)
		in.failf(Finding{Path: viewv1.SummaryPath, Line: line, Column: column}, "%s", problem.message)
		return
	}
	first := map[string]int{}
	for _, link := range links {
		if in.full() {
			return
		}
		line, column := place.of(link.offset)
		at := Finding{Path: viewv1.SummaryPath, Line: line, Column: column}
		if link.destination == "" {
			continue // a draft chapter: listed, not linked
		}
		target, ok := in.chapterTarget(link.destination, at)
		if !ok {
			continue
		}
		if before, ok := first[target]; ok {
			in.failf(at, "%s is a chapter already in line %d: link to each page once", printable(keyOf(target)), before)
			continue
		}
		first[target] = line
		in.chapters = append(in.chapters, chapter{target, at})
	}
	if len(in.chapters) == 0 && len(in.errors) == 0 {
		in.warnf(Finding{Path: viewv1.SummaryPath}, "it links to no page, so the site has no first page")
	}
}

// scheme is the beginning of an absolute URL.
var scheme = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]+:`)

// chapterTarget is the file that a link of SUMMARY.md leads to, from the root; false, and a finding,
// if mdBook could not make a page of it.
func (in *inspection) chapterTarget(destination string, at Finding) (string, bool) {
	// mdBook decodes this and nothing else.
	name := strings.ReplaceAll(destination, "%20", " ")
	if scheme.MatchString(name) || strings.HasPrefix(name, "//") {
		in.failf(at, "%s is not a file of the book: a chapter cannot be an external link; link to it from within a page", shorten(name))
		return "", false
	}
	target, where := in.tree.resolve(sourceDir, name)
	if where != absolute && where != outside && !strings.HasPrefix(target+"/", sourceDir+"/") {
		where = outside
	}
	switch where {
	case absolute:
		in.failf(at, "%s begins with /: a chapter's path is relative to SUMMARY.md", shorten(name))
	case outside:
		in.failf(at, "%s leaves the book: a chapter is a file of spec.markdowns", shorten(name))
	case folder:
		in.failf(at, "%s is a folder: link to a page in it, such as %s", shorten(name), printable(path.Join(keyOf(target), "README.md")))
	case missing:
		in.failf(at, "page %s is not in spec.markdowns%s: add it, or correct the link%s",
			printable(keyOf(target)), in.tree.lookalike(target), linkHint(name))
	case found:
		return target, in.canBeChapter(target, name, at)
	}
	return "", false
}

func (in *inspection) canBeChapter(target, name string, at Finding) bool {
	base := path.Base(target)
	page := strings.TrimSuffix(base, path.Ext(base)) + ".html"
	switch {
	case name == "print.md":
		in.failf(at, "print.md: mdBook keeps this name for the page to print: rename the page")
	case len(page) > MaxNameBytes:
		in.failf(at,
			"%s: the page's HTML file would have a name of %d bytes; a file name has at most %d: rename the page",
			printable(keyOf(target)), len(page), MaxNameBytes)
	case !in.tree.holdsText(target):
		in.failf(at, "%s is not text (UTF-8): a chapter is a Markdown file", printable(keyOf(target)))
	default:
		return true
	}
	return false
}

// linkHint explains links that work in a browser and not in SUMMARY.md.
func linkHint(destination string) string {
	switch {
	case strings.ContainsAny(destination, "#?"):
		return " (SUMMARY.md names files: leave out what begins with # or ?)"
	case strings.Contains(destination, "%"):
		return " (mdBook decodes %20 only: write other characters as they are)"
	}
	return ""
}
