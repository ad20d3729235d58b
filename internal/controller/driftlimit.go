// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
)

// Repairs of one release: a burst at once, then one every so often. A webhook or a controller
// elsewhere that changes an object for ever is answered at this rate for ever, not at its own.
const (
	driftBurst  = 10
	driftPeriod = 30 * time.Second
)

// driftLimit caps the rate of repairs of each release.
type driftLimit struct {
	clock clock.PassiveClock
	mu    sync.Mutex
	// limits holds a release only once it drifted.
	limits map[types.NamespacedName]*driftBudget
}

type driftBudget struct {
	limiter *rate.Limiter
	// reported tells that this run of throttling was told of.
	reported bool
}

func newDriftLimit(clock clock.PassiveClock) *driftLimit {
	return &driftLimit{clock: clock, limits: map[types.NamespacedName]*driftBudget{}}
}

// wait returns 0 if a repair may be made now, and takes it from the budget; else how long to wait.
func (d *driftLimit) wait(key types.NamespacedName) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	budget := d.limits[key]
	if budget == nil {
		budget = &driftBudget{limiter: rate.NewLimiter(rate.Every(driftPeriod), driftBurst)}
		d.limits[key] = budget
	}
	now := d.clock.Now()
	reservation := budget.limiter.ReserveN(now, 1)
	delay := reservation.DelayFrom(now)
	if delay > 0 {
		reservation.CancelAt(now)
		return delay
	}
	if budget.limiter.TokensAt(now) > driftBurst/2 {
		budget.reported = false
	}
	return 0
}

// report tells, once each time the limit is reached, that an event is due.
func (d *driftLimit) report(key types.NamespacedName) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	budget := d.limits[key]
	if budget == nil || budget.reported {
		return false
	}
	budget.reported = true
	return true
}

func (d *driftLimit) forget(key types.NamespacedName) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.limits, key)
}
