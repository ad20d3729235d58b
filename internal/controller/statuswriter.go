// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// statusWriter patches statuses, and remembers the last one until the cache shows it: a pass on a
// stale copy would write the same status, and tell the same event, twice.
type statusWriter struct {
	client client.Client
	mu     sync.Mutex
	last   map[types.NamespacedName]writtenStatus
}

type writtenStatus struct {
	uid             types.UID
	resourceVersion string
	status          viewv1.MarkdownViewStatus
}

func newStatusWriter(c client.Client) *statusWriter {
	return &statusWriter{client: c, last: map[types.NamespacedName]writtenStatus{}}
}

// restore puts the last written status into a cached copy that does not have it yet.
func (w *statusWriter) restore(view *viewv1.MarkdownView) {
	key := client.ObjectKeyFromObject(view)
	w.mu.Lock()
	defer w.mu.Unlock()
	last, ok := w.last[key]
	if !ok {
		return
	}
	order, err := resourceversion.CompareResourceVersion(view.ResourceVersion, last.resourceVersion)
	if view.UID != last.uid || err != nil || order >= 0 {
		delete(w.last, key)
		return
	}
	last.status.DeepCopyInto(&view.Status)
	view.ResourceVersion = last.resourceVersion
}

// write patches the status if it differs from the view's, and tells whether it did. The patch is for
// the object as it was read: a status that was worked out from an older spec, by a process that lost
// its lease or for an object that has been created anew since, must not replace a newer one, because
// nothing would put it right.
func (w *statusWriter) write(ctx context.Context, view *viewv1.MarkdownView, now viewv1.MarkdownViewStatus) (bool, error) {
	if equality.Semantic.DeepEqual(view.Status, now) {
		return false, nil
	}
	base, target := &viewv1.MarkdownView{}, &viewv1.MarkdownView{}
	for _, object := range []*viewv1.MarkdownView{base, target} {
		object.Namespace, object.Name = view.Namespace, view.Name
	}
	base.ResourceVersion = view.ResourceVersion
	base.Status, target.Status = view.Status, now
	patch, err := client.MergeFromWithOptions(base, client.MergeFromWithOptimisticLock{}).Data(target)
	if err != nil {
		return false, fmt.Errorf("status of %s/%s: %w", view.Namespace, view.Name, err)
	}
	// The answer is asked for as metadata: the text of the book, which the whole object would bring back,
	// is of no use here.
	answer := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: view.Namespace, Name: view.Name}}
	answer.SetGroupVersionKind(viewv1.GroupVersion.WithKind("MarkdownView"))
	if err := w.client.Status().Patch(ctx, answer, client.RawPatch(types.MergePatchType, patch)); err != nil {
		return false, client.IgnoreNotFound(fmt.Errorf("status of %s/%s: %w", view.Namespace, view.Name, err))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last[client.ObjectKeyFromObject(view)] = writtenStatus{uid: view.UID, resourceVersion: answer.ResourceVersion, status: now}
	return true, nil
}

func (w *statusWriter) forget(key types.NamespacedName) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.last, key)
}
