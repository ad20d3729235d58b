// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator

import (
	"runtime"
	"runtime/debug"
	"time"

	"github.com/go-logr/logr"
)

// restAfter is how long no pass must have run for the operator to be at rest.
const restAfter = 15 * time.Second

// idleRelease gives memory back to the kernel whenever the operator comes to rest: between two changes an
// operator does nothing for hours, and what a burst of work or starting up needed is no use to it.
// It costs two garbage collections a rest, and nothing at all while nothing happens. See docs/adr.
type idleRelease struct{ timer *time.Timer }

// newIdleRelease returns one that has begun to wait. The caller calls timer.Stop.
func newIdleRelease(logger logr.Logger) *idleRelease {
	return &idleRelease{timer: time.AfterFunc(restAfter, func() {
		// A pool's objects outlive one collection. FreeOSMemory makes the second, which takes them.
		runtime.GC()
		debug.FreeOSMemory()
		if err := releaseFilePages(); err != nil {
			// It costs memory, nothing else.
			logger.Info("pages of the program's file stay resident", "reason", err.Error())
		}
	})}
}

// pass puts the next rest off. It is called at every pass.
func (r *idleRelease) pass() { r.timer.Reset(restAfter) }
