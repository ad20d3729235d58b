// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/bobuhiro11/markdown-view/internal/operator"
)

// workers is how many points are tried at once. They wait more than they compute.
const workers = 10

// shards are the operators of one chart: the steady one prepares and heals, victims die.
type shards struct {
	steady                   *wire
	steadyFile, victimFile   string
	steadyShard, victimShard string
}

// newShards starts the steady operator.
func newShards(t *testing.T, name string, files map[string]string) *shards {
	t.Helper()
	s := &shards{steady: newWire(), steadyShard: "steady-" + name, victimShard: "victim-" + name}
	s.steadyFile = watchesFile(t, s.steadyShard, files)
	s.victimFile = watchesFile(t, s.victimShard, files)
	startOperator(t, s.steady, func(settings *operator.Settings) {
		settings.WatchesFile, settings.RequestTimeout = s.steadyFile, hang
	})
	return s
}

// victim starts an operator of one place, which the fault may kill.
func (s *shards) victim(p *place, sc scenario, f func(*wire) fault) *wire {
	w := newWire()
	w.everything, w.mustAsk = sc.act == nil, !sc.silent
	w.begin(p.namespace, f(w))
	startOperator(p.T, w, func(settings *operator.Settings) {
		settings.WatchesFile, settings.Namespaces = s.victimFile, []string{p.namespace}
	})
	return w
}

// prepare brings a place to the moment of the action.
func (s *shards) prepare(p *place, sc scenario) {
	p.Helper()
	p.create(firstText, 1, sc.annotations)
	if sc.act != nil {
		s.steady.begin(p.namespace, nil)
		p.hand(s.steadyShard)
		p.served(s.steady)
		for _, edit := range sc.edits {
			p.edit(edit)
			p.served(s.steady)
		}
	}
	p.hand(s.victimShard)
	if sc.act != nil {
		sc.act(p)
	}
}

// undisturbed runs a scenario without a fault. It returns the state that is left and the requests made.
func (s *shards) undisturbed(t *testing.T, sc scenario) (state map[string]string, requests []string) {
	t.Helper()
	p := newPlace(t)
	s.prepare(p, sc)
	w := s.victim(p, sc, func(*wire) fault { return nil })
	p.rest(w)
	w.cut()
	// The steady operator has nothing to add.
	s.steady.begin(p.namespace, nil)
	p.hand(s.steadyShard)
	p.rest(s.steady)
	if more := s.steady.seen(p.namespace); len(more) > 0 {
		t.Errorf("a second operator found more to do: %v", more)
	}
	state, err := stateOf(t.Context(), p.namespace, p.owned)
	p.must(err)
	return state, w.seen(p.namespace)
}

// kill kills the operator at request number k: before it is sent, or once the API server has carried
// it out and before the answer arrives.
func kill(w *wire, k int, after bool) fault {
	return func(n int, r *http.Request, forward func() (*http.Response, error)) (*http.Response, error, bool) {
		if n != k {
			return nil, nil, false
		}
		if after {
			if response, err := forward(); err == nil {
				response.Body.Close()
			}
		}
		w.cut()
		return nil, errCut, true
	}
}

func TestKilledAtEveryRequest(t *testing.T) {
	eachScenario(t, func(t *testing.T, s *shards, sc scenario, want map[string]string, requests []string) {
		t.Helper()
		t.Logf("%d requests: %v", len(requests), requests)
		eachPoint(t, len(requests), func(k int) bool { return s.killAt(t, sc, k, false, want) })
		eachPoint(t, len(requests), func(k int) bool { return s.killAt(t, sc, k, true, want) })
	})
}

// eachScenario runs every scenario undisturbed, and gives try what was left and what was asked.
func eachScenario(t *testing.T, try func(t *testing.T, s *shards, sc scenario, want map[string]string, requests []string)) {
	t.Helper()
	plain, hooks := newShards(t, "plain", nil), newShards(t, "hooks", hookFiles)
	for _, sc := range scenarios() {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			s := plain
			if sc.hooks {
				s = hooks
			}
			want, requests := s.undisturbed(t, sc)
			try(t, s, sc, want, requests)
		})
	}
}

// slots bounds the points that are tried at once over all scenarios.
var slots = make(chan struct{}, workers)

// eachPoint tries points 1 to n+1 at once, and then on until one is not reached: timing may add a request.
func eachPoint(t *testing.T, n int, try func(k int) (hit bool)) {
	t.Helper()
	var group sync.WaitGroup
	more := false
	for k := 1; k <= n+1; k++ {
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if hit := try(k); k > n {
				more = hit
			}
		})
	}
	group.Wait()
	for k := n + 2; more; k++ {
		more = try(k)
		if k > n+20 {
			t.Fatalf("request %d of %d is still made: the operator does not come to rest", k, n)
		}
	}
}

func (s *shards) killAt(t *testing.T, sc scenario, k int, after bool, want map[string]string) (hit bool) {
	t.Helper()
	p := newPlace(t)
	what := fmt.Sprintf("killed before request %d", k)
	if after {
		what = fmt.Sprintf("killed after request %d, before its answer", k)
	}
	s.prepare(p, sc)
	w := s.victim(p, sc, func(w *wire) fault { return kill(w, k, after) })
	p.rest(w)
	hit = w.hit(p.namespace) || w.hit("")
	w.cut()
	s.steady.begin(p.namespace, nil)
	p.hand(s.steadyShard)
	if !p.reaches(want, s.steady) {
		t.Errorf("%s: %s: %v", sc.name, what, last(w.seen(p.namespace), 3))
	}
	return hit
}
