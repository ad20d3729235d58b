// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/plan"
	"github.com/bobuhiro11/markdown-view/internal/release"
	"github.com/bobuhiro11/markdown-view/internal/render"
)

// keepFinalizer sets the finalizer while deletion needs something that owner references cannot do,
// and removes it when that ends.
func (r *Reconciler) keepFinalizer(ctx context.Context, view *viewv1.MarkdownView) error {
	needed := r.Engine.Chart.HasHooks() || keepsSite(view)
	if needed == controllerutil.ContainsFinalizer(view, viewv1.Finalizer) {
		return nil
	}
	return r.setFinalizer(ctx, view, needed)
}

func keepsSite(view *viewv1.MarkdownView) bool {
	return view.Annotations[viewv1.AnnotationDeletionPolicy] == viewv1.DeletionPolicyKeep
}

// setFinalizer patches the finalizers, if the object is still as it was read.
func (r *Reconciler) setFinalizer(ctx context.Context, view *viewv1.MarkdownView, present bool) error {
	finalizers := slices.DeleteFunc(slices.Clone(view.Finalizers), func(f string) bool { return f == viewv1.Finalizer })
	if present {
		finalizers = append(finalizers, viewv1.Finalizer)
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"uid": view.UID, "resourceVersion": view.ResourceVersion, "finalizers": finalizers,
	}})
	if err != nil {
		return fmt.Errorf("finalizer of %s/%s: %w", view.Namespace, view.Name, err)
	}
	target := &viewv1.MarkdownView{}
	target.Namespace, target.Name = view.Namespace, view.Name
	if err := r.Client.Patch(ctx, target, client.RawPatch(types.MergePatchType, patch)); err != nil {
		return fmt.Errorf("finalizer of %s/%s: %w", view.Namespace, view.Name, err)
	}
	view.Finalizers, view.ResourceVersion = target.Finalizers, target.ResourceVersion
	return nil
}

// deletionRecheck is when to look again for objects that are on their way out.
const deletionRecheck = 2 * time.Second

// finalize does what deletion needs beyond owner references. Without our finalizer that is nothing:
// the garbage collector removes the release, whether the operator runs or not.
func (r *Reconciler) finalize(ctx context.Context, p *pass) (ctrl.Result, error) {
	if !controllerutil.ContainsFinalizer(p.view, viewv1.Finalizer) {
		return ctrl.Result{}, nil
	}
	if p.seen.Lagging {
		// What was written last must be seen before the last word is spoken.
		return ctrl.Result{RequeueAfter: lagRecheck}, nil
	}
	r.value(p)
	request := release.Request{
		Owner: p.owner, Records: p.seen.Records, Values: p.values,
		Input: plan.Input{Record: p.seen.Record, Live: p.seen.Objects},
	}
	done := true
	var err error
	if keepsSite(p.view) {
		err = r.Engine.Orphan(ctx, request)
	} else {
		done, err = r.Engine.Uninstall(ctx, request)
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	if !done {
		if err := r.reportHeld(ctx, p); err != nil {
			return ctrl.Result{}, err
		}
		// Events bring the next look sooner, unless watches.yaml turns them off.
		return ctrl.Result{RequeueAfter: deletionRecheck}, nil
	}
	return ctrl.Result{}, client.IgnoreNotFound(r.setFinalizer(ctx, p.view, false))
}

// reportHeld tells what a deletion waits for, once all that is left was deleted before and still is there:
// a finalizer of somebody else holds it.
func (r *Reconciler) reportHeld(ctx context.Context, p *pass) error {
	var held []string
	for _, object := range p.seen.Objects {
		switch {
		case object.Relation != render.Ours:
		case !object.Deleting:
			return nil
		default:
			held = append(held, object.Ref.String())
		}
	}
	if len(held) == 0 {
		return nil
	}
	message := fmt.Sprintf("Deleted, but still there: %s. A finalizer of another program holds it; "+
		"kubectl get KIND NAME -o jsonpath='{.metadata.finalizers}' tells whose.", strings.Join(held, ", "))
	return r.report(ctx, p.view, r.statusOf(p, r.recorded(p, false, viewv1.ReasonDeleting, message)))
}
