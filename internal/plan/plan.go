// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/render"
)

// Ref names an object of a release within its namespace. Kind is enough without its group, because
// the kinds that a chart may render differ in it.
type Ref struct {
	Kind, Name string
}

func (r Ref) String() string { return r.Kind + " " + r.Name }

// Live is an object that exists.
type Live struct {
	Ref
	UID types.UID
	// ResourceVersion last seen; a deletion is only for this one.
	ResourceVersion string
	// Relation tells whose it is.
	Relation render.Relation
	// Owned is the digest of the fields that our field manager owns, replicas aside.
	Owned string
	// Replicas that our field manager set; nil where an autoscaler does, or where there are none.
	Replicas *int32
	// Scaled tells that an autoscaler sets the replicas.
	Scaled bool
	// Content is the hash of the content that it holds, for content ConfigMaps.
	Content string
	// Referenced tells that it carries the owner reference.
	Referenced bool
	// Deleting tells that it is on its way out.
	Deleting bool
}

// Applied is what a record says of an object: what was wanted, and what the API server made of it.
type Applied struct {
	// Desired is the digest of the rendered object.
	Desired string
	// Asked are the replicas of the rendered object, whether or not an autoscaler then set others.
	Asked *int32
	// Owned and Replicas are as in Live, right after the object was applied.
	Owned    string
	Replicas *int32
}

// Record is the newest Helm record of a release, as far as the plan needs it.
type Record struct {
	Revision int
	// Deployed tells that Helm's status is deployed.
	Deployed bool
	// Intact tells that the record is whole: its parts add up to its Sum, which anyone can work out who may write it.
	Intact bool
	// Sum of the record's parts.
	Sum string
	// Digest of the rendering that was applied.
	Digest  string
	Objects map[Ref]Applied
}

// Input is what a decision rests on.
type Input struct {
	// Digest of the rendering that is wanted.
	Digest string
	// Record is nil where the release was never recorded.
	Record *Record
	Live   []Live
	// DisownedRecords are records without the owner reference, and old ones that are deployed again.
	DisownedRecords []string
	// NeededContent are the hashes of superseded contents that pods may still need.
	NeededContent []string
}

// Action is what a release needs.
type Action string

const (
	// None: everything is as wanted.
	None Action = "None"
	// Install: there is no record.
	Install Action = "Install"
	// Upgrade: the record is not the wanted rendering.
	Upgrade Action = "Upgrade"
	// Repair: the record is right, but objects differ from it.
	Repair Action = "Repair"
)

// Plan is a decision.
type Plan struct {
	Action Action
	Reason string
	// Wrong are the recorded objects that are missing or changed, for Repair.
	Wrong []Ref
	// Surplus are live objects of ours that are not wanted, for Repair.
	Surplus []Live
	// DisownedContent are superseded contents that pods still need and that lack the owner reference (the
	// Helm CLI rolled back to them, or a site that was kept is taken up again), for Repair.
	DisownedContent []Live
	// DisownedRecords need the owner reference again, for Repair.
	DisownedRecords []string
}

// Decide compares what is wanted with what is recorded and live.
func Decide(in Input) Plan {
	switch {
	case in.Record == nil:
		return Plan{Action: Install, Reason: viewv1.PlanNoRecord}
	case !in.Record.Intact:
		return Plan{Action: Upgrade, Reason: viewv1.PlanRecordChanged}
	case !in.Record.Deployed:
		return Plan{Action: Upgrade, Reason: viewv1.PlanRecordNotDeployed}
	case in.Record.Digest != in.Digest:
		return Plan{Action: Upgrade, Reason: viewv1.PlanInputChanged}
	}
	wrong := wrongObjects(in)
	recorded := func(ref Ref) bool { _, ok := in.Record.Objects[ref]; return ok }
	surplus, disowned := Surplus(in, recorded), disownedContent(in, recorded)
	repair := Plan{Action: Repair, Wrong: wrong, Surplus: surplus, DisownedContent: disowned, DisownedRecords: in.DisownedRecords}
	switch {
	case len(wrong) > 0:
		repair.Reason = viewv1.PlanDrift
	case len(in.DisownedRecords) > 0:
		repair.Reason = viewv1.PlanRecordDisowned
	case len(disowned) > 0:
		repair.Reason = viewv1.PlanContentDisowned
	case len(surplus) > 0:
		repair.Reason = viewv1.PlanSurplus
	default:
		return Plan{Action: None, Reason: viewv1.PlanUpToDate}
	}
	return repair
}

// wrongObjects returns the recorded objects that are missing, changed or not ours, in order.
func wrongObjects(in Input) []Ref {
	live := index(in.Live)
	var wrong []Ref
	for ref, applied := range in.Record.Objects {
		if found, ok := live[ref]; !ok || found.Relation != render.Ours || found.Deleting || !matches(found, applied) {
			wrong = append(wrong, ref)
		}
	}
	slices.SortFunc(wrong, compareRefs)
	return wrong
}

// matches tells whether an object is as it was right after it was applied. Replicas that an
// autoscaler sets are not ours to compare.
func matches(live Live, applied Applied) bool {
	if live.Owned != applied.Owned {
		return false
	}
	if live.Scaled || applied.Replicas == nil {
		return true
	}
	return live.Replicas != nil && *live.Replicas == *applied.Replicas
}

// Surplus returns live objects of ours that are not wanted, in order. Content that a pod may still
// need is not surplus.
func Surplus(in Input, wanted func(Ref) bool) []Live {
	return ours(in.Live, func(live Live) bool { return !in.needs(live) && !wanted(live.Ref) })
}

// disownedContent returns the contents that are kept for pods alone and lack the owner reference, in order.
func disownedContent(in Input, recorded func(Ref) bool) []Live {
	return ours(in.Live, func(live Live) bool { return in.needs(live) && !live.Referenced && !recorded(live.Ref) })
}

// needs tells whether an object is content that a pod may still need.
func (in Input) needs(live Live) bool {
	return live.Content != "" && slices.Contains(in.NeededContent, live.Content)
}

// ours returns those of our objects that stay and for which pick is true, in order.
func ours(objects []Live, pick func(Live) bool) []Live {
	var picked []Live
	for _, live := range objects {
		if live.Relation == render.Ours && !live.Deleting && pick(live) {
			picked = append(picked, live)
		}
	}
	slices.SortFunc(picked, func(a, b Live) int { return compareRefs(a.Ref, b.Ref) })
	return picked
}

func index(live []Live) map[Ref]Live {
	out := make(map[Ref]Live, len(live))
	for _, l := range live {
		out[l.Ref] = l
	}
	return out
}

func compareRefs(a, b Ref) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
}
