// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"k8s.io/apimachinery/pkg/types"

	"github.com/bobuhiro11/markdown-view/internal/render"
)

// Op is what one object needs.
type Op string

const (
	// Keep: it is as wanted; no request.
	Keep Op = "Keep"
	// Create: it does not exist; the write must fail if it does by then.
	Create Op = "Create"
	// Apply: it is ours and differs; the write must fail if it is another object by then.
	Apply Op = "Apply"
	// Wait: an earlier object of that name is still going.
	Wait Op = "Wait"
	// Refuse: the object is somebody else's.
	Refuse Op = "Refuse"
)

// Change is what one wanted object needs.
type Change struct {
	Ref
	Op Op
	// UID of the object that Apply is for.
	UID types.UID
	// YieldReplicas: an autoscaler sets spec.replicas, so the write leaves them out.
	YieldReplicas bool
	// Drifted tells, for Apply, that the object is not as it was left: its lists may hold items that
	// an apply alone would leave.
	Drifted bool
}

// Wanted is one object of the wanted rendering.
type Wanted struct {
	Ref
	// Digest of the rendered object.
	Digest string
	// Replicas of the rendered object, or nil.
	Replicas *int32
}

// Changes returns what each wanted object needs, in the order given.
func Changes(wanted []Wanted, in Input) []Change {
	live := index(in.Live)
	changes := make([]Change, 0, len(wanted))
	for _, want := range wanted {
		found, exists := live[want.Ref]
		change := Change{Ref: want.Ref, Op: op(want, found, exists, in.Record)}
		if change.Op == Apply {
			change.UID, change.YieldReplicas = found.UID, found.Scaled && !asksForOtherReplicas(want, in.Record)
			change.Drifted = !asLeft(found, in.Record)
		}
		changes = append(changes, change)
	}
	return changes
}

// asksForOtherReplicas tells whether the author changed the number of replicas since it was last
// applied. That is an order; an autoscaler that disagrees will say so itself.
func asksForOtherReplicas(want Wanted, record *Record) bool {
	if record == nil || want.Replicas == nil {
		return false
	}
	applied, ok := record.Objects[want.Ref]
	return ok && applied.Asked != nil && *applied.Asked != *want.Replicas
}

func op(want Wanted, found Live, exists bool, record *Record) Op {
	switch {
	case !exists:
		return Create
	case found.Relation == render.Foreign:
		return Refuse
	case found.Deleting || found.Relation == render.Predecessors:
		return Wait
	}
	if asLeft(found, record) && record.Objects[want.Ref].Desired == want.Digest {
		return Keep
	}
	return Apply
}

// asLeft tells whether an object is as the recorded release left it.
func asLeft(found Live, record *Record) bool {
	if record == nil || !record.Intact {
		return false
	}
	applied, ok := record.Objects[found.Ref]
	return ok && matches(found, applied)
}
