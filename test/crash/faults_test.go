// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"net/http"
	"sync"
	"testing"
	"time"
)

// hang is how long the operator under test waits for an answer.
const hang = 2 * time.Second

// reply is what comes back in place of the API server's answer.
type reply struct {
	name string
	// reaches tells that the request is carried out all the same: only the answer is lost.
	reaches bool
	answer  func(*http.Request) (*http.Response, error)
}

// replies come one after the other: the next one when the operator tries the same request again.
var replies = [][]reply{
	{
		{name: "409 Conflict", answer: status(http.StatusConflict, "Conflict")},
		{name: "500", answer: status(http.StatusInternalServerError, "InternalError")},
		{name: "no answer", answer: silence},
	},
	{
		{name: "no answer after the write", reaches: true, answer: silence},
		{name: "410 Gone", answer: status(http.StatusGone, "Expired")},
		{name: "403, a quota", answer: status(http.StatusForbidden, "Forbidden")},
	},
	{
		{name: "500 after the write", reaches: true, answer: status(http.StatusInternalServerError, "InternalError")},
		{name: "504 after the write", reaches: true, answer: status(http.StatusGatewayTimeout, "Timeout")},
		{name: "503", answer: status(http.StatusServiceUnavailable, "ServiceUnavailable")},
		{name: "429 with Retry-After", answer: status(http.StatusTooManyRequests, "TooManyRequests", "Retry-After", "1")},
	},
}

func status(code int, reason string, header ...string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) { return answer(r, code, reason, header...), nil }
}

// silence is a connection that looks alive and says nothing.
func silence(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// falsely answers request number k, and the same request when it is tried again, with one reply each.
func falsely(k int, replies []reply) fault {
	var mu sync.Mutex
	var target string
	next := 0
	return func(n int, r *http.Request, forward func() (*http.Response, error)) (*http.Response, error, bool) {
		mu.Lock()
		if n == k {
			target = r.Method + r.URL.Path
		}
		if target != r.Method+r.URL.Path || next == len(replies) {
			mu.Unlock()
			return nil, nil, false
		}
		now := replies[next]
		next++
		mu.Unlock()
		if now.reaches {
			if response, err := forward(); err == nil {
				response.Body.Close()
			}
		}
		response, err := now.answer(r)
		return response, err, true
	}
}

// TestFaultAtEveryRequest answers each request of each scenario with each fault. One operator serves
// all points at once, so a fault of one object must not hold up another.
func TestFaultAtEveryRequest(t *testing.T) {
	eachScenario(t, func(t *testing.T, s *shards, sc scenario, want map[string]string, requests []string) {
		t.Helper()
		for _, series := range replies {
			eachPoint(t, len(requests), func(k int) bool { return s.faultAt(t, sc, k, series, want) })
		}
	})
}

func (s *shards) faultAt(t *testing.T, sc scenario, k int, series []reply, want map[string]string) (hit bool) {
	t.Helper()
	p := newPlace(t)
	s.prepare(p, sc)
	s.steady.begin(p.namespace, falsely(k, series))
	p.hand(s.steadyShard)
	if !p.reaches(want, s.steady) {
		t.Errorf("%s: %s ... at request %d", sc.name, series[0].name, k)
	}
	return s.steady.hit(p.namespace)
}
