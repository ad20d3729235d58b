// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package browser reads a served book as a person does: in a real Chromium, without a window.
//
// It drives the browser over its own protocol and reports everything that a reader could stumble
// over: script errors, what the page's Content-Security-Policy refused, and requests that failed.
// Tests use it against the site server alone and against a book that the operator serves.
package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// ErrNoChromium means that no Chromium was found; its text says how to get one.
var ErrNoChromium = errors.New("no Chromium on this machine: set CHROMIUM to its path, or run `hack/setup.sh browser` (Debian's package chromium)")

// patience bounds every single wait for the browser.
const patience = 30 * time.Second

// Browser is one running Chromium with a profile of its own. It shows one page at a time.
type Browser struct {
	context context.Context //nolint:containedctx // chromedp keeps the browser in its context; it is a handle, not a call's
	close   func()
	// leave ends the listening to the page that is open; nil before the first.
	leave func()
}

// Options of a Browser.
type Options struct {
	// NoScript turns JavaScript off, as some readers do.
	NoScript bool
	// Width and Height of the window, in pixels; 1280 by 800 if zero.
	Width, Height int
	// Resolver maps host names to addresses, in Chromium's own notation ("MAP book.example 127.0.0.1").
	Resolver string
}

// Start starts a Chromium, which ends with Close or with the context. The error is ErrNoChromium if
// there is none.
func Start(ctx context.Context, options Options) (*Browser, error) {
	program, err := find()
	if err != nil {
		return nil, err
	}
	if options.Width == 0 {
		options.Width, options.Height = 1280, 800
	}
	flags := append([]chromedp.ExecAllocatorOption{
		chromedp.ExecPath(program),
		chromedp.WindowSize(options.Width, options.Height),
		// Tests run as root in containers, where Chromium's own sandbox cannot start; they open
		// nothing but books of their own.
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.Headless,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true),
	}, resolver(options.Resolver)...)
	allocated, closeAllocator := chromedp.NewExecAllocator(ctx, flags...)
	opened, closeBrowser := chromedp.NewContext(allocated)
	b := &Browser{context: opened, close: func() { closeBrowser(); closeAllocator() }}
	// The first command starts the browser, which then lives as long as its context.
	if err := b.prepare(options); err != nil {
		b.close()
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	return b, nil
}

// prepare turns on what Page listens to.
func (b *Browser) prepare(options Options) error {
	if err := chromedp.Do(b.context); err != nil {
		return err
	}
	if _, err := chromedp.Call(b.context, network.Enable, network.EnableParams{}); err != nil {
		return err
	}
	for _, domain := range []cdp.Command[cdp.Empty, cdp.Empty]{log.Enable, runtime.Enable, audits.Enable} {
		if _, err := chromedp.Call(b.context, domain, cdp.Empty{}); err != nil {
			return err
		}
	}
	_, err := chromedp.Call(b.context, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: options.NoScript})
	return err
}

// Close ends the browser and removes its profile.
func (b *Browser) Close() { b.close() }

func resolver(rules string) []chromedp.ExecAllocatorOption {
	if rules == "" {
		return nil
	}
	return []chromedp.ExecAllocatorOption{chromedp.Flag("host-resolver-rules", rules)}
}

// find looks for the browser: CHROMIUM, or one of its usual names on the PATH.
func find() (string, error) {
	if program := os.Getenv("CHROMIUM"); program != "" {
		return program, nil
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if program, err := exec.LookPath(name); err == nil {
			return program, nil
		}
	}
	return "", ErrNoChromium
}
