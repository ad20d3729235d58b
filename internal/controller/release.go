// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/book"
	"github.com/bobuhiro11/markdown-view/internal/health"
	"github.com/bobuhiro11/markdown-view/internal/metrics"
	"github.com/bobuhiro11/markdown-view/internal/plan"
	"github.com/bobuhiro11/markdown-view/internal/release"
	"github.com/bobuhiro11/markdown-view/internal/status"
	"github.com/bobuhiro11/markdown-view/internal/values"
)

// outcome is what came of a plan: what the status says of it, and when to try again.
type outcome struct {
	release status.Release
	// err makes the queue try again with backoff; after makes it look again later without one.
	err   error
	after time.Duration
	// untouched tells that nothing was written.
	untouched bool
}

// gather collects what a decision rests on.
func (r *Reconciler) gather(p *pass) error {
	want, ok := r.wanted.of(p.view)
	if !ok {
		r.value(p)
		digest, err := r.Engine.Digest(p.owner, p.values)
		if err != nil {
			return err
		}
		want = r.wanted.put(p.view, digest, p.content)
	}
	p.content = want.content
	p.input = plan.Input{
		Digest: want.digest, Record: p.seen.Record, Live: p.seen.Objects, DisownedRecords: p.seen.Disowned(),
	}
	var served string
	if content := p.view.Status.Content; content != nil {
		served = content.Served
	}
	p.input.NeededContent = plan.NeededContent(p.input, p.seen.Pods, served, health.RolledOut(p.seen.Deployment))
	return nil
}

// value works the chart's values out, unless that was done before in this pass.
func (r *Reconciler) value(p *pass) {
	if p.values == nil {
		p.values, p.content = values.For(p.view, r.Images, r.Overrides)
	}
}

// release carries a decision out, unless something forbids it.
func (r *Reconciler) release(ctx context.Context, p *pass, decision plan.Plan) outcome {
	switch {
	case decision.Action == plan.None && r.vouched(p):
		return outcome{release: r.recorded(p, true, viewv1.ReasonApplied, appliedMessage(p.seen.Record.Revision))}
	case decision.Action == plan.None:
		return r.release(ctx, p, plan.Plan{Action: plan.Upgrade, Reason: viewv1.PlanRecordChanged})
	case p.view.Annotations[viewv1.AnnotationPaused] == "true":
		// A release that only needs a repair is this generation's all the same.
		applied := decision.Action == plan.Repair
		return outcome{release: r.recorded(p, applied, viewv1.ReasonPaused, "Paused by annotation "+viewv1.AnnotationPaused+"; changes wait.")}
	case decision.Action != plan.Repair:
		if findings := book.Check(p.view.Spec.Markdowns, p.view.Spec.AssetBytes()); len(findings) > 0 {
			refused := r.recorded(p, false, viewv1.ReasonInvalidBook, bookMessage(findings))
			refused.Stalled = true
			return r.keepLastGood(ctx, p, outcome{release: refused})
		}
		return r.upgrade(ctx, p, decision)
	default:
		return r.repair(ctx, p, decision)
	}
}

// vouched tells whether the newest record is the operator's own, and notes its sum: as the status has it, or,
// where the process before this one ended between record and status, by what the values render.
func (r *Reconciler) vouched(p *pass) bool {
	if p.recordSum == p.seen.Record.Sum {
		return true
	}
	r.value(p)
	if !r.Engine.Vouches(release.Request{Owner: p.owner, Values: p.values, Input: p.input}) {
		return false
	}
	p.recordSum = p.seen.Record.Sum
	return true
}

// upgrade carries an install or an upgrade out. If this generation was released before, somebody else
// undid it (two operators of different versions, a hand on the records), and that is answered no more
// often than any other drift.
func (r *Reconciler) upgrade(ctx context.Context, p *pass, decision plan.Plan) outcome {
	if releasedBefore(p.view) {
		if wait := r.drift.wait(client.ObjectKeyFromObject(p.view)); wait > 0 {
			return r.throttled(p, "The release's record", wait)
		}
	}
	out := r.run(ctx, p, decision)
	if out.release.Stalled && out.untouched {
		return r.keepLastGood(ctx, p, out)
	}
	return out
}

func releasedBefore(view *viewv1.MarkdownView) bool {
	released := meta.FindStatusCondition(view.Status.Conditions, viewv1.ConditionReleased)
	return released != nil && released.Status == metav1.ConditionTrue && released.ObservedGeneration == view.Generation
}

// repair carries a repair out, unless what somebody else did to the same release was put right too often of
// late. Waiting for an object to go is no repair, and deleting what a rollout left behind answers nobody.
func (r *Reconciler) repair(ctx context.Context, p *pass, decision plan.Plan) outcome {
	if what := undone(p, decision); what != "" {
		if wait := r.drift.wait(client.ObjectKeyFromObject(p.view)); wait > 0 {
			return r.throttled(p, what, wait)
		}
	}
	return r.run(ctx, p, decision)
}

// undone names the first thing that somebody else did and that a repair puts right, or is "".
func undone(p *pass, decision plan.Plan) string {
	if i := slices.IndexFunc(decision.Wrong, func(ref plan.Ref) bool { return !deleting(p.seen.Objects, ref) }); i >= 0 {
		return decision.Wrong[i].String()
	}
	for _, content := range decision.DisownedContent {
		return content.Ref.String()
	}
	for _, record := range decision.DisownedRecords {
		return "Record " + record
	}
	return ""
}

func deleting(objects []plan.Live, ref plan.Ref) bool {
	return slices.ContainsFunc(objects, func(object plan.Live) bool { return object.Ref == ref && object.Deleting })
}

// keepLastGood takes the outcome of a spec that only its author can mend, and meanwhile puts right what
// of the recorded release was changed: a broken edit is no reason to let the served book go.
func (r *Reconciler) keepLastGood(ctx context.Context, p *pass, refused outcome) outcome {
	if p.seen.Record == nil {
		return refused
	}
	kept := p.input
	kept.Digest = p.seen.Record.Digest
	decision := plan.Decide(kept)
	if decision.Action != plan.Repair {
		return refused
	}
	out := r.repair(ctx, p, decision)
	out.release = refused.release
	if out.after == 0 {
		out.after = refused.after
	}
	return out
}

func (r *Reconciler) run(ctx context.Context, p *pass, decision plan.Plan) outcome {
	if r.InFlight != nil {
		r.InFlight(1)
		defer r.InFlight(-1)
	}
	r.value(p)
	result, err := r.Engine.Run(ctx, release.Request{
		Owner: p.owner, Values: p.values, Input: p.input, Plan: decision, Records: p.seen.Records, RecordSum: p.recordSum,
	})
	if result.RecordSum != "" {
		p.recordSum = result.RecordSum
	}
	metrics.Released(string(decision.Action), decision.Reason, err)
	logf.FromContext(ctx).Info("released", "action", decision.Action, "reason", decision.Reason,
		"revision", result.Revision, "written", len(result.Written), "deleted", len(result.Deleted), "failed", err != nil)
	if err != nil {
		out := r.classify(p, err)
		out.untouched = len(result.Written)+len(result.Deleted) == 0
		return out
	}
	done := r.recorded(p, true, viewv1.ReasonApplied, appliedMessage(result.Revision))
	done.Revision, done.Digest = result.Revision, p.input.Digest
	return outcome{release: done}
}

// throttled puts a repair off: something changes the object again and again.
func (r *Reconciler) throttled(p *pass, what string, wait time.Duration) outcome {
	message := fmt.Sprintf("%s is changed by somebody else again and again; it is put right again in %s. "+
		"Who it is shows in the managedFields: kubectl get --show-managed-fields -o yaml", what, wait.Round(time.Second))
	if r.drift.report(client.ObjectKeyFromObject(p.view)) {
		r.Recorder.Eventf(p.view, nil, corev1.EventTypeWarning, viewv1.EventDriftThrottled, "Repair", "%s", message)
	}
	return outcome{
		release: r.lastRelease(p),
		after:   wait,
	}
}

// lastRelease returns the standing of a release that this generation has had, whatever its record says.
func (r *Reconciler) lastRelease(p *pass) status.Release {
	if p.seen.Record == nil {
		return r.recorded(p, false, viewv1.ReasonApplying, "The release's record is gone.")
	}
	return r.recorded(p, true, viewv1.ReasonApplied, appliedMessage(p.seen.Record.Revision))
}

// recorded returns the release's standing with what its record says.
func (r *Reconciler) recorded(p *pass, done bool, reason, message string) status.Release {
	out := status.Release{
		Done: done, Reason: reason, Message: message,
		Name: p.owner.ReleaseName(), ChartVersion: r.Engine.Chart.Version(), RecordSum: p.recordSum,
	}
	if record := p.seen.Record; record != nil {
		out.Revision, out.Digest = record.Revision, record.Digest
	}
	return out
}

func appliedMessage(revision int) string {
	return fmt.Sprintf("Release revision %d is applied.", revision)
}

// bookMessage words findings for a condition: the first few, and how many more there are.
func bookMessage(findings []book.Finding) string {
	const shown = 5
	var lines []string
	for i, finding := range findings {
		if i == shown {
			lines = append(lines, fmt.Sprintf("and %d more", len(findings)-shown))
			break
		}
		lines = append(lines, finding.String())
	}
	return strings.Join(lines, "\n")
}
