// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package release

import (
	"context"
	"fmt"
	"maps"
	"sync"

	"github.com/go-logr/logr"
	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/storage"
	"k8s.io/apimachinery/pkg/types"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/live"
	"github.com/bobuhiro11/markdown-view/internal/plan"
	"github.com/bobuhiro11/markdown-view/internal/render"
)

// Engine carries plans out for one chart. It is safe for concurrent use by workers of different owners.
type Engine struct {
	// Client talks to the API server directly, not to a cache.
	Client client.Client
	// Records is where Helm records are kept: a typed client, or SecretRecords.
	Records corev1client.ConfigMapsGetter
	// Written is told of every write.
	Written *live.Written
	Chart   *render.Chart
	// Capabilities of the API server, read once a process; Helm's own discovery never runs.
	Capabilities *chartutil.Capabilities
	// MaxHistory is the number of records kept a release, at least 1.
	MaxHistory int
}

// Request is one plan to carry out.
type Request struct {
	Owner  render.Owner
	Values map[string]any
	Input  plan.Input
	Plan   plan.Plan
	// Records of the release, as observed.
	Records []live.RecordRef
	// RecordSum of the newest record as this operator wrote it, from where only it can write; empty if unknown.
	RecordSum string
}

// Result tells what was done.
type Result struct {
	// Revision of the record, unchanged by a repair.
	Revision int
	// RecordSum of the record that was written; empty where none was.
	RecordSum string
	// Written and Deleted objects, in no particular order.
	Written, Deleted []plan.Ref
}

// Run carries a plan out. When it returns nil the release is as wanted and recorded. Errors are
// *ForeignError, *WaitError, *RecordTooLargeError, *RenderError, or the API server's own, wrapped.
func (e *Engine) Run(ctx context.Context, request Request) (Result, error) {
	r := e.newRun(ctx, request)
	var err error
	switch request.Plan.Action {
	case plan.None:
	case plan.Install:
		err = r.install()
	case plan.Upgrade:
		err = r.upgrade()
	case plan.Repair:
		err = r.repair()
	default:
		err = fmt.Errorf("no such action: %s", request.Plan.Action)
	}
	return r.result, err
}

// rendering returns the request's render.Request.
func (e *Engine) rendering(request Request) render.Request {
	return render.Request{Chart: e.Chart, Values: request.Values, Owner: request.Owner, Capabilities: e.Capabilities}
}

// Digest names what a release of these values would render.
func (e *Engine) Digest(owner render.Owner, values map[string]any) (string, error) {
	return render.Digest(render.Request{Chart: e.Chart, Values: values, Owner: owner, Capabilities: e.Capabilities})
}

// Vouches tells whether the newest record speaks of exactly what the values render: then it is the operator's own
// work, or as good. It makes no API request.
func (e *Engine) Vouches(request Request) bool {
	objects, err := render.Objects(e.rendering(request))
	if err != nil || len(objects) != len(request.Input.Record.Objects) {
		return false
	}
	for _, object := range objects {
		if request.Input.Record.Objects[refOf(object)].Desired != render.ObjectDigest(object) {
			return false
		}
	}
	return true
}

// run is one plan being carried out. Helm's interfaces take no context, so it is kept here for as
// long as the action runs, and no longer.
type run struct {
	engine  *Engine
	ctx     context.Context //nolint:containedctx // Helm's kube.Interface and storage.Driver take none.
	request Request
	store   *store

	mu      sync.Mutex
	applied map[plan.Ref]plan.Applied
	result  Result
}

func (e *Engine) newRun(ctx context.Context, request Request) *run {
	r := &run{engine: e, ctx: ctx, request: request, applied: map[plan.Ref]plan.Applied{}}
	if request.Input.Record != nil {
		r.result.Revision = request.Input.Record.Revision
	}
	r.store = newStore(r)
	return r
}

func (r *run) key() types.NamespacedName {
	return types.NamespacedName{Namespace: r.request.Owner.Namespace, Name: r.request.Owner.Name}
}

// configuration returns Helm's configuration for one action.
func (r *run) configuration() *action.Configuration {
	log := logr.FromContextOrDiscard(r.ctx).V(2)
	return &action.Configuration{
		Releases:     storage.Init(r.store),
		KubeClient:   &kubeClient{run: r},
		Capabilities: r.engine.Capabilities,
		Log:          func(format string, args ...any) { log.Info(fmt.Sprintf(format, args...)) },
	}
}

// values returns a copy that Helm may write into.
func (r *run) values() map[string]any { return maps.Clone(r.request.Values) }

// recordLabels are put on every record, so that the cache and a person can select them.
func (r *run) recordLabels() map[string]string {
	return map[string]string{
		viewv1.LabelInstance: r.request.Owner.Name, viewv1.LabelCreatedBy: viewv1.NameController,
	}
}
