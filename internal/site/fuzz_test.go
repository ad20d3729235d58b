// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package site

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// FuzzPath asks for anything at all: what comes back is a page of the book or a clear refusal, and
// never a byte of what lies outside the book.
func FuzzPath(f *testing.F) {
	const secret = "kept-outside-the-book"
	files := testBook()
	files[".secret/key"] = secret
	folder := writeBook(f, files)
	if err := os.WriteFile(filepath.Join(filepath.Dir(folder), "token"), []byte(secret), 0o644); err != nil {
		f.Fatal(err)
	}
	book, err := Open(folder)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = book.Close() })
	handler := book.Handler(quiet)
	for _, seed := range []string{
		"/", "/guide", "/guide/", "/../token", "/%2e%2e/token", "/..%2ftoken", "//token", "/guide/../../token",
		"/.secret/key", `/..\token`, "/\x00", "/日本語/はじめに.html", "/./index.html", "*", "", "/na:me", "/long.html",
	} {
		f.Add(seed, "GET", "gzip", "bytes=0-10", `"x"`)
	}
	allowed := []int{200, 206, 301, 304, 404, 405, 416}
	f.Fuzz(func(t *testing.T, path, method, accept, ranges, match string) {
		r := httptest.NewRequest(http.MethodGet, "http://book/", nil)
		r.Method, r.URL.Path = method, path
		r.Header.Set("Accept-Encoding", accept)
		r.Header.Set("Range", ranges)
		r.Header.Set("If-None-Match", match)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if !slices.Contains(allowed, w.Code) {
			t.Errorf("%s %q: status %d, want one of %v", method, path, w.Code, allowed)
		}
		if strings.Contains(w.Body.String(), secret) {
			t.Errorf("%s %q tells what is outside the book", method, path)
		}
		location := w.Header().Get("Location")
		if strings.HasPrefix(location, "/") || strings.Contains(location, "://") {
			t.Errorf("%s %q redirects to %q, want a place in the same folder", method, path, location)
		}
		if w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Header().Get("Content-Security-Policy") == "" {
			t.Errorf("%s %q: an answer without its security headers", method, path)
		}
	})
}

// FuzzPolicy puts anything into a page: its policy stays one policy with the directives that every
// page has.
func FuzzPolicy(f *testing.F) {
	f.Add(`<script>a()</script>`)
	f.Add(`<script src="https://a;b/c.js"></script><pre class="playground">`)
	f.Add(`<script src="https://[::1]/c.js">`)
	want := strings.Count(pagePolicy, ";")
	f.Fuzz(func(t *testing.T, page string) {
		scripts, err := readScripts(strings.NewReader(page))
		if err != nil {
			t.Skip("a page that cannot be read is an error at the start")
		}
		policy := scripts.policy()
		if strings.Count(policy, ";") != want || strings.ContainsAny(policy, ",\r\n") {
			t.Errorf("page %q makes the policy %q", page, policy)
		}
	})
}
