// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build browser

package browser

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bobuhiro11/markdown-view/internal/site"
)

// The tests need Chromium and mdBook, and fail without either: `make test-browser` sees to both.

// build runs mdBook as a viewer pod's init container does and returns the folder of the site.
func build(t *testing.T, source string) string {
	t.Helper()
	program := os.Getenv("MDBOOK")
	if program == "" {
		program = filepath.Join("..", "..", "bin", "mdbook")
	}
	target := t.TempDir()
	command := exec.Command(program, "build", source, "--dest-dir", target)
	command.Env = append(os.Environ(), "MDBOOK_BUILD__CREATE_MISSING=false")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s(mdBook is built by `hack/tools/install mdbook`)", source, err, out)
	}
	return target
}

// serve serves the built book by the project's own server and returns its address.
func serve(t *testing.T, root string) string {
	t.Helper()
	var log bytes.Buffer
	server, err := site.New(t.Context(), site.Config{
		Root: root, Addr: "127.0.0.1:0", ShutdownTimeout: 5 * time.Second, Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v\n%s", err, &log)
		}
	})
	return "http://" + server.Addr().String()
}

func launch(t *testing.T, options Options) *Browser {
	t.Helper()
	b, err := Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

func open(t *testing.T, b *Browser, address string) *Page {
	t.Helper()
	page, err := b.Open(address)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func evaluate[T any](t *testing.T, p *Page, expression string) T {
	t.Helper()
	value, err := Evaluate[T](p, expression)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func noProblems(t *testing.T, p *Page) {
	t.Helper()
	// A page with Rust code asks play.rust-lang.org for its list of crates. The tests have no network,
	// so that fails, by name resolution: were it the policy that refuses, it would say so.
	problems := slices.DeleteFunc(p.Problems(), func(problem string) bool {
		return strings.HasPrefix(problem, "console: Failed to load resource: net::ERR_NAME_NOT_RESOLVED (https://play.rust-lang.org/") ||
			strings.HasPrefix(problem, "script: TypeError: Failed to fetch\n    at fetch_with_timeout")
	})
	if diff := cmp.Diff([]string{}, problems, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("problems on the page (-want +got):\n%s", diff)
	}
}

func TestReader(t *testing.T) {
	book := serve(t, build(t, "testdata/book"))
	b := launch(t, Options{})

	t.Run("mdBook's own scripts run: the sidebar is there, a theme is chosen", func(t *testing.T) {
		page := open(t, b, book+"/")
		want := []string{"Welcome", "Guide", "Images", "日本語のページ", "Programs"}
		got := evaluate[[]string](t, page, `Array.from(document.querySelectorAll("#mdbook-sidebar a[href]"), a => a.textContent.replace(/^[\d.\s]+/, ""))`)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("table of contents (-want +got):\n%s", diff)
		}
		if err := page.Click("#mdbook-theme-toggle"); err != nil {
			t.Fatal(err)
		}
		if err := page.Click("#mdbook-theme-coal"); err != nil {
			t.Fatal(err)
		}
		if err := page.Poll(`document.documentElement.classList.contains("coal")`); err != nil {
			t.Error(err)
		}
		noProblems(t, page)
	})

	t.Run("the author's script runs", func(t *testing.T) {
		page := open(t, b, book+"/")
		if got := evaluate[string](t, page, `document.documentElement.dataset.author || "did not run"`); got != "ran" {
			t.Errorf("the author's inline script %s", got)
		}
		noProblems(t, page)
	})

	t.Run("a script that gets in later does not", func(t *testing.T) {
		page := open(t, b, book+"/")
		got := evaluate[string](t, page, `new Promise(done => {
			const image = document.createElement("div");
			image.innerHTML = '<img src="/nothing.png" onerror="window.intruder = true">';
			document.body.append(image);
			const inline = document.createElement("script");
			inline.textContent = "window.intruder = true";
			document.body.append(inline);
			window.outcome = () => String(window.intruder);
			done("");
		}) && ""`)
		if got != "" {
			t.Fatalf("unexpected %q", got)
		}
		if err := page.Poll(`document.querySelector("img[src='/nothing.png']").complete`); err != nil {
			t.Fatal(err)
		}
		if got := evaluate[string](t, page, `window.outcome()`); got != "undefined" {
			t.Errorf("an injected script ran: window.intruder is %s", got)
		}
		refused := slices.ContainsFunc(page.Problems(), func(p string) bool { return strings.Contains(p, "policy refused") })
		if !refused {
			t.Errorf("no refusal was reported, so noProblems proves nothing: %q", page.Problems())
		}
	})

	t.Run("links, folders, other scripts", func(t *testing.T) {
		page := open(t, b, book+"/guide/")
		if err := page.Click("main a[href*='images']"); err != nil {
			t.Fatal(err)
		}
		if err := page.Wait("#styled"); err != nil {
			t.Fatal(err)
		}
		if err := page.Poll(`location.pathname === "/guide/images.html" && document.querySelector("main img").naturalWidth === 64`); err != nil {
			t.Error(err)
		}
		if got := evaluate[string](t, page, `getComputedStyle(document.getElementById("styled")).color`); got != "rgb(1, 2, 3)" {
			t.Errorf("the author's style is %s", got)
		}
		noProblems(t, page)
		page = open(t, b, book+"/guide/日本語.html")
		if got, err := page.Text("main h1"); err != nil || got != "日本語のページ" {
			t.Errorf("heading %q, error %v", got, err)
		}
		noProblems(t, page)
	})

	t.Run("code: highlighted, copied, edited", func(t *testing.T) {
		page := open(t, b, book+"/programs.html")
		for _, expression := range []string{
			`document.querySelectorAll(".clip-button").length >= 1`,
			`document.querySelector("code.language-sh.hljs") !== null`,
			`document.querySelector(".ace_content") !== null`,
		} {
			if err := page.Poll(expression); err != nil {
				t.Error(err)
			}
		}
		noProblems(t, page)
	})

	t.Run("a missing page is the book's own, with its table of contents", func(t *testing.T) {
		page := open(t, b, book+"/guide/nothing.html")
		if got, err := page.Text("main"); err != nil || !strings.Contains(got, "not found") {
			t.Errorf("text %q, error %v", got, err)
		}
		if got := evaluate[int](t, page, `document.querySelectorAll("#mdbook-sidebar a[href]").length`); got != 5 {
			t.Errorf("%d links in the table of contents, want 5", got)
		}
	})
}

func TestSearch(t *testing.T) {
	book := serve(t, build(t, "testdata/book"))
	b := launch(t, Options{})
	for words, want := range map[string]string{"marsupial": "index.html", "wallaby": "guide/日本語.html"} {
		page := open(t, b, book+"/programs.html")
		results, err := page.Search(words)
		if err != nil {
			t.Errorf("%v; problems: %q", err, page.Problems())
			continue
		}
		address, _, _ := strings.Cut(results[0].Address, "?")
		if len(results) != 1 || !strings.HasSuffix(address, want) {
			t.Errorf("search for %q found %+v, want one page, %s", words, results, want)
		}
		noProblems(t, page)
	}
}

// Without JavaScript the table of contents is a frame, which the frame policy must allow.
func TestReaderWithoutScripts(t *testing.T) {
	book := serve(t, build(t, "testdata/book"))
	b := launch(t, Options{NoScript: true})
	page := open(t, b, book+"/")
	if got, err := page.Text("main h1"); err != nil || got != "Welcome" {
		t.Errorf("heading %q, error %v", got, err)
	}
	if got := evaluate[int](t, page, `document.querySelector("iframe.sidebar-iframe-outer").contentDocument.querySelectorAll("a").length`); got != 5 {
		t.Errorf("%d links in the frame, want 5", got)
	}
	noProblems(t, page)
}

// mdBook's own guide has all that mdBook can do; it is MDBOOK_GUIDE, or lies beside the project.
func TestRealBook(t *testing.T) {
	guide := os.Getenv("MDBOOK_GUIDE")
	if guide == "" {
		guide = "../../../shared/cases/books/mdbook-guide"
	}
	if _, err := os.Stat(guide); err != nil {
		t.Skipf("mdBook's guide is not here (set MDBOOK_GUIDE to the folder guide of its sources): %v", err)
	}
	source := t.TempDir()
	if err := os.CopyFS(filepath.Join(source, "src"), os.DirFS(filepath.Join(guide, "src"))); err != nil {
		t.Fatal(err)
	}
	settings := "[book]\ntitle = \"Guide\"\n[output.html.playground]\neditable = true\nline-numbers = true\n"
	if err := os.WriteFile(filepath.Join(source, "book.toml"), []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	book := serve(t, build(t, source))
	b := launch(t, Options{})
	page := open(t, b, book+"/format/mdbook.html")
	if results, err := page.Search("preprocessor"); err != nil || len(results) < 3 {
		t.Errorf("search found %d results, error %v", len(results), err)
	}
	noProblems(t, page)
	printed := open(t, b, book+"/print.html")
	noProblems(t, printed)
}
