// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/health"
	"github.com/bobuhiro11/markdown-view/internal/live"
	"github.com/bobuhiro11/markdown-view/internal/plan"
	"github.com/bobuhiro11/markdown-view/internal/release"
	"github.com/bobuhiro11/markdown-view/internal/render"
	"github.com/bobuhiro11/markdown-view/internal/status"
	"github.com/bobuhiro11/markdown-view/internal/values"
)

// Options are what a Reconciler is made of.
type Options struct {
	// Client reads MarkdownViews from the cache and patches them and their status.
	Client   client.Client
	Live     *live.Reader
	Engine   *release.Engine
	Recorder events.EventRecorder
	Clock    clock.PassiveClock
	// Images are the defaults of the viewer pod's images.
	Images values.Images
	// Overrides are watches.yaml's overrideValues, nested.
	Overrides map[string]any
	// Period between two looks without an event; 0 is none.
	Period time.Duration
	// InFlight is told when a release starts and ends changing; nil is fine.
	InFlight func(delta int)
	// AtWork is told of every pass; nil is fine.
	AtWork func()
}

// Reconciler makes one MarkdownView's release and status what its spec asks for.
type Reconciler struct {
	Options
	statuses *statusWriter
	drift    *driftLimit
	wanted   *wantedMemory
}

// New returns a Reconciler.
func New(options Options) *Reconciler {
	if options.AtWork == nil {
		options.AtWork = func() {}
	}
	return &Reconciler{
		Options: options, statuses: newStatusWriter(options.Client), drift: newDriftLimit(options.Clock), wanted: newWantedMemory(),
	}
}

// pass is one reconcile of one MarkdownView: what was read, and what came of it.
type pass struct {
	view  *viewv1.MarkdownView
	owner render.Owner
	seen  live.Observation
	// values are nil until something needs them; content is the hash of their text.
	values  map[string]any
	content string
	input   plan.Input
	// recordSum of the newest record that is known to be the operator's own.
	recordSum string
}

// Reconcile is the whole flow. A pass over a settled object makes no API request and emits no event.
func (r *Reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	r.AtWork()
	view := &viewv1.MarkdownView{}
	if err := r.Client.Get(ctx, request.NamespacedName, view); err != nil {
		r.forget(request.NamespacedName)
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	r.statuses.restore(view)
	p := &pass{view: view, owner: render.OwnerOf(view)}
	if view.Status.Release != nil {
		p.recordSum = view.Status.Release.RecordSum
	}
	var err error
	if p.seen, err = r.Live.Observe(ctx, p.owner); err != nil {
		return ctrl.Result{}, err
	}
	if !view.DeletionTimestamp.IsZero() {
		return r.finalize(ctx, p)
	}
	if err := r.keepFinalizer(ctx, view); err != nil {
		return ctrl.Result{}, err
	}

	if err := r.gather(p); err != nil {
		return ctrl.Result{}, err
	}
	decision := plan.Decide(p.input)
	released := r.release(ctx, p, decision)
	if decision.Action != plan.None {
		if p.seen, err = r.Live.Observe(ctx, p.owner); err != nil {
			return ctrl.Result{}, err
		}
	}
	if err := r.report(ctx, view, r.statusOf(p, released.release)); err != nil {
		return ctrl.Result{}, err
	}
	return r.next(p, released)
}

// statusOf puts together what the pass has found.
func (r *Reconciler) statusOf(p *pass, released status.Release) viewv1.MarkdownViewStatus {
	return status.Of(status.Facts{
		View: p.view, Now: metav1.NewTime(r.Clock.Now()), Content: p.content,
		Release: released, Health: health.Of(p.seen.Deployment, p.seen.Pods, p.content),
	})
}

// forget drops what is remembered of an object that is gone.
func (r *Reconciler) forget(key client.ObjectKey) {
	r.Live.Written.Forget(key)
	r.statuses.forget(key)
	r.drift.forget(key)
	r.wanted.forget(key)
}

// report writes the status if it changed, and tells of what in it is worth an event.
func (r *Reconciler) report(ctx context.Context, view *viewv1.MarkdownView, now viewv1.MarkdownViewStatus) error {
	changed, err := r.statuses.write(ctx, view, now)
	if err != nil || !changed {
		return err
	}
	for _, event := range status.Events(view, now) {
		r.Recorder.Eventf(view, nil, event.Type, event.Reason, event.Action, "%s", event.Message)
	}
	return nil
}

// lagRecheck is when to look again while the cache does not show all of this process's writes.
const lagRecheck = 12 * time.Second

// next says when to look again without an event.
func (r *Reconciler) next(p *pass, released outcome) (ctrl.Result, error) {
	result := ctrl.Result{RequeueAfter: r.Period}
	switch {
	case released.err != nil:
		return ctrl.Result{}, released.err
	case released.after > 0:
		result.RequeueAfter = released.after
	case p.seen.Lagging && (result.RequeueAfter == 0 || result.RequeueAfter > lagRecheck):
		result.RequeueAfter = lagRecheck
	}
	return result, nil
}
