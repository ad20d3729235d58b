// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build e2e

package e2e

import (
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/bookdir"
)

// guideDir is mdBook's own guide: $MDBOOK_GUIDE, or where the project's shared test cases lie.
func guideDir() string {
	if dir := os.Getenv("MDBOOK_GUIDE"); dir != "" {
		return dir
	}
	return "../../../shared/cases/books/mdbook-guide"
}

// TestGuide publishes a real book of another project, and follows every link in it.
func TestGuide(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(guideDir()); err != nil {
		t.Skipf("mdBook's guide is not here (set MDBOOK_GUIDE to the folder guide of its sources): %v", err)
	}
	spec, err := bookdir.Spec(os.DirFS(guideDir()))
	if err != nil {
		t.Fatal(err)
	}
	// Its own settings name a preprocessor that is compiled from its sources.
	spec.Markdowns[viewv1.SettingsPath] = "[book]\ntitle = \"mdBook Documentation\"\n\n[output.html]\nsmart-punctuation = true\nmathjax-support = true\n"
	// Two directives take code from elsewhere in mdBook's sources, which are not in the book: they are
	// shown as text, as the refusal advises.
	const developers = "for_developers/preprocessors.md"
	for _, directive := range []string{"{{#include ../../../", "{{#rustdoc_include ../../../"} {
		spec.Markdowns[developers] = strings.ReplaceAll(spec.Markdowns[developers], directive, `\`+directive)
	}
	size := 0
	for _, text := range spec.Markdowns {
		size += len(text)
	}
	if size < 100<<10 || len(spec.Markdowns) < 20 {
		t.Fatalf("%d files of together %d bytes are not the guide", len(spec.Markdowns), size)
	}
	namespace := newNamespace(t)
	b := publish(t, namespace, "mdbook-guide", spec)
	mustServeHeadings(t, b, spec)

	base := "http://" + portForward(t, namespace, "svc/viewer-mdbook-guide", ":80") + "/"
	seen := crawl(t, base)
	pages := 0
	for address, status := range seen {
		if strings.HasSuffix(address, ".html") {
			pages++
		}
		if status != http.StatusOK {
			t.Errorf("%s is answered with %d", address, status)
		}
	}
	if pages < 20 {
		t.Errorf("only %d pages were found: the crawl does not follow the links", pages)
	}
	t.Logf("%d addresses, %d of them pages, all of a book of %d KiB", len(seen), pages, size>>10)
}

// plainHeading is a page's first heading, where mdBook shows it letter for letter.
var plainHeading = regexp.MustCompile(`(?m)^# ([A-Za-z0-9 .-]+)$`)

// mustServeHeadings looks for each page's own heading in what is served for it.
func mustServeHeadings(t *testing.T, b book, spec viewv1.MarkdownViewSpec) {
	t.Helper()
	checked := 0
	for path, text := range spec.Markdowns {
		heading := plainHeading.FindStringSubmatch(text)
		if heading == nil || !strings.Contains(spec.Markdowns[viewv1.SummaryPath], "("+path+")") {
			continue
		}
		page := strings.TrimSuffix(path, ".md")
		if folder, ok := strings.CutSuffix(page, "README"); ok {
			page = folder + "index"
		}
		b.mustServe(t, page+".html", heading[1])
		checked++
	}
	if checked < 20 {
		t.Errorf("only %d pages have a heading that could be looked for", checked)
	}
}

// crawl fetches base and everything below it that is linked to, and returns the status of each.
func crawl(t *testing.T, base string) map[string]int {
	t.Helper()
	seen := map[string]int{}
	for open := []string{base}; len(open) > 0; open = open[1:] {
		address := open[0]
		if _, ok := seen[address]; ok {
			continue
		}
		status, header, body := httpGet(t, address)
		seen[address] = status
		if status != http.StatusOK || !strings.HasPrefix(header.Get("Content-Type"), "text/html") {
			continue
		}
		for _, link := range links(t, address, body) {
			if strings.HasPrefix(link, base) {
				open = append(open, link)
			}
		}
	}
	return seen
}

// links are the absolute addresses that a page refers to, without fragments.
func links(t *testing.T, address, body string) []string {
	t.Helper()
	from, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatalf("%s is no HTML: %v", address, err)
	}
	var found []string
	for node := range root.Descendants() {
		for _, attribute := range node.Attr {
			if attribute.Key != "href" && attribute.Key != "src" {
				continue
			}
			target, err := from.Parse(attribute.Val)
			if err != nil {
				t.Errorf("%s links to %q: %v", address, attribute.Val, err)
				continue
			}
			target.Fragment = ""
			found = append(found, target.String())
		}
	}
	return found
}
