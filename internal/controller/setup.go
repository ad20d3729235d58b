// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"time"

	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/live"
)

// Backoff of a failing object.
const (
	firstRetry = 200 * time.Millisecond
	lastRetry  = 2 * time.Minute
)

// Setup are the settings of the queue and the watches.
type Setup struct {
	// Workers is the number of MarkdownViews that are reconciled at once.
	Workers int
	// Dependents tells whether children are watched.
	Dependents bool
}

// SetupWithManager adds the reconciler to a manager: MarkdownViews, and everything that belongs to
// one, by its instance label. Status writes of our own wake nobody.
func (r *Reconciler) SetupWithManager(ctx context.Context, mgr ctrl.Manager, setup Setup) error {
	if err := r.Live.SetupIndexes(ctx, mgr.GetFieldIndexer()); err != nil {
		return err
	}
	specOrMeta := predicate.Or(predicate.GenerationChangedPredicate{}, predicate.AnnotationChangedPredicate{}, predicate.LabelChangedPredicate{})
	b := ctrl.NewControllerManagedBy(mgr).
		Named("markdownview").
		For(&viewv1.MarkdownView{}, builder.WithPredicates(specOrMeta)).
		WithOptions(controller.Options{
			MaxConcurrentReconciles: setup.Workers,
			RateLimiter:             workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](firstRetry, lastRetry),
		})
	if setup.Dependents {
		for _, kind := range live.Kinds(r.Live.SecretRecords) {
			b = b.Watches(kind, handler.EnqueueRequestsFromMapFunc(instance))
		}
	}
	if err := b.Complete(r); err != nil {
		return fmt.Errorf("controller markdownview: %w", err)
	}
	return nil
}

// instance names the MarkdownView that a child belongs to. The label is used rather than the owner
// reference, because an object that lost its owner reference must be put right too.
func instance(_ context.Context, object client.Object) []reconcile.Request {
	name := object.GetLabels()[viewv1.LabelInstance]
	if name == "" {
		return nil
	}
	return []reconcile.Request{{NamespacedName: client.ObjectKey{Namespace: object.GetNamespace(), Name: name}}}
}
