// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package site

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func TestAcceptEncoding(t *testing.T) {
	cases := map[string]struct {
		header     string
		gzip, zstd float64
	}{
		"absent":                         {"", 0, 0},
		"what browsers send":             {"gzip, deflate, br, zstd", 1, 1},
		"gzip alone":                     {"gzip", 1, 0},
		"its old name":                   {"x-gzip", 1, 0},
		"any case, any space":            {" GZip ; Q=0.8 ,\tZSTD", 0.8, 1},
		"weights":                        {"gzip;q=1.0, zstd;q=0.5", 1, 0.5},
		"a refusal":                      {"gzip;q=0, zstd", 0, 1},
		"everything":                     {"*", 1, 1},
		"everything but":                 {"gzip;q=0, *;q=0.3", 0, 0.3},
		"the wildcard comes last":        {"*;q=0.1, gzip;q=0.9", 0.9, 0.1},
		"identity only":                  {"identity", 0, 0},
		"other parameters":               {"gzip;level=9;q=0.7", 0.7, 0},
		"a weight above 1":               {"gzip;q=7", 0, 0},
		"a negative weight":              {"gzip;q=-1", 0, 0},
		"a weight that is no number":     {"gzip;q=high, zstd;q=NaN", 0, 0},
		"empty entries":                  {",, gzip,,", 1, 0},
		"a name that only begins by one": {"gzipped, zstd2", 0, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := [2]float64{accepts(c.header, codingGzip), accepts(c.header, codingZstd)}
			if diff := cmp.Diff([2]float64{c.gzip, c.zstd}, got); diff != "" {
				t.Errorf("accepts(%q) gzip, zstd (-want +got):\n%s", c.header, diff)
			}
		})
	}
}

// decode undoes a content coding.
func decode(t *testing.T, coding, body string) string {
	t.Helper()
	var plain io.Reader = strings.NewReader(body)
	var err error
	switch coding {
	case codingGzip:
		plain, err = gzip.NewReader(plain)
	case codingZstd:
		plain, err = zstd.NewReader(plain)
	}
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(plain)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestContentCoding(t *testing.T) {
	book := openBookOf(t, testBook())
	handler := book.Handler(quiet)
	forms := map[string]form{}
	for _, f := range book.files["long.html"].forms {
		forms[f.coding] = f
	}
	long := book.files["long.html"]
	cases := map[string]struct {
		path, accept string
		// coding, etag and vary are of the answer.
		coding, etag, vary string
		plain              string
	}{
		"the best of equal weights":        {"/long.html", "gzip, deflate, br, zstd", "zstd", forms["zstd"].etag[0], "Accept-Encoding", longPage},
		"the client's preference":          {"/long.html", "gzip, zstd;q=0.5", "gzip", forms["gzip"].etag[0], "Accept-Encoding", longPage},
		"the only one known":               {"/long.html", "br, gzip", "gzip", forms["gzip"].etag[0], "Accept-Encoding", longPage},
		"none known":                       {"/long.html", "br", "", long.etag[0], "Accept-Encoding", longPage},
		"none at all":                      {"/long.html", "", "", long.etag[0], "Accept-Encoding", longPage},
		"too small to gain anything":       {"/", "gzip, zstd", "", etagOf(page), "", page},
		"a font is compressed already":     {"/fonts/a.woff2", "gzip, zstd", "", etagOf(testBook()["fonts/a.woff2"]), "", testBook()["fonts/a.woff2"]},
		"a photo is compressed already":    {"/photo.png", "gzip, zstd", "", etagOf(testBook()["photo.png"]), "", testBook()["photo.png"]},
		"the page for missing pages, same": {"/nothing", "gzip", "", "", "", testBook()["404.html"]},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := ask(handler, "GET", c.path, map[string]string{"Accept-Encoding": c.accept}, []string{"Content-Encoding", "Etag", "Vary"})
			have := [4]string{got.Header["Content-Encoding"], got.Header["Etag"], got.Header["Vary"], decode(t, got.Header["Content-Encoding"], got.Body)}
			if diff := cmp.Diff([4]string{c.coding, c.etag, c.vary, c.plain}, have); diff != "" {
				t.Errorf("Content-Encoding, ETag, Vary, text (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLongNotFoundPageIsCompressed(t *testing.T) {
	files := testBook()
	files["404.html"] = longPage
	got := ask(openBookOf(t, files).Handler(quiet), "GET", "/nothing", map[string]string{"Accept-Encoding": "gzip"}, []string{"Content-Encoding", "Etag"})
	got.Body = decode(t, codingGzip, got.Body)
	if diff := cmp.Diff(answerTo{404, map[string]string{"Content-Encoding": "gzip"}, longPage}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBookWithoutNotFoundPage(t *testing.T) {
	files := testBook()
	delete(files, "404.html")
	got := ask(openBookOf(t, files).Handler(quiet), "GET", "/nothing", nil, []string{"Content-Type"})
	want := answerTo{404, map[string]string{"Content-Type": "text/plain; charset=utf-8"}, "404: the book has no such page\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestConditionsAndRanges(t *testing.T) {
	book := openBookOf(t, testBook())
	handler := book.Handler(quiet)
	plain := book.files["long.html"].etag[0]
	packed := book.files["long.html"].forms[0]
	if packed.coding != codingZstd {
		t.Fatalf("the best form of long.html is %s, want zstd", packed.coding)
	}
	headers := []string{"Etag", "Content-Range", "Content-Length", "Content-Encoding", "Content-Type", "Vary", "Cache-Control"}
	notModified := func(etag string) answerTo {
		return answerTo{304, map[string]string{"Etag": etag, "Vary": "Accept-Encoding", "Cache-Control": "no-cache"}, ""}
	}
	part := func(status int, etag, contentRange, length, coding, body string) answerTo {
		header := map[string]string{
			"Etag": etag, "Content-Length": length, "Vary": "Accept-Encoding", "Cache-Control": "no-cache", "Content-Type": "text/html; charset=utf-8",
		}
		if contentRange != "" {
			header["Content-Range"] = contentRange
		}
		if coding != "" {
			header["Content-Encoding"] = coding
		}
		return answerTo{status, header, body}
	}
	full := part(200, plain, "", "5641", "", longPage)
	cases := map[string]struct {
		method string
		header map[string]string
		want   answerTo
	}{
		"the client has it":                          {"GET", map[string]string{"If-None-Match": plain}, notModified(plain)},
		"the client has it, HEAD":                    {"HEAD", map[string]string{"If-None-Match": plain}, notModified(plain)},
		"a weak comparison will do":                  {"GET", map[string]string{"If-None-Match": "W/" + plain}, notModified(plain)},
		"one of several":                             {"GET", map[string]string{"If-None-Match": `"other", ` + plain}, notModified(plain)},
		"any":                                        {"GET", map[string]string{"If-None-Match": "*"}, notModified(plain)},
		"the client has another":                     {"GET", map[string]string{"If-None-Match": `"other"`}, full},
		"the client has the compressed form":         {"GET", map[string]string{"If-None-Match": packed.etag[0], "Accept-Encoding": "zstd"}, notModified(packed.etag[0])},
		"a compressed form is not the plain one":     {"GET", map[string]string{"If-None-Match": packed.etag[0]}, full},
		"a date alone says nothing":                  {"GET", map[string]string{"If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT"}, full},
		"a range":                                    {"GET", map[string]string{"Range": "bytes=0-14"}, part(206, plain, "bytes 0-14/5641", "15", "", "<!DOCTYPE html>")},
		"a range of the compressed form":             {"GET", map[string]string{"Range": "bytes=0-3", "Accept-Encoding": "zstd"}, part(206, packed.etag[0], "bytes 0-3/"+packed.length[0], "4", "zstd", string(packed.content[:4]))},
		"the end":                                    {"GET", map[string]string{"Range": "bytes=-4"}, part(206, plain, "bytes 5637-5640/5641", "4", "", "tml>")},
		"a range of the same content":                {"GET", map[string]string{"Range": "bytes=0-1", "If-Range": plain}, part(206, plain, "bytes 0-1/5641", "2", "", "<!")},
		"a range of another content":                 {"GET", map[string]string{"Range": "bytes=0-1", "If-Range": `"other"`}, full},
		"the plain form's tag, compressed range":     {"GET", map[string]string{"Range": "bytes=0-1", "If-Range": plain, "Accept-Encoding": "zstd"}, part(200, packed.etag[0], "", packed.length[0], "zstd", string(packed.content))},
		"a precondition that fails":                  {"GET", map[string]string{"If-Match": `"other"`}, answerTo{412, map[string]string{"Etag": plain, "Content-Type": "text/html; charset=utf-8", "Vary": "Accept-Encoding", "Cache-Control": "no-cache"}, ""}},
		"a range in another unit":                    {"GET", map[string]string{"Range": "pages=1-2"}, part(416, "", "", "14", "", "invalid range\n")},
		"a range beyond the end":                     {"GET", map[string]string{"Range": "bytes=9000-"}, part(416, "", "bytes */5641", "46", "", "invalid range: failed to overlap\n")},
		"ranges that together exceed the file: full": {"GET", map[string]string{"Range": "bytes=0-," + strings.Repeat("0-,", 20) + "0-"}, full},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := ask(handler, c.method, "/long.html", c.header, headers)
			if got.Status == 416 {
				// The standard library's own error page; only its status and range are ours to promise.
				got.Header, got.Body = map[string]string{"Content-Range": got.Header["Content-Range"]}, ""
				c.want.Header, c.want.Body = map[string]string{"Content-Range": c.want.Header["Content-Range"]}, ""
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSameBookSameTags(t *testing.T) {
	first, second := openBookOf(t, testBook()), openBookOf(t, testBook())
	for name, f := range first.files {
		other := second.files[name]
		if diff := cmp.Diff(f.etag, other.etag); diff != "" {
			t.Errorf("%s: two replicas give different ETags (-first +second):\n%s", name, diff)
		}
		for i := range f.forms {
			if !bytes.Equal(f.forms[i].content, other.forms[i].content) {
				t.Errorf("%s: two replicas give different %s forms under ETag %s", name, f.forms[i].coding, f.forms[i].etag)
			}
		}
	}
}
