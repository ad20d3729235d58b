// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/render"
)

// The release of every case: a Service, a Deployment with one replica, and the text "c1".
var (
	service    = Ref{"Service", "viewer-book"}
	deployment = Ref{"Deployment", "viewer-book"}
	content    = Ref{"ConfigMap", "markdowns-book-c1"}
	old        = Ref{"ConfigMap", "markdowns-book-c0"}
)

func record(change func(*Record)) *Record {
	r := &Record{Revision: 2, Deployed: true, Intact: true, Digest: "d", Objects: map[Ref]Applied{
		service:    {Desired: "s", Owned: "S"},
		deployment: {Desired: "p", Owned: "P", Asked: new(int32(1)), Replicas: new(int32(1))},
		content:    {Desired: "c", Owned: "C"},
	}}
	if change != nil {
		change(r)
	}
	return r
}

// live is what exists right after the record was written.
func live(change func(map[Ref]*Live)) []Live {
	all := map[Ref]*Live{
		service:    {Ref: service, UID: "us", Relation: render.Ours, Owned: "S"},
		deployment: {Ref: deployment, UID: "up", Relation: render.Ours, Owned: "P", Replicas: new(int32(1))},
		content:    {Ref: content, UID: "uc", Relation: render.Ours, Owned: "C", Content: "c1"},
	}
	if change != nil {
		change(all)
	}
	var out []Live
	for _, ref := range []Ref{service, deployment, content, old} {
		if l := all[ref]; l != nil {
			out = append(out, *l)
		}
	}
	return out
}

func TestDecide(t *testing.T) {
	oldContent := Live{Ref: old, UID: "uo", Relation: render.Ours, Owned: "O", Content: "c0", Referenced: true}
	disownedContent := oldContent
	disownedContent.Referenced = false
	cases := map[string]struct {
		reason string
		in     Input
		want   Plan
	}{
		"UpToDate": {
			reason: "Everything as recorded: nothing is asked of the API server.",
			in:     Input{Digest: "d", Record: record(nil), Live: live(nil)},
			want:   Plan{Action: None, Reason: viewv1.PlanUpToDate},
		},
		"NoRecord": {
			reason: "Never released, or the record was deleted by hand: objects that exist are taken up.",
			in:     Input{Digest: "d", Live: live(nil)},
			want:   Plan{Action: Install, Reason: viewv1.PlanNoRecord},
		},
		"RecordChanged": {
			reason: "`helm rollback`, an edit or a truncation: whatever it says is not believed.",
			in:     Input{Digest: "d", Record: record(func(r *Record) { r.Intact = false }), Live: live(nil)},
			want:   Plan{Action: Upgrade, Reason: viewv1.PlanRecordChanged},
		},
		"RecordNotDeployed": {
			reason: "`helm uninstall --keep-history`, or death between superseding the old record and writing the new one.",
			in:     Input{Digest: "d", Record: record(func(r *Record) { r.Deployed = false }), Live: live(nil)},
			want:   Plan{Action: Upgrade, Reason: viewv1.PlanRecordNotDeployed},
		},
		"ChangedBeforeNotDeployed": {
			reason: "What is not ours to read does not tell its status either.",
			in:     Input{Digest: "d", Record: record(func(r *Record) { r.Intact, r.Deployed = false, false })},
			want:   Plan{Action: Upgrade, Reason: viewv1.PlanRecordChanged},
		},
		"InputChanged": {
			reason: "Spec, chart, override or Kubernetes version: any of them changes the digest.",
			in:     Input{Digest: "other", Record: record(nil), Live: live(nil)},
			want:   Plan{Action: Upgrade, Reason: viewv1.PlanInputChanged},
		},
		"InputChangedAndDrift": {
			reason: "One upgrade does both.",
			in:     Input{Digest: "other", Record: record(nil)},
			want:   Plan{Action: Upgrade, Reason: viewv1.PlanInputChanged},
		},
		"Deleted": {
			reason: "Each missing object is named, in order.",
			in:     Input{Digest: "d", Record: record(nil), Live: live(func(l map[Ref]*Live) { l[service], l[content] = nil, nil })},
			want:   Plan{Action: Repair, Reason: viewv1.PlanDrift, Wrong: []Ref{content, service}},
		},
		"Changed": {
			reason: "A field of ours has another value, or another owner.",
			in:     Input{Digest: "d", Record: record(nil), Live: live(func(l map[Ref]*Live) { l[deployment].Owned = "X" })},
			want:   Plan{Action: Repair, Reason: viewv1.PlanDrift, Wrong: []Ref{deployment}},
		},
		"Deleting": {
			reason: "An object on its way out is missing already.",
			in:     Input{Digest: "d", Record: record(nil), Live: live(func(l map[Ref]*Live) { l[service].Deleting = true })},
			want:   Plan{Action: Repair, Reason: viewv1.PlanDrift, Wrong: []Ref{service}},
		},
		"TakenAway": {
			reason: "Somebody else's object under a recorded name.",
			in:     Input{Digest: "d", Record: record(nil), Live: live(func(l map[Ref]*Live) { l[service].Relation = render.Foreign })},
			want:   Plan{Action: Repair, Reason: viewv1.PlanDrift, Wrong: []Ref{service}},
		},
		"ReplicasByHand": {
			reason: "`kubectl scale deployment` is drift: the MarkdownView has the number.",
			in:     Input{Digest: "d", Record: record(nil), Live: live(func(l map[Ref]*Live) { l[deployment].Replicas = new(int32(4)) })},
			want:   Plan{Action: Repair, Reason: viewv1.PlanDrift, Wrong: []Ref{deployment}},
		},
		"ReplicasTakenOver": {
			reason: "So is another manager that took the field over.",
			in:     Input{Digest: "d", Record: record(nil), Live: live(func(l map[Ref]*Live) { l[deployment].Replicas = nil })},
			want:   Plan{Action: Repair, Reason: viewv1.PlanDrift, Wrong: []Ref{deployment}},
		},
		"ReplicasByAutoscaler": {
			reason: "Fault 12: an autoscaler's number is left alone.",
			in: Input{Digest: "d", Record: record(nil), Live: live(func(l map[Ref]*Live) {
				l[deployment].Replicas, l[deployment].Scaled = nil, true
			})},
			want: Plan{Action: None, Reason: viewv1.PlanUpToDate},
		},
		"AutoscalerHidesNoDrift": {
			reason: "All other fields are still ours.",
			in: Input{Digest: "d", Record: record(nil), Live: live(func(l map[Ref]*Live) {
				l[deployment].Owned, l[deployment].Replicas, l[deployment].Scaled = "X", nil, true
			})},
			want: Plan{Action: Repair, Reason: viewv1.PlanDrift, Wrong: []Ref{deployment}},
		},
		"Disowned": {
			reason: "The Helm CLI drops the owner reference of a record: without it the record would outlive the MarkdownView.",
			in:     Input{Digest: "d", Record: record(nil), Live: live(nil), DisownedRecords: []string{"sh.helm.release.v1.book.v2"}},
			want: Plan{
				Action: Repair, Reason: viewv1.PlanRecordDisowned, DisownedRecords: []string{"sh.helm.release.v1.book.v2"},
			},
		},
		"SupersededContentNeeded": {
			reason: "A pod of the old book may be rescheduled: its text stays.",
			in: Input{Digest: "d", Record: record(nil), NeededContent: []string{"c0", "c1"}, Live: live(func(l map[Ref]*Live) {
				l[old] = &oldContent
			})},
			want: Plan{Action: None, Reason: viewv1.PlanUpToDate},
		},
		"SupersededContentDisowned": {
			reason: "While it stays it must have its owner reference: the MarkdownView may be deleted meanwhile.",
			in: Input{Digest: "d", Record: record(nil), NeededContent: []string{"c0", "c1"}, Live: live(func(l map[Ref]*Live) {
				l[old] = &disownedContent
			})},
			want: Plan{Action: Repair, Reason: viewv1.PlanContentDisowned, DisownedContent: []Live{disownedContent}},
		},
		"SupersededContentFree": {
			reason: "Once nothing needs it, it goes.",
			in: Input{Digest: "d", Record: record(nil), NeededContent: []string{"c1"}, Live: live(func(l map[Ref]*Live) {
				l[old] = &oldContent
			})},
			want: Plan{Action: Repair, Reason: viewv1.PlanSurplus, Surplus: []Live{oldContent}},
		},
		"ForeignSurplus": {
			reason: "What is not ours is never surplus, whatever its labels say.",
			in: Input{Digest: "d", Record: record(nil), Live: live(func(l map[Ref]*Live) {
				l[old] = &Live{Ref: old, Relation: render.Foreign, Content: "c0"}
			})},
			want: Plan{Action: None, Reason: viewv1.PlanUpToDate},
		},
		"PredecessorsSurplus": {
			reason: "What belongs to an earlier MarkdownView is the garbage collector's.",
			in: Input{Digest: "d", Record: record(nil), Live: live(func(l map[Ref]*Live) {
				l[old] = &Live{Ref: old, Relation: render.Predecessors, Content: "c0"}
			})},
			want: Plan{Action: None, Reason: viewv1.PlanUpToDate},
		},
		"SurplusGoingAlready": {
			reason: "What is on its way out is not deleted again.",
			in: Input{Digest: "d", Record: record(nil), Live: live(func(l map[Ref]*Live) {
				l[old] = &Live{Ref: old, Relation: render.Ours, Content: "c0", Deleting: true}
			})},
			want: Plan{Action: None, Reason: viewv1.PlanUpToDate},
		},
		"AllAtOnce": {
			reason: "One repair puts everything right; its reason is the gravest.",
			in: Input{
				Digest: "d", Record: record(nil), DisownedRecords: []string{"r"},
				Live: live(func(l map[Ref]*Live) { l[service] = nil; l[old] = &oldContent }),
			},
			want: Plan{
				Action: Repair, Reason: viewv1.PlanDrift, Wrong: []Ref{service}, Surplus: []Live{oldContent}, DisownedRecords: []string{"r"},
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Decide(c.in)); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", c.reason, diff)
			}
		})
	}
}

func TestChanges(t *testing.T) {
	wantedService := Wanted{Ref: service, Digest: "s"}
	wantedDeployment := Wanted{Ref: deployment, Digest: "p", Replicas: new(int32(1))}
	cases := map[string]struct {
		reason string
		wanted []Wanted
		in     Input
		want   []Change
	}{
		"First": {
			reason: "Nothing exists: everything is created, under a guard, in the order given.",
			wanted: []Wanted{wantedService, wantedDeployment},
			want:   []Change{{Ref: service, Op: Create}, {Ref: deployment, Op: Create}},
		},
		"AsRecorded": {
			reason: "What is wanted, recorded and live alike costs no request.",
			wanted: []Wanted{wantedService, wantedDeployment},
			in:     Input{Record: record(nil), Live: live(nil)},
			want:   []Change{{Ref: service, Op: Keep}, {Ref: deployment, Op: Keep}},
		},
		"OneDiffers": {
			reason: "Only what differs is written, and only onto the object that was seen.",
			wanted: []Wanted{{Ref: service, Digest: "s2"}, wantedDeployment},
			in:     Input{Record: record(nil), Live: live(nil)},
			want:   []Change{{Ref: service, Op: Apply, UID: "us"}, {Ref: deployment, Op: Keep}},
		},
		"Drifted": {
			reason: "Wanted as recorded, but somebody changed it.",
			wanted: []Wanted{wantedService},
			in:     Input{Record: record(nil), Live: live(func(l map[Ref]*Live) { l[service].Owned = "X" })},
			want:   []Change{{Ref: service, Op: Apply, UID: "us", Drifted: true}},
		},
		"NoRecord": {
			reason: "Half-applied objects of a process that died are ours: they are applied again.",
			wanted: []Wanted{wantedService},
			in:     Input{Live: live(nil)},
			want:   []Change{{Ref: service, Op: Apply, UID: "us", Drifted: true}},
		},
		"ForgedRecord": {
			reason: "A record that somebody else wrote keeps nothing.",
			wanted: []Wanted{wantedService},
			in:     Input{Record: record(func(r *Record) { r.Intact = false }), Live: live(nil)},
			want:   []Change{{Ref: service, Op: Apply, UID: "us", Drifted: true}},
		},
		"NotRecorded": {
			reason: "An object that the record does not know is applied.",
			wanted: []Wanted{wantedService},
			in:     Input{Record: record(func(r *Record) { delete(r.Objects, service) }), Live: live(nil)},
			want:   []Change{{Ref: service, Op: Apply, UID: "us", Drifted: true}},
		},
		"Foreign": {
			reason: "Fault 11: somebody else's object is never seized.",
			wanted: []Wanted{wantedService},
			in:     Input{Live: live(func(l map[Ref]*Live) { l[service].Relation = render.Foreign })},
			want:   []Change{{Ref: service, Op: Refuse}},
		},
		"ForeignAndDeleting": {
			reason: "Not even one that is going: it may stay after all.",
			wanted: []Wanted{wantedService},
			in: Input{Live: live(func(l map[Ref]*Live) {
				l[service].Relation, l[service].Deleting = render.Foreign, true
			})},
			want: []Change{{Ref: service, Op: Refuse}},
		},
		"Deleting": {
			reason: "An object of ours that is going is waited for, by its event.",
			wanted: []Wanted{wantedService},
			in:     Input{Record: record(nil), Live: live(func(l map[Ref]*Live) { l[service].Deleting = true })},
			want:   []Change{{Ref: service, Op: Wait}},
		},
		"Predecessors": {
			reason: "The garbage collector removes it; applied now, it would vanish under the new MarkdownView.",
			wanted: []Wanted{wantedService},
			in:     Input{Live: live(func(l map[Ref]*Live) { l[service].Relation = render.Predecessors })},
			want:   []Change{{Ref: service, Op: Wait}},
		},
		"Autoscaled": {
			reason: "Fault 12: a change of anything else leaves the autoscaler's number.",
			wanted: []Wanted{{Ref: deployment, Digest: "p2", Replicas: new(int32(1))}},
			in: Input{Record: record(nil), Live: live(func(l map[Ref]*Live) {
				l[deployment].Replicas, l[deployment].Scaled = nil, true
			})},
			want: []Change{{Ref: deployment, Op: Apply, UID: "up", YieldReplicas: true}},
		},
		"AutoscaledAndAsked": {
			reason: "An author who asks for another number gets it; the autoscaler may answer.",
			wanted: []Wanted{{Ref: deployment, Digest: "p2", Replicas: new(int32(3))}},
			in: Input{Record: record(nil), Live: live(func(l map[Ref]*Live) {
				l[deployment].Replicas, l[deployment].Scaled = nil, true
			})},
			want: []Change{{Ref: deployment, Op: Apply, UID: "up"}},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := Changes(c.wanted, c.in)
			if len(got) == 0 {
				got = nil
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", c.reason, diff)
			}
		})
	}
}

// BenchmarkDecide is the whole decision over a settled release, with the text of two earlier ones.
func BenchmarkDecide(b *testing.B) {
	in := Input{Digest: "d", Record: record(nil), NeededContent: []string{"c0"}, Live: live(nil)}
	for i := range 2 {
		in.Live = append(in.Live, Live{
			Ref: Ref{"ConfigMap", fmt.Sprint("markdowns-book-c0-", i)}, UID: types.UID(fmt.Sprint(i)), Relation: render.Ours, Content: "c0",
		})
	}
	b.ReportAllocs()
	for b.Loop() {
		if p := Decide(in); p.Action != None {
			b.Fatal(p)
		}
	}
}
