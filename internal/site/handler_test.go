// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package site

import (
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	page       = `<!DOCTYPE html><html><head><title>Home</title></head><body><p>Welcome</p></body></html>`
	pagePolicy = "default-src 'self'; script-src 'self'; connect-src 'self'; " +
		"style-src 'self' 'unsafe-inline' https:; font-src 'self' data: https:; img-src * data:; media-src *; " +
		"frame-src 'self' https:; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
	script = "console.log('book')"
)

var longPage = "<!DOCTYPE html><html><body>" + strings.Repeat("<p>All work and no play.</p>", 200) + "</body></html>"

// hashed is the name that mdBook gives to a script with that content.
func hashed(name, content, extension string) string {
	sum := sha256.Sum256([]byte(content))
	return name + "-" + hex.EncodeToString(sum[:4]) + extension
}

// testBook is a built book in small: folders, any UTF-8 name, hashed assets, a page for missing pages.
func testBook() map[string]string {
	return map[string]string{
		"index.html":                    page,
		"404.html":                      "<h1>This book has no such page</h1>",
		"long.html":                     longPage,
		"guide/index.html":              page + "<!-- guide -->",
		"guide/first.html":              page + "<!-- first -->",
		"日本語/はじめに.html":                 page + "<!-- 日本語 -->",
		"a b+c%25&d.html":               page + "<!-- odd -->",
		"na:me/index.html":              page,
		hashed("book", script, ".js"):   script,
		"book-00000000.js":              script,
		"photo.png":                     "\x89PNG\r\n\x1a\n" + strings.Repeat("x", 2000),
		"drawing.svg":                   `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`,
		"manual.pdf":                    "%PDF-1.7",
		"LICENSE":                       "<html>do as you like</html>",
		".secret/key":                   "secret",
		".nojekyll":                     "",
		"guide/.hidden":                 "secret",
		"fonts/a.woff2":                 strings.Repeat("w", 1000),
		"weird/404.html/not-index.html": page,
	}
}

// writeBook writes the files into a new folder and returns it.
func writeBook(tb testing.TB, files map[string]string) string {
	tb.Helper()
	folder := tb.TempDir()
	for name, content := range files {
		target := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(target, []byte(content), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	return folder
}

func openBookOf(tb testing.TB, files map[string]string) *Site {
	tb.Helper()
	book, err := Open(writeBook(tb, files))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := book.Close(); err != nil {
			tb.Error(err)
		}
	})
	return book
}

// etagOf is the ETag of a file's plain form.
func etagOf(content string) string { return entityTag(sha256.Sum256([]byte(content))) }

// answerTo is what a test compares: the named headers, absent ones left out.
type answerTo struct {
	Status int
	Header map[string]string
	Body   string
}

func ask(handler http.Handler, method, target string, header map[string]string, want []string) answerTo {
	r := httptest.NewRequest(method, "http://book/", nil)
	r.URL.Path, r.URL.RawQuery, _ = strings.Cut(target, "?")
	for name, value := range header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	got := answerTo{Status: w.Code, Header: map[string]string{}, Body: w.Body.String()}
	for _, name := range want {
		if values := w.Header().Values(name); len(values) > 0 {
			got.Header[name] = strings.Join(values, ", ")
		}
	}
	return got
}

var quiet = slog.New(slog.DiscardHandler)

func TestStatusAndPlace(t *testing.T) {
	handler := openBookOf(t, testBook()).Handler(quiet)
	notFound := testBook()["404.html"]
	cases := map[string]struct {
		method, path string
		want         answerTo
	}{
		"the root is index.html":                  {"GET", "/", answerTo{200, nil, page}},
		"index.html by its name, as mdBook links": {"GET", "/index.html", answerTo{200, nil, page}},
		"a page in a folder":                      {"GET", "/guide/first.html", answerTo{200, nil, page + "<!-- first -->"}},
		"a folder is its index.html":              {"GET", "/guide/", answerTo{200, nil, page + "<!-- guide -->"}},
		"a folder without its slash":              {"GET", "/guide", answerTo{301, map[string]string{"Location": "guide/"}, ""}},
		"a folder without its slash, with query":  {"GET", "/guide?highlight=x", answerTo{301, map[string]string{"Location": "guide/?highlight=x"}, ""}},
		"a link to a README":                      {"GET", "/guide/README.html", answerTo{301, map[string]string{"Location": "./"}, ""}},
		"a link to the first README":              {"GET", "/README.html", answerTo{301, map[string]string{"Location": "./"}, ""}},
		"a README of a folder without a page":     {"GET", "/fonts/README.html", answerTo{404, nil, "<h1>This book has no such page</h1>"}},
		"a page without its ending":               {"GET", "/guide/first?highlight=x", answerTo{301, map[string]string{"Location": "./first.html?highlight=x"}, ""}},
		"a page as a folder":                      {"GET", "/guide/first/", answerTo{301, map[string]string{"Location": "../first.html"}, ""}},
		"a folder whose name looks like a scheme": {"GET", "/na:me", answerTo{301, map[string]string{"Location": "./na:me/"}, ""}},
		"a Japanese name":                         {"GET", "/日本語/はじめに.html", answerTo{200, nil, page + "<!-- 日本語 -->"}},
		"a name with every odd character":         {"GET", "/a b+c%25&d.html", answerTo{200, nil, page + "<!-- odd -->"}},
		"a file without extension":                {"GET", "/LICENSE", answerTo{200, nil, testBook()["LICENSE"]}},
		"HEAD has no body":                        {"HEAD", "/", answerTo{200, nil, ""}},
		"HEAD of a missing page has no body":      {"HEAD", "/nothing.html", answerTo{404, nil, ""}},
		"a missing page":                          {"GET", "/nothing.html", answerTo{404, nil, notFound}},
		"the page for missing pages by its name":  {"GET", "/404.html", answerTo{200, nil, notFound}},
		"a folder without index.html: no listing": {"GET", "/日本語/", answerTo{404, nil, notFound}},
		"the same without slash":                  {"GET", "/日本語", answerTo{404, nil, notFound}},
		"a file is no folder":                     {"GET", "/index.html/", answerTo{404, nil, notFound}},
		"a dotfile":                               {"GET", "/.nojekyll", answerTo{404, nil, notFound}},
		"a dotfile in a folder":                   {"GET", "/guide/.hidden", answerTo{404, nil, notFound}},
		"a file in a dot folder":                  {"GET", "/.secret/key", answerTo{404, nil, notFound}},
		"a parent":                                {"GET", "/../../etc/passwd", answerTo{404, nil, notFound}},
		"a parent inside the book":                {"GET", "/guide/../index.html", answerTo{404, nil, notFound}},
		"a doubled slash never leaves the site":   {"GET", "//guide", answerTo{404, nil, notFound}},
		"a backslash is a character":              {"GET", `/guide\first.html`, answerTo{404, nil, notFound}},
		"a zero byte":                             {"GET", "/index.html\x00", answerTo{404, nil, notFound}},
		"bytes that are not UTF-8":                {"GET", "/\xff\xfe.html", answerTo{404, nil, notFound}},
		"no leading slash":                        {"GET", "index.html", answerTo{404, nil, notFound}},
		"OPTIONS *":                               {"OPTIONS", "*", answerTo{405, nil, "405: a book is only read (GET, HEAD)\n"}},
		"POST":                                    {"POST", "/", answerTo{405, map[string]string{"Allow": "GET, HEAD"}, "405: a book is only read (GET, HEAD)\n"}},
		"PUT":                                     {"PUT", "/new.html", answerTo{405, map[string]string{"Allow": "GET, HEAD"}, "405: a book is only read (GET, HEAD)\n"}},
		"DELETE":                                  {"DELETE", "/", answerTo{405, map[string]string{"Allow": "GET, HEAD"}, "405: a book is only read (GET, HEAD)\n"}},
		"TRACE":                                   {"TRACE", "/", answerTo{405, map[string]string{"Allow": "GET, HEAD"}, "405: a book is only read (GET, HEAD)\n"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			names := make([]string, 0, len(c.want.Header))
			for header := range c.want.Header {
				names = append(names, header)
			}
			if c.want.Header == nil {
				c.want.Header = map[string]string{}
			}
			if diff := cmp.Diff(c.want, ask(handler, c.method, c.path, nil, names)); diff != "" {
				t.Errorf("%s %s (-want +got):\n%s", c.method, c.path, diff)
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	handler := openBookOf(t, testBook()).Handler(quiet)
	every := []string{
		"Cache-Control", "Content-Encoding", "Content-Length", "Content-Security-Policy", "Content-Type", "Etag", "Last-Modified",
		"Permissions-Policy", "Referrer-Policy", "Server", "Vary", "X-Content-Type-Options", "X-Frame-Options",
	}
	// with adds the headers that every answer has.
	with := func(own map[string]string) map[string]string {
		own["Permissions-Policy"] = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
		own["Referrer-Policy"] = "same-origin"
		own["X-Content-Type-Options"] = "nosniff"
		own["X-Frame-Options"] = "SAMEORIGIN"
		return own
	}
	cases := map[string]struct {
		method, path string
		status       int
		want         map[string]string
	}{
		"a page is revalidated": {"GET", "/", 200, map[string]string{
			"Cache-Control": "no-cache", "Content-Length": "87", "Content-Type": "text/html; charset=utf-8",
			"Content-Security-Policy": pagePolicy, "Etag": etagOf(page),
		}},
		"a page that could be compressed varies": {"GET", "/long.html", 200, map[string]string{
			"Cache-Control": "no-cache", "Content-Length": "5641", "Content-Type": "text/html; charset=utf-8",
			"Content-Security-Policy": pagePolicy, "Etag": etagOf(longPage), "Vary": "Accept-Encoding",
		}},
		"an asset named by its content is kept": {"GET", "/" + hashed("book", script, ".js"), 200, map[string]string{
			"Cache-Control": "public, max-age=31536000, immutable", "Content-Length": "19", "Content-Type": "text/javascript; charset=utf-8",
			"Content-Security-Policy": plainPolicy, "Etag": etagOf(script),
		}},
		"an asset whose name only looks so is not": {"GET", "/book-00000000.js", 200, map[string]string{
			"Cache-Control": "no-cache", "Content-Length": "19", "Content-Type": "text/javascript; charset=utf-8",
			"Content-Security-Policy": plainPolicy, "Etag": etagOf(script),
		}},
		"an SVG may not run scripts as a document": {"GET", "/drawing.svg", 200, map[string]string{
			"Cache-Control": "no-cache", "Content-Length": "71", "Content-Type": "image/svg+xml",
			"Content-Security-Policy": imagePolicy, "Etag": etagOf(testBook()["drawing.svg"]),
		}},
		"a PDF is shown by the browser's viewer": {"GET", "/manual.pdf", 200, map[string]string{
			"Cache-Control": "no-cache", "Content-Length": "8", "Content-Type": "application/pdf",
			"Content-Security-Policy": "frame-ancestors 'self'", "Etag": etagOf("%PDF-1.7"),
		}},
		"a file that only looks like HTML is text": {"HEAD", "/LICENSE", 200, map[string]string{
			"Cache-Control": "no-cache", "Content-Length": "27", "Content-Type": "text/plain; charset=utf-8",
			"Content-Security-Policy": plainPolicy, "Etag": etagOf(testBook()["LICENSE"]),
		}},
		"a font": {"HEAD", "/fonts/a.woff2", 200, map[string]string{
			"Cache-Control": "no-cache", "Content-Length": "1000", "Content-Type": "font/woff2",
			"Content-Security-Policy": plainPolicy, "Etag": etagOf(testBook()["fonts/a.woff2"]),
		}},
		"a missing page has no ETag: a condition must not turn it into 304": {"GET", "/nothing", 404, map[string]string{
			"Cache-Control": "no-cache", "Content-Length": "35", "Content-Type": "text/html; charset=utf-8",
			"Content-Security-Policy": pagePolicy,
		}},
		"a redirect": {"GET", "/guide", 301, map[string]string{
			"Cache-Control": "no-cache", "Content-Security-Policy": plainPolicy,
		}},
		"a refused method": {"POST", "/", 405, map[string]string{
			"Cache-Control": "no-cache", "Content-Type": "text/plain; charset=utf-8", "Content-Security-Policy": plainPolicy,
		}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := ask(handler, c.method, c.path, nil, every)
			want := answerTo{Status: c.status, Header: with(c.want), Body: got.Body}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s %s (-want +got):\n%s", c.method, c.path, diff)
			}
		})
	}
}
