// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

func testScheme(tb testing.TB) *runtime.Scheme {
	tb.Helper()
	scheme := runtime.NewScheme()
	if err := viewv1.AddToScheme(scheme); err != nil {
		tb.Fatal(err)
	}
	return scheme
}

// statusClient is a fake API server with one MarkdownView; patches collects the bodies of status writes.
func statusClient(t *testing.T, fail error) (c client.Client, patches *[]string) {
	t.Helper()
	patches = &[]string{}
	view := &viewv1.MarkdownView{}
	view.Namespace, view.Name, view.UID = "docs", "book", "u1"
	return fake.NewClientBuilder().WithScheme(testScheme(t)).WithObjects(view).WithStatusSubresource(view).
		WithInterceptorFuncs(interceptor.Funcs{
			SubResourcePatch: func(ctx context.Context, c client.Client, sub string, o client.Object, p client.Patch, opts ...client.SubResourcePatchOption) error {
				data, err := p.Data(o)
				if err != nil {
					return err
				}
				*patches = append(*patches, sub+" "+string(data))
				if fail != nil {
					return fail
				}
				return c.SubResource(sub).Patch(ctx, o, p, opts...)
			},
		}).Build(), patches
}

func read(t *testing.T, c client.Client) *viewv1.MarkdownView {
	t.Helper()
	view := &viewv1.MarkdownView{}
	if err := c.Get(t.Context(), client.ObjectKey{Namespace: "docs", Name: "book"}, view); err != nil {
		t.Fatal(err)
	}
	return view
}

func TestStatusIsWrittenOnce(t *testing.T) {
	c, patches := statusClient(t, nil)
	writer := newStatusWriter(c)
	stale := read(t, c)
	now := viewv1.MarkdownViewStatus{Phase: viewv1.PhaseHealthy, Replicas: 3}

	if changed, err := writer.write(t.Context(), stale.DeepCopy(), now); !changed || err != nil {
		t.Fatalf("a new status: changed %v, %v", changed, err)
	}
	if diff := cmp.Diff([]string{`status {"metadata":{"resourceVersion":"` + stale.ResourceVersion + `"},"status":{"phase":"Healthy","replicas":3}}`}, *patches); diff != "" {
		t.Errorf("one merge patch of what changed, for the object as it was read (-want +got):\n%s", diff)
	}

	// The next pass reads a copy from before the write: it must neither write nor tell it again.
	again := stale.DeepCopy()
	writer.restore(again)
	if diff := cmp.Diff(now, again.Status); diff != "" {
		t.Errorf("the stale copy after restore (-want +got):\n%s", diff)
	}
	if changed, err := writer.write(t.Context(), again, now); changed || err != nil {
		t.Errorf("the same status again: changed %v, %v", changed, err)
	}

	// Once the cache shows the write, or somebody's later one, the cache is the truth.
	fresh := read(t, c)
	fresh.Status.Phase = viewv1.PhaseNotReady
	writer.restore(fresh)
	if fresh.Status.Phase != viewv1.PhaseNotReady || len(writer.last) != 0 {
		t.Errorf("a fresh copy is overwritten by memory: %+v", fresh.Status)
	}
	if len(*patches) != 1 {
		t.Errorf("%d writes, want 1: %v", len(*patches), *patches)
	}
}

func TestStatusOfAnotherObjectIsNotRestored(t *testing.T) {
	c, _ := statusClient(t, nil)
	writer := newStatusWriter(c)
	view := read(t, c)
	if _, err := writer.write(t.Context(), view.DeepCopy(), viewv1.MarkdownViewStatus{Phase: viewv1.PhaseHealthy}); err != nil {
		t.Fatal(err)
	}
	// Deleted and made anew under the same name: an old status would claim that it serves already.
	view.UID, view.ResourceVersion = "u2", "0"
	writer.restore(view)
	if view.Status.Phase != "" {
		t.Errorf("the new object has the old one's phase %s", view.Status.Phase)
	}
}

func TestStatusErrors(t *testing.T) {
	failure := errors.New("etcd is gone")
	c, _ := statusClient(t, failure)
	writer := newStatusWriter(c)
	view := read(t, c)
	now := viewv1.MarkdownViewStatus{Phase: viewv1.PhaseHealthy}
	if changed, err := writer.write(t.Context(), view, now); changed || !errors.Is(err, failure) {
		t.Errorf("a failed write: changed %v, %v", changed, err)
	}
	writer.restore(view)
	if view.Status.Phase != "" {
		t.Error("a status that was not written is remembered as written")
	}
	gone, _ := statusClient(t, nil)
	view.Name = "gone"
	if changed, err := newStatusWriter(gone).write(t.Context(), view, now); changed || err != nil {
		t.Errorf("a status of an object that is gone: changed %v, %v", changed, err)
	}
}
