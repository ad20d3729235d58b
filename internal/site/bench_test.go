// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package site

import (
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
)

// discard is a ResponseWriter that costs nothing itself.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header            { return d.header }
func (d *discard) WriteHeader(int)                {}
func (d *discard) Write(text []byte) (int, error) { return len(text), nil }

// BenchmarkServe compares an answer with that of the standard library's file server (the floor:
// it neither compresses nor tags) for the same page of 5.6 kB.
func BenchmarkServe(b *testing.B) {
	folder := writeBook(b, testBook())
	root, err := os.OpenRoot(folder)
	if err != nil {
		b.Fatal(err)
	}
	defer root.Close()
	book, err := Open(folder)
	if err != nil {
		b.Fatal(err)
	}
	defer book.Close()
	ours, floor := book.Handler(quiet), http.FileServerFS(root.FS())
	tag := book.files["long.html"].etag[0]
	for _, c := range []struct {
		name    string
		handler http.Handler
		path    string
		header  map[string]string
	}{
		{"floor", floor, "/long.html", nil},
		{"plain", ours, "/long.html", nil},
		{"gzip", ours, "/long.html", map[string]string{"Accept-Encoding": "gzip, deflate"}},
		{"zstd", ours, "/long.html", map[string]string{"Accept-Encoding": "gzip, deflate, br, zstd"}},
		{"not-modified", ours, "/long.html", map[string]string{"If-None-Match": tag}},
		{"floor-missing", floor, "/nothing.html", nil},
		{"missing", ours, "/nothing.html", nil},
		{"instrumented", newMetrics().instrument(ours), "/long.html", map[string]string{"Accept-Encoding": "gzip"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, "http://book"+c.path, nil)
			for name, value := range c.header {
				r.Header.Set(name, value)
			}
			w := &discard{header: http.Header{}}
			b.ReportAllocs()
			for b.Loop() {
				clear(w.header)
				c.handler.ServeHTTP(w, r)
			}
		})
	}
}

// BenchmarkOpen indexes a small book; bytes a second are of its plain files.
func BenchmarkOpen(b *testing.B) {
	folder := writeBook(b, testBook())
	b.ReportAllocs()
	for b.Loop() {
		book, err := Open(folder)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(book.Stats.Bytes[codingIdentity])
		if err := book.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
