// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package site

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func hashOf(script string) string {
	sum := sha256.Sum256([]byte(script))
	return base64.StdEncoding.EncodeToString(sum[:])
}

func TestReadScripts(t *testing.T) {
	cases := map[string]struct {
		page string
		want pageScripts
	}{
		"none": {`<p>text</p>`, pageScripts{}},
		"inline": {
			`<script>let a = "<p>";</script>`,
			pageScripts{hashes: []string{hashOf(`let a = "<p>";`)}},
		},
		"the same twice counts once": {
			`<script>a()</script><script>a()</script><script type="module">b()</script>`,
			pageScripts{hashes: []string{hashOf("a()"), hashOf("b()")}},
		},
		"white space counts": {
			"<script>\n  a()\n</script>", pageScripts{hashes: []string{hashOf("\n  a()\n")}},
		},
		"browsers hash line ends as they read them": {
			"<script>a()\r\nb()\r</script>", pageScripts{hashes: []string{hashOf("a()\nb()\n")}},
		},
		"of the book":        {`<script src="book-1.js"></script>`, pageScripts{}},
		"an empty one":       {`<script></script>text`, pageScripts{}},
		"in a comment":       {`<!-- <script>a()</script> -->`, pageScripts{}},
		"in a text area":     {`<textarea><script>a()</script></textarea>`, pageScripts{}},
		"as escaped text":    {`<code>&lt;script&gt;a()&lt;/script&gt;</code>`, pageScripts{}},
		"in a drawing":       {`<svg><script>a()</script></svg>`, pageScripts{hashes: []string{hashOf("a()")}}},
		"upper case":         {`<SCRIPT>a()</SCRIPT>`, pageScripts{hashes: []string{hashOf("a()")}}},
		"never closed":       {`<script>a()`, pageScripts{hashes: []string{hashOf("a()")}}},
		"text after one":     {`<script src=a.js></script>text<b>b</b>`, pageScripts{}},
		"runnable Rust":      {`<pre class="other playground"><code>fn main() {}</code></pre>`, pageScripts{playground: true}},
		"the word alone":     {`<p class="playgrounds">playground</p>`, pageScripts{}},
		"MathJax, elsewhere": {`<script async src="https://cdn.example.org/MathJax.js?config=a"></script>`, pageScripts{origins: []string{"https://cdn.example.org"}}},
		"elsewhere by the page's own scheme": {
			`<script src="//cdn.example.org:8443/a.js"></script>`, pageScripts{origins: []string{"cdn.example.org:8443"}},
		},
		"an address that would add a directive": {
			`<script src="https://a;script-src"></script><script src="https://b,c/x.js"></script><script src="https://b 'unsafe-inline'/x.js"></script>`, pageScripts{},
		},
		"no address of the web": {
			`<script src="data:text/javascript,a()"></script><script src="ftp://a/b.js"></script>`, pageScripts{},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := readScripts(strings.NewReader(c.page))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(pageScripts{})); diff != "" {
				t.Errorf("readScripts(%q) (-want +got):\n%s", c.page, diff)
			}
		})
	}
}

func TestPolicy(t *testing.T) {
	many := pageScripts{}
	for i := range maxInlineScripts + 1 {
		many.hashes = append(many.hashes, hashOf(fmt.Sprint(i)))
	}
	cases := map[string]struct {
		scripts         pageScripts
		script, connect string
	}{
		"no script of its own":  {pageScripts{}, "script-src 'self'", "connect-src 'self'"},
		"inline":                {pageScripts{hashes: []string{"AAAA", "BBBB"}}, "script-src 'self' 'sha256-AAAA' 'sha256-BBBB'", "connect-src 'self'"},
		"elsewhere":             {pageScripts{origins: []string{"https://c"}}, "script-src 'self' https://c", "connect-src 'self' https://c"},
		"runnable Rust":         {pageScripts{playground: true}, "script-src 'self'", "connect-src 'self' https://play.rust-lang.org"},
		"too many for a header": {many, "script-src 'self' 'unsafe-inline'", "connect-src 'self'"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			directives := strings.Split(c.scripts.policy(), "; ")
			if diff := cmp.Diff([]string{"default-src 'self'", c.script, c.connect}, directives[:3]); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			// The rest is the same for every page; TestHeaders spells it out.
			if diff := cmp.Diff(strings.Split(pagePolicy, "; ")[3:], directives[3:]); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
