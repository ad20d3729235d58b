// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"io"
	"net/http"
	"testing"
	"time"
)

// blindness is how long the operator's caches see nothing: longer than any action takes.
const blindness = 1500 * time.Millisecond

// blind stops every open watch at request number k: nothing comes through it for a while, then it
// breaks, and the first attempt to open it again is answered with 410 Gone, so that all is listed anew.
func blind(w *wire, k int) fault {
	return func(n int, _ *http.Request, forward func() (*http.Response, error)) (*http.Response, error, bool) {
		if n != k {
			return nil, nil, false
		}
		w.stall()
		response, err := forward()
		return response, err, true
	}
}

// TestBlindFromEveryRequestOn: the caches stand still from a request on, and break later.
func TestBlindFromEveryRequestOn(t *testing.T) {
	eachScenario(t, func(t *testing.T, s *shards, sc scenario, want map[string]string, requests []string) {
		t.Helper()
		eachPoint(t, len(requests), func(k int) bool {
			p := newPlace(t)
			s.prepare(p, sc)
			w := s.victim(p, sc, func(w *wire) fault { return blind(w, k) })
			defer w.cut()
			if !p.reaches(want, w) {
				t.Errorf("%s: blind from request %d on", sc.name, k)
			}
			return w.hit(p.namespace)
		})
	})
}

// stall begins the blindness of a wire.
func (w *wire) stall() {
	w.mu.Lock()
	defer w.mu.Unlock()
	stalled := make(chan struct{})
	w.stalled, w.stalledAt, w.expire = stalled, time.Now(), kinds
	time.AfterFunc(blindness, func() { close(stalled) })
}

// watch opens a watch whose events stop when the wire stalls.
func (w *wire) watch(r *http.Request, next http.RoundTripper) (*http.Response, error) {
	w.mu.Lock()
	expired := w.expire > 0
	if expired {
		w.expire--
	}
	w.mu.Unlock()
	if expired {
		return answer(r, http.StatusGone, "Expired"), nil
	}
	response, err := next.RoundTrip(r)
	if err == nil {
		response.Body = &watchBody{ReadCloser: response.Body, wire: w, opened: time.Now()}
	}
	return response, err
}

// watchBody is the stream of one watch.
type watchBody struct {
	io.ReadCloser
	wire   *wire
	opened time.Time
}

func (b *watchBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.wire.mu.Lock()
	stalled, at := b.wire.stalled, b.wire.stalledAt
	b.wire.mu.Unlock()
	if stalled == nil || b.opened.After(at) {
		return n, err
	}
	// What was read since is lost with the connection.
	<-stalled
	return 0, io.ErrUnexpectedEOF
}
