// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package upgradeable

import (
	"sync"
	"time"

	"k8s.io/utils/clock"
)

const (
	// noticed is how long changes must go on without a pause before OLM is told. An edit of one book
	// takes a few ten milliseconds: telling of each would cost more requests than the edit, and
	// an operator whose books are edited all day could never be upgraded.
	noticed = 300 * time.Millisecond
	// settled is how long no such stretch may have gone on before OLM is told that an upgrade may begin.
	settled = 3 * time.Second
)

// Gate follows the changes in flight. NewGate makes one.
type Gate struct {
	clock clock.Clock
	// changed holds at most one wake-up for Start.
	changed chan struct{}

	mu       sync.Mutex
	inFlight int
	// since is when inFlight last left 0; ended is when the last stretch that was noticed ended.
	since, ended time.Time
}

// NewGate returns a gate with nothing in flight.
func NewGate(clock clock.Clock) *Gate {
	return &Gate{clock: clock, changed: make(chan struct{}, 1)}
}

// InFlight is told when a change of a release starts (1) and ends (-1). It never blocks.
func (g *Gate) InFlight(delta int) {
	g.mu.Lock()
	now, before := g.clock.Now(), g.inFlight
	g.inFlight += delta
	switch {
	case before == 0 && g.inFlight > 0:
		g.since = now
	case before > 0 && g.inFlight == 0 && now.Sub(g.since) >= noticed:
		g.ended = now
	}
	edge := (before == 0) != (g.inFlight == 0)
	g.mu.Unlock()
	if edge {
		select {
		case g.changed <- struct{}{}:
		default:
		}
	}
}

// upgradeable returns what OLM should be told now, given what it was told last, and when to look
// again without being woken; 0 is never.
func (g *Gate) upgradeable(told bool) (now bool, again time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	at := g.clock.Now()
	if g.inFlight > 0 {
		if wait := noticed - at.Sub(g.since); wait > 0 {
			return told, wait
		}
		return false, 0
	}
	if wait := settled - at.Sub(g.ended); !told && wait > 0 {
		return false, wait
	}
	return true, 0
}
