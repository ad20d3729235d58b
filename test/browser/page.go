// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Page is one open page.
type Page struct {
	context context.Context //nolint:containedctx // chromedp keeps the browser's tab in its context; it is a handle, not a call's

	lock     sync.Mutex
	problems []string
}

// Result is one entry of mdBook's list of search results.
type Result struct {
	// Title is the heading's path, such as "Guide » Install".
	Title string `json:"title"`
	// Address of the page, relative to the book.
	Address string `json:"address"`
}

// Open opens the address and waits until the page and its scripts are loaded. What goes wrong on
// the page is no error, but is in Problems. A page opened before is left.
func (b *Browser) Open(address string) (*Page, error) {
	if b.leave != nil {
		b.leave()
	}
	p := &Page{context: b.context}
	var listening context.Context
	listening, b.leave = context.WithCancel(b.context)
	if err := chromedp.Listen(listening, p.hear); err != nil {
		return nil, fmt.Errorf("listen to the browser: %w", err)
	}
	return p, p.do("open "+address, chromedp.Navigate(address))
}

// do gives the browser the steps, in order, and waits for them, within bounds.
func (p *Page) do(what string, steps ...chromedp.Action[chromedp.Void]) error {
	_, err := ask(p, what, chromedp.Steps(steps...))
	return err
}

func ask[T any](p *Page, what string, action chromedp.Action[T]) (T, error) {
	bounded, cancel := context.WithTimeout(p.context, patience)
	defer cancel()
	answer, err := chromedp.Run(bounded, action)
	if err != nil {
		return answer, fmt.Errorf("%s: %w", what, err)
	}
	return answer, nil
}

// hear collects what a reader could stumble over.
func (p *Page) hear(event any) {
	switch e := event.(type) {
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError {
			p.reportf("console: %s (%s)", e.Entry.Text, e.Entry.URL)
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError {
			words := make([]string, 0, len(e.Args))
			for _, word := range e.Args {
				words = append(words, string(word.Value))
			}
			p.reportf("console: %s", strings.Join(words, " "))
		}
	case *runtime.EventExceptionThrown:
		p.reportf("script: %s", thrown(e.ExceptionDetails))
	case *network.EventResponseReceived:
		if e.Response.Status >= 400 {
			p.reportf("status %d: %s", e.Response.Status, e.Response.URL)
		}
	case *audits.EventIssueAdded:
		if refused := e.Issue.Details.ContentSecurityPolicyIssueDetails; refused != nil {
			p.reportf("policy refused %s, by %s", refused.BlockedURL, refused.ViolatedDirective)
		}
	}
}

func thrown(details *runtime.ExceptionDetails) string {
	if details.Exception != nil && details.Exception.Description != "" {
		return details.Exception.Description
	}
	return details.Text
}

func (p *Page) reportf(format string, args ...any) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.problems = append(p.problems, fmt.Sprintf(format, args...))
}

// Problems are the script errors, refusals and failed requests so far, in order.
func (p *Page) Problems() []string {
	p.lock.Lock()
	defer p.lock.Unlock()
	return append([]string(nil), p.problems...)
}

// Text is what a reader sees in the first element that the CSS selector matches.
func (p *Page) Text(selector string) (string, error) {
	return ask(p, "read "+selector, chromedp.Text(chromedp.CSS(selector)))
}

// Click clicks the first element that the CSS selector matches, once it is visible.
func (p *Page) Click(selector string) error {
	return p.do("click "+selector, chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// Wait waits until an element that the CSS selector matches is visible, also across a navigation.
func (p *Page) Wait(selector string) error {
	return p.do("wait for "+selector, chromedp.WaitVisible(chromedp.CSS(selector)))
}

// Poll waits until the expression is true in the page. It fails if the page is left meanwhile.
func (p *Page) Poll(expression string) error {
	return p.do("wait for "+expression, chromedp.Poll[chromedp.Void](expression, chromedp.WithPollingTimeout(patience)))
}

// Evaluate runs an expression in the page, as the browser's console would, and returns its value.
func Evaluate[T any](p *Page, expression string) (T, error) {
	return ask(p, "evaluate "+expression, chromedp.Evaluate[T](expression))
}

// Search types the words into the book's own search and returns what it finds: at least one result,
// or an error after half a minute.
func (p *Page) Search(words string) ([]Result, error) {
	const field, found = chromedp.CSS("#mdbook-searchbar"), chromedp.CSS("#mdbook-searchresults a")
	err := p.do(fmt.Sprintf("search for %q", words),
		chromedp.WaitVisible(chromedp.CSS("#mdbook-search-toggle")),
		chromedp.Evaluate[chromedp.Void](`document.getElementById("mdbook-search-wrapper").classList.contains("hidden") && document.getElementById("mdbook-search-toggle").click()`),
		chromedp.WaitVisible(field),
		chromedp.Evaluate[chromedp.Void](`document.getElementById("mdbook-searchbar").value = ""; document.getElementById("mdbook-searchresults").replaceChildren()`),
		chromedp.SendKeys(field, words),
		chromedp.WaitVisible(found))
	if err != nil {
		return nil, err
	}
	return Evaluate[[]Result](p, `Array.from(document.querySelectorAll("#mdbook-searchresults a"), a => ({title: a.textContent.trim(), address: a.getAttribute("href")}))`)
}

// Screenshot writes the visible part of the page as PNG.
func (p *Page) Screenshot(file string) error {
	image, err := ask(p, "take a screenshot", chromedp.CaptureScreenshot())
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, image, 0o644); err != nil {
		return fmt.Errorf("write the screenshot: %w", err)
	}
	return nil
}
