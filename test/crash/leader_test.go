// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// held is a request that was sent by an operator that has lost its lease since, and that arrives late.
type held struct {
	sent, release, done chan struct{}
}

func (h *held) fault(k int) fault {
	return func(n int, _ *http.Request, forward func() (*http.Response, error)) (*http.Response, error, bool) {
		if n != k {
			return nil, nil, false
		}
		close(h.sent)
		<-h.release
		response, err := forward()
		close(h.done)
		return response, err, true
	}
}

// TestLeaderChangesAtEveryRequest: the old leader's request is still on its way when the new leader has
// finished the same work and a newer edition; only then it arrives.
func TestLeaderChangesAtEveryRequest(t *testing.T) {
	eachScenario(t, func(t *testing.T, s *shards, sc scenario, want map[string]string, requests []string) {
		t.Helper()
		if strings.HasPrefix(sc.name, "deletion") {
			eachPoint(t, len(requests), func(k int) bool { return s.leaderAt(t, sc, k, want, nil) })
			return
		}
		newer := func(view *viewv1.MarkdownView) { view.Spec.Markdowns = book("# Newer\n") }
		after := s.undisturbedThen(t, sc, newer)
		eachPoint(t, len(requests), func(k int) bool { return s.leaderAt(t, sc, k, after, newer) })
	})
}

// undisturbedThen returns the state after a scenario and one more edition, revisions aside.
func (s *shards) undisturbedThen(t *testing.T, sc scenario, edit func(*viewv1.MarkdownView)) map[string]string {
	t.Helper()
	p := newPlace(t)
	s.prepare(p, sc)
	s.steady.begin(p.namespace, nil)
	p.hand(s.steadyShard)
	p.served(s.steady)
	p.edit(edit)
	p.served(s.steady)
	p.rest(s.steady)
	state, err := stateOf(t.Context(), p.namespace, p.owned)
	p.must(err)
	return withoutRevisions(state)
}

func (s *shards) leaderAt(t *testing.T, sc scenario, k int, want map[string]string, edit func(*viewv1.MarkdownView)) (hit bool) {
	t.Helper()
	p := newPlace(t)
	s.prepare(p, sc)
	h := &held{sent: make(chan struct{}), release: make(chan struct{}), done: make(chan struct{})}
	old := s.victim(p, sc, func(*wire) fault { return h.fault(k) })
	if !p.until(h.sent, old) {
		old.cut()
		return false
	}
	s.steady.begin(p.namespace, nil)
	p.hand(s.steadyShard)
	if edit != nil {
		p.ignoreRevisions = true
		p.edit(edit)
	}
	reached := p.reaches(want, s.steady)
	close(h.release)
	<-h.done
	old.cut()
	if !reached || !p.reaches(want, s.steady) {
		t.Errorf("%s: request %d of the old leader arrived late: %v", sc.name, k, last(old.seen(p.namespace), 3))
	}
	if edit != nil {
		p.hasOneDeployedRecord()
	}
	return true
}

// until lets the cluster live until something happened; false tells that the operator came to rest first.
func (p *place) until(happened <-chan struct{}, w *wire) bool {
	p.Helper()
	still := time.Now()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		select {
		case <-happened:
			return true
		case <-time.After(50 * time.Millisecond):
		}
		if p.live() {
			still = time.Now()
		}
		if time.Since(still) > quiet && w.started() && w.quietFor(p.namespace) > quiet {
			return false
		}
	}
	return false
}

var revisions = regexp.MustCompile(`"release":\{"name":"book","revision":\d+|Release revision \d+|book\.v\d+`)

// withoutRevisions drops records and what tells of their numbers: a late request may have cost one.
func withoutRevisions(state map[string]string) map[string]string {
	out := map[string]string{}
	for name, object := range state {
		if !strings.Contains(name, "sh.helm.release") {
			out[name] = revisions.ReplaceAllString(object, "REVISION")
		}
	}
	return out
}

// hasOneDeployedRecord checks what withoutRevisions leaves out.
func (p *place) hasOneDeployedRecord() {
	p.Helper()
	objects, err := contents(p.Context(), p.namespace)
	p.must(err)
	records, deployed := 0, 0
	for _, object := range objects {
		if strings.HasPrefix(object.GetName(), "sh.helm.release") {
			records++
			if object.GetLabels()["status"] == "deployed" {
				deployed++
			}
		}
	}
	if deployed != 1 || records > 3 {
		p.Errorf("%s: %d records, %d of them deployed", p.namespace, records, deployed)
	}
}
