// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"maps"
	"path"
	"slices"
	"strings"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// checkPublished warns about files that do not end up where their author expects them.
func (in *inspection) checkPublished() {
	if len(in.errors) > 0 {
		return // links that could not be followed would be taken for pages that nobody links to
	}
	published := map[string]string{} // HTML file -> the page it is made of
	isChapter := map[string]bool{}
	for _, page := range in.chapters {
		isChapter[page.path] = true
		html := htmlOf(page.path)
		switch first, taken := published[html]; {
		case taken:
			in.warnf(page.at, "%s and %s both become %s, and the later one wins: rename one of them",
				printable(keyOf(first)), printable(keyOf(page.path)), printable(keyOf(html)))
		case html == sourceDir+"/toc.html":
			in.warnf(page.at,
				"%s takes the place of mdBook's own toc.html, which readers without JavaScript need: rename the page", printable(keyOf(page.path)))
		}
		published[html] = page.path
	}
	for _, p := range slices.Sorted(maps.Keys(in.tree.files)) {
		switch {
		case published[p] != "":
			in.warnf(Finding{Path: keyOf(p)}, "the file takes the place of the page that %s becomes: rename one of them", printable(keyOf(published[p])))
		case path.Ext(p) == ".md" && !isChapter[p] && !in.included[p] && p != in.notFound && p != sourceDir+"/"+viewv1.SummaryPath:
			in.warnf(Finding{Path: keyOf(p)}, "SUMMARY.md does not link to the page, so it is not published")
		}
	}
}

// htmlOf is the file that mdBook makes of a page: README becomes index, the ending becomes html.
func htmlOf(page string) string {
	dir, base := path.Split(page)
	stem := strings.TrimSuffix(base, path.Ext(base))
	if strings.EqualFold(stem, "readme") {
		stem = "index"
	}
	return dir + stem + ".html"
}
