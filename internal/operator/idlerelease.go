// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator

import (
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
)

// restAfter is how long no pass must have run for the operator to be at rest.
const restAfter = 15 * time.Second

// How much garbage may gather before a collection, in percent of what is in use. At work an operator makes
// little that lasts and much that does not, and a collection costs the same however much it finds; at
// rest nobody is in a hurry. A memory limit (GOMEMLIMIT, which config/manager sets) goes before both.
const (
	garbageAtWork = 300
	garbageAtRest = 100
)

// idleRelease gives memory back to the kernel whenever the operator comes to rest: between two changes an
// operator does nothing for hours, and what a burst of work or starting up needed is no use to it.
// It costs one garbage collection a rest, and nothing at all while nothing happens. See docs/adr.
type idleRelease struct {
	timer *time.Timer
	// atWork tells that there was a pass since the last rest.
	atWork atomic.Bool
}

// newIdleRelease returns one that has begun to wait. The caller calls stop.
func newIdleRelease(logger logr.Logger) *idleRelease {
	r := &idleRelease{}
	r.timer = time.AfterFunc(restAfter, func() { r.rest(logger) })
	return r
}

// pass puts the next rest off. It is called at every pass.
func (r *idleRelease) pass() {
	r.timer.Reset(restAfter)
	if !r.atWork.Swap(true) {
		collectAt(garbageAtWork)
	}
}

func (r *idleRelease) rest(logger logr.Logger) {
	r.atWork.Store(false)
	collectAt(garbageAtRest)
	debug.FreeOSMemory()
	if err := releaseFilePages(); err != nil {
		// It costs memory, nothing else.
		logger.Info("pages of the program's file stay resident", "reason", err.Error())
	}
}

func (r *idleRelease) stop() {
	r.timer.Stop()
	collectAt(garbageAtRest)
}

// collectAt sets the percentage, unless the administrator set one.
func collectAt(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
