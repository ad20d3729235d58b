// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package site

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	// plainPolicy is for answers that are no documents, such as redirects: nothing may load.
	plainPolicy = "default-src 'none'; frame-ancestors 'self'"
	// imagePolicy is for SVG and XML opened as documents of their own: they may carry styles, and
	// scripts that must not run with the book's origin.
	imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox; frame-ancestors 'self'"

	// maxInlineScripts bounds the hashes in one header (60 bytes each). Beyond it, which only
	// print.html of a book with a script on many pages reaches, inline scripts are all allowed.
	maxInlineScripts = 40

	// rustPlayground runs the Rust examples of a book when a reader asks for it; it is where
	// mdBook's own script sends them.
	rustPlayground = "https://play.rust-lang.org"
)

// pageScripts is what one page was built with and may therefore run.
type pageScripts struct {
	// hashes of inline scripts, base64 of SHA-256, in the order of their first appearance.
	hashes []string
	// origins ([scheme://]host[:port]) of scripts that the page loads from elsewhere.
	origins []string
	// playground is true when the page holds runnable Rust code.
	playground bool
}

// readScripts collects the scripts of an HTML page. Its only error is that of reading.
func readScripts(page io.Reader) (pageScripts, error) {
	var found pageScripts
	tokens := html.NewTokenizer(page)
	inScript := false
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			if err := tokens.Err(); !errors.Is(err, io.EOF) {
				return pageScripts{}, err
			}
			return found, nil
		case html.StartTagToken, html.SelfClosingTagToken:
			token := tokens.Token()
			source := attribute(token, "src")
			inScript = token.DataAtom == atom.Script && source == ""
			found.add(token, source)
		case html.TextToken:
			if inScript {
				sum := sha256.Sum256(tokens.Text())
				found.hashes = appendNew(found.hashes, base64.StdEncoding.EncodeToString(sum[:]))
			}
			inScript = false
		default:
			inScript = false
		}
	}
}

func (s *pageScripts) add(token html.Token, source string) {
	if token.DataAtom == atom.Script {
		if origin := originOf(source); origin != "" {
			s.origins = appendNew(s.origins, origin)
		}
	}
	if slices.Contains(strings.Fields(attribute(token, "class")), "playground") {
		s.playground = true
	}
}

// hostSource is the host of a source expression. It is narrower than what a URL may hold: a
// semicolon, which url.Parse takes, would begin another directive.
var hostSource = regexp.MustCompile(`^[A-Za-z0-9.-]+(:[0-9]+)?$`)

// originOf is the source expression for a script's address; empty if the book itself has it, or
// if it is no address of the web. An address without a scheme gives an expression without one.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || !hostSource.MatchString(u.Host) {
		return ""
	}
	switch u.Scheme {
	case "http", "https":
		return u.Scheme + "://" + u.Host
	case "":
		return u.Host
	}
	return ""
}

func attribute(token html.Token, key string) string {
	for _, a := range token.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func appendNew(list []string, item string) []string {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

// policy is the page's Content-Security-Policy. A page runs the scripts that it was built with and
// no other, so that text which gets into it later (through its search box, say) cannot run. What
// only shows (images, styles, fonts, frames) is the author's choice: a handbook embeds them from
// anywhere. Frames of the book itself are needed by mdBook's table of contents without scripts.
func (s *pageScripts) policy() string {
	script := []string{"'self'"}
	if len(s.hashes) > maxInlineScripts {
		script = append(script, "'unsafe-inline'")
	} else {
		for _, hash := range s.hashes {
			script = append(script, "'sha256-"+hash+"'")
		}
	}
	script = append(script, s.origins...)
	connect := append([]string{"'self'"}, s.origins...)
	if s.playground {
		connect = append(connect, rustPlayground)
	}
	return fmt.Sprintf("default-src 'self'; script-src %s; connect-src %s; "+
		"style-src 'self' 'unsafe-inline' https:; font-src 'self' data: https:; img-src * data:; media-src *; "+
		"frame-src 'self' https:; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'",
		strings.Join(script, " "), strings.Join(connect, " "))
}
