// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build e2e

package e2e

import (
	"os"
	"strings"
	"testing"

	"github.com/bobuhiro11/markdown-view/test/browser"
)

// TestReader opens a served book in Chromium, follows a link, and finds a word by the book's search.
func TestReader(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	publish(t, namespace, "handbook", handbook())
	address := "http://" + portForward(t, namespace, "svc/viewer-handbook", ":80") + "/"
	chromium, err := browser.Start(t.Context(), browser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer chromium.Close()
	page, err := chromium.Open(address)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := page.Text("main"); err != nil || !strings.Contains(text, "First words of the handbook.") {
		t.Errorf("the first page reads %q (%v)", text, err)
	}
	results, err := page.Search("shelf")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(results[0].Address, "guide/install.html") {
		t.Errorf("a search for \"shelf\" finds %+v, want guide/install.html first", results)
	}
	if file := os.Getenv("SCREENSHOT"); file != "" {
		if err := page.Screenshot(file); err != nil {
			t.Error(err)
		}
	}
	if page, err = chromium.Open(address + "guide/install.html"); err != nil {
		t.Fatal(err)
	}
	if text, err := page.Text("main"); err != nil || !strings.Contains(text, "Put it on a shelf.") {
		t.Errorf("the page that was found reads %q (%v)", text, err)
	}
	if problems := page.Problems(); len(problems) > 0 {
		t.Errorf("the browser reports: %s", strings.Join(problems, "\n"))
	}
}
