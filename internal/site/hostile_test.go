// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package site

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What no client library would send, byte by byte.
func TestHostileRequests(t *testing.T) {
	s := start(t, Config{Root: writeBook(t, testBook())})
	cases := map[string]struct {
		bytes  string
		status int
	}{
		"a plain request, to compare":      {"GET / HTTP/1.1\r\nHost: book\r\n\r\n", 200},
		"HTTP/1.0":                         {"GET / HTTP/1.0\r\n\r\n", 200},
		"no host":                          {"GET / HTTP/1.1\r\n\r\n", 400},
		"two hosts":                        {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
		"no protocol":                      {"GET /\r\n\r\n", 400},
		"another protocol":                 {"GET / HTTP/3.7\r\nHost: book\r\n\r\n", 505},
		"headers without end":              {"GET / HTTP/1.1\r\nHost: book\r\nX: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", 431},
		"an address without end":           {"GET /" + strings.Repeat("x", 64<<10) + " HTTP/1.1\r\nHost: book\r\n\r\n", 431},
		"bad percent-encoding":             {"GET /%zz HTTP/1.1\r\nHost: book\r\n\r\n", 400},
		"an encoded parent":                {"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: book\r\n\r\n", 404},
		"a plain parent":                   {"GET /../../etc/passwd HTTP/1.1\r\nHost: book\r\n\r\n", 404},
		"a proxy's request":                {"GET http://elsewhere.example/ HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n", 200},
		"a tunnel":                         {"CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n", 405},
		"two lengths: a smuggled request":  {"GET / HTTP/1.1\r\nHost: book\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx", 400},
		"length and chunks":                {"POST / HTTP/1.1\r\nHost: book\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 405},
		"a folded header":                  {"GET / HTTP/1.1\r\nHost: book\r\nX: a\r\n b\r\n\r\n", 200},
		"a line end in the address":        {"GET /%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\nHost: book\r\n\r\n", 404},
		"a line end in a redirect's query": {"GET /guide?%0d%0aSet-Cookie:a HTTP/1.1\r\nHost: book\r\n\r\n", 301},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			connection, err := net.Dial("tcp", s.server.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer connection.Close()
			if err := connection.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
				t.Fatal(err)
			}
			// The server may answer, and close, before it has read everything.
			_, _ = io.WriteString(connection, c.bytes)
			answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			if answer.StatusCode != c.status {
				t.Errorf("status %d, want %d", answer.StatusCode, c.status)
			}
			if cookie := answer.Header.Get("Set-Cookie"); cookie != "" {
				t.Errorf("the request put a header into the answer: Set-Cookie: %s", cookie)
			}
		})
	}
}

// Whoever sends nothing, or reads nothing, is not waited for without end.
func TestEveryWaitIsBounded(t *testing.T) {
	type bounds struct {
		Header, Read, Write, Idle time.Duration
		HeaderBytes               int
	}
	server := newHTTPServer(quiet, http.NotFoundHandler())
	got := bounds{server.ReadHeaderTimeout, server.ReadTimeout, server.WriteTimeout, server.IdleTimeout, server.MaxHeaderBytes}
	want := bounds{10 * time.Second, 30 * time.Second, 5 * time.Minute, 2 * time.Minute, 32 << 10}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
