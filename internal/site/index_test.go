// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package site

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOpenErrors(t *testing.T) {
	empty := t.TempDir()
	notFolder := filepath.Join(t.TempDir(), "book")
	if err := os.WriteFile(notFolder, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		folder string
		want   []string // each is in the error
	}{
		"no such folder":   {filepath.Join(empty, "none"), []string{"none", "no such file", "--root must name a folder"}},
		"a file":           {notFolder, []string{"book", "not a directory", "--root must name a folder"}},
		"nothing built":    {empty, []string{empty, "neither index.html nor html/index.html", "mdbook build --dest-dir"}},
		"other files only": {writeBook(t, map[string]string{"SUMMARY.md": "# Summary"}), []string{"neither index.html"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			book, err := Open(c.folder)
			if err == nil {
				t.Fatalf("Open(%s) succeeded with %d files", c.folder, book.Stats.Files)
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q lacks %q", err, part)
				}
			}
		})
	}
}

// With more than one output in book.toml, mdBook puts the pages into html/.
func TestBookWithSeveralOutputs(t *testing.T) {
	book := openBookOf(t, map[string]string{"html/index.html": page, "markdown/first.md": "secret"})
	handler := book.Handler(quiet)
	for path, want := range map[string]int{"/": 200, "/index.html": 200, "/html/": 404, "/markdown/first.md": 404, "/../markdown/first.md": 404} {
		if got := ask(handler, "GET", path, nil, nil); got.Status != want {
			t.Errorf("GET %s: status %d, want %d", path, got.Status, want)
		}
	}
}

// A symbolic link may lead anywhere, also to the token of the pod: none is followed, neither one
// that was there when the book was indexed nor one that replaced a file later.
func TestSymbolicLinks(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := writeBook(t, testBook())
	for link, target := range map[string]string{
		"token.txt": outside, "inside.html": "index.html", "up": "..", "outside-folder": filepath.Dir(outside), "loop": "loop",
	} {
		if err := os.Symlink(target, filepath.Join(folder, link)); err != nil {
			t.Fatal(err)
		}
	}
	book, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	handler := book.Handler(quiet)
	for _, path := range []string{"/token.txt", "/inside.html", "/up/", "/up/token", "/outside-folder/token", "/loop"} {
		if got := ask(handler, "GET", path, nil, nil); got.Status != http.StatusNotFound || strings.Contains(got.Body, "secret") {
			t.Errorf("GET %s: status %d, body %q; want 404", path, got.Status, got.Body)
		}
	}

	swapped := filepath.Join(folder, "manual.pdf")
	if err := os.Remove(swapped); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, swapped); err != nil {
		t.Fatal(err)
	}
	if got := ask(handler, "GET", "/manual.pdf", nil, nil); got.Status != http.StatusInternalServerError || strings.Contains(got.Body, "secret") {
		t.Errorf("GET of a file swapped for a link: status %d, body %q; want 500", got.Status, got.Body)
	}
}

// The ETag names bytes: other bytes must not go out under it.
func TestFileChangedAfterIndexing(t *testing.T) {
	folder := writeBook(t, testBook())
	book, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	if err := os.WriteFile(filepath.Join(folder, "index.html"), []byte("other"), 0o644); err != nil {
		t.Fatal(err)
	}
	got := ask(book.Handler(quiet), "GET", "/", nil, []string{"Etag", "Cache-Control", "Content-Length"})
	want := answerTo{500, map[string]string{"Cache-Control": "no-store"}, "500: this page cannot be read now\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStats(t *testing.T) {
	book := openBookOf(t, map[string]string{"index.html": page, "long.html": longPage, ".nojekyll": "", "photo.png": "123"})
	want := Stats{Files: 3, Skipped: 1, Bytes: map[string]int64{"identity": int64(len(page) + len(longPage) + 3)}}
	for _, f := range book.files["long.html"].forms {
		want.Bytes[f.coding] = int64(len(f.content))
	}
	if len(want.Bytes) != 3 {
		t.Fatalf("long.html has %d compressed forms, want 2", len(want.Bytes)-1)
	}
	if diff := cmp.Diff(want, book.Stats); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMediaType(t *testing.T) {
	cases := map[string]struct{ name, head, want string }{
		"by extension":                     {"a.HTML", "", "text/html; charset=utf-8"},
		"a font":                           {"a.woff2", "", "font/woff2"},
		"known to package mime only":       {"a.shtml", "<b>", "text/html; charset=utf-8"},
		"by content":                       {"a.unknown", "\x89PNG\r\n\x1a\n", "image/png"},
		"HTML by content is refused":       {"README", "<!DOCTYPE html><script>", "text/plain; charset=utf-8"},
		"text by content":                  {"LICENSE", "do as you like", "text/plain; charset=utf-8"},
		"nothing to go by":                 {"core", "\x00\x01\x02", "application/octet-stream"},
		"the last extension counts":        {"a.html.png", "", "image/png"},
		"settings are shown, not unpacked": {"book.toml", "", "text/plain; charset=utf-8"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := mediaType(c.name, []byte(c.head)); got != c.want {
				t.Errorf("mediaType(%q, %q) = %q, want %q", c.name, c.head, got, c.want)
			}
		})
	}
}
