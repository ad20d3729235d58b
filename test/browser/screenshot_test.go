// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build browser

package browser

import (
	"os"
	"testing"
)

// The picture in README.md is of the documentation as the site server serves it. The test takes it
// anew only when it is told where to write (`make screenshot`), but always opens the page.
func TestDocumentation(t *testing.T) {
	book := serve(t, build(t, "../../docs"))
	b := launch(t, Options{Width: 1280, Height: 720})
	page := open(t, b, book+"/architecture.html")
	if err := page.Poll(`document.querySelector("main img").naturalWidth > 0`); err != nil {
		t.Error(err)
	}
	if results, err := page.Search("BuildFailed"); err != nil || len(results) < 2 {
		t.Errorf("search found %d results, error %v", len(results), err)
	}
	noProblems(t, page)
	if file := os.Getenv("SCREENSHOT"); file != "" {
		if err := open(t, b, book+"/architecture.html").Screenshot(file); err != nil {
			t.Error(err)
		}
	}
}
