// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// wire is the transport of one operator. It counts the requests that are about objects, apart by
// namespace, and hands each to the namespace's fault. Once it is cut nothing gets through any more,
// which is all that the API server sees of a process that died.
type wire struct {
	mu     sync.Mutex
	lines  map[string]*line
	isCut  bool
	cutNow chan struct{}
	// everything counts reads from the first on; else counting begins with the first write, so that
	// the reads of a start are left out.
	everything bool
	// mustAsk tells that silence before the first request is a slow machine, not rest.
	mustAsk bool
	// watches counts the watches that were opened, the last at lastWatch, so that a start can be told from silence.
	watches   int
	lastWatch time.Time
	// stalled is closed when the watches that were open at stalledAt break; expire is how many
	// attempts to open one again are answered with 410.
	stalled   chan struct{}
	stalledAt time.Time
	expire    int
}

// line is what went over the wire about one namespace.
type line struct {
	seen   []string
	writes int
	last   time.Time
	fault  fault
	// hit tells that the fault was used.
	hit bool
}

// fault decides about request number n of a namespace, from 1. A nil answer forwards the request.
type fault func(n int, request *http.Request, forward func() (*http.Response, error)) (response *http.Response, err error, used bool)

func newWire() *wire {
	return &wire{lines: map[string]*line{}, cutNow: make(chan struct{})}
}

var errCut = errors.New("the process is dead")

// cut kills the process as far as the API server can tell.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.isCut {
		w.isCut = true
		close(w.cutNow)
	}
}

func (w *wire) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		n, f := w.count(r)
		if n < 0 {
			return nil, errCut
		}
		if r.URL.Query().Get("watch") != "" {
			return w.watch(r, next)
		}
		if f == nil {
			return next.RoundTrip(r)
		}
		response, err, used := f(n, r, func() (*http.Response, error) { return next.RoundTrip(r) })
		if used {
			w.mu.Lock()
			w.line(namespaceOf(r)).hit = true
			w.mu.Unlock()
			return response, err
		}
		return next.RoundTrip(r)
	})
}

// count numbers a request; a negative number means that the wire is cut.
func (w *wire) count(r *http.Request) (int, fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.isCut {
		return -1, nil
	}
	if r.URL.Query().Get("watch") != "" {
		w.watches++
		w.lastWatch = time.Now()
	}
	if r.URL.Query().Get("watch") != "" || strings.Contains(r.URL.Path, "/leases") {
		return 0, nil
	}
	l := w.line(namespaceOf(r))
	if r.Method != http.MethodGet {
		l.writes++
	}
	if l.writes == 0 && !w.everything {
		return 0, nil
	}
	l.seen = append(l.seen, r.Method+" "+r.URL.Path)
	l.last = time.Now()
	return len(l.seen), l.fault
}

func (w *wire) line(namespace string) *line {
	if w.lines[namespace] == nil {
		w.lines[namespace] = &line{last: time.Now()}
	}
	return w.lines[namespace]
}

// begin starts counting anew for a namespace, under a fault.
func (w *wire) begin(namespace string, f fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines[namespace] = &line{last: time.Now(), fault: f}
}

// quietFor tells how long nothing was asked about a namespace.
func (w *wire) quietFor(namespace string) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Since(w.line(namespace).last)
}

// kinds is how many kinds the operator watches.
const kinds = 7

// started tells whether the operator watches everything and has had time to look at it.
func (w *wire) started() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.watches >= kinds && time.Since(w.lastWatch) > quiet && (!w.mustAsk || w.asked())
}

// asked tells whether anything was asked at all; the caller holds the lock.
func (w *wire) asked() bool {
	for _, l := range w.lines {
		if len(l.seen) > 0 {
			return true
		}
	}
	return false
}

func (w *wire) seen(namespace string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.line(namespace).seen...)
}

func (w *wire) hit(namespace string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.line(namespace).hit
}

// namespaceOf reads a request's namespace; requests without one count for the namespace "".
func namespaceOf(r *http.Request) string {
	_, rest, found := strings.Cut(r.URL.Path, "/namespaces/")
	if !found {
		return ""
	}
	namespace, _, _ := strings.Cut(rest, "/")
	return namespace
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// answer is an error answer as the API server words it.
func answer(r *http.Request, code int, reason string, header ...string) *http.Response {
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, r.Body)
		r.Body.Close()
	}
	body := fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","message":"made up","reason":%q,"code":%d}`, reason, code)
	response := &http.Response{
		StatusCode: code, Status: fmt.Sprint(code, " ", http.StatusText(code)), Request: r,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": []string{"application/json"}}, Body: io.NopCloser(strings.NewReader(body)),
	}
	for i := 0; i+1 < len(header); i += 2 {
		response.Header.Set(header[i], header[i+1])
	}
	return response
}
