// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/events"
	testingclock "k8s.io/utils/clock/testing"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	markdownview "github.com/bobuhiro11/markdown-view"
	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/live"
	"github.com/bobuhiro11/markdown-view/internal/plan"
	"github.com/bobuhiro11/markdown-view/internal/release"
	"github.com/bobuhiro11/markdown-view/internal/render"
	"github.com/bobuhiro11/markdown-view/internal/values"
)

func testChart(tb testing.TB) *render.Chart {
	tb.Helper()
	chart, err := render.LoadChart(markdownview.Files, "helm-charts/markdownview")
	if err != nil {
		tb.Fatal(err)
	}
	return chart
}

// settled is a cache as it is when a MarkdownView is released and served, and a client that has
// nothing but this cache: any other call, a write above all, fails the test.
type settled struct {
	client.Client
	view    *viewv1.MarkdownView
	objects map[string][]runtime.Object
}

func (s *settled) Get(_ context.Context, _ client.ObjectKey, object client.Object, _ ...client.GetOption) error {
	view, ok := object.(*viewv1.MarkdownView)
	if !ok || s.view == nil {
		return apierrors.NewNotFound(schema.GroupResource{Resource: "markdownviews"}, "book")
	}
	s.view.DeepCopyInto(view)
	return nil
}

func (s *settled) List(_ context.Context, list client.ObjectList, _ ...client.ListOption) error {
	return meta.SetList(list, s.objects[fmt.Sprintf("%T", list)])
}

// newSettled returns the cache and a reconciler over it, after the pass that writes the first status.
func newSettled(tb testing.TB, pages int) (*settled, *Reconciler) {
	tb.Helper()
	view := &viewv1.MarkdownView{ObjectMeta: metav1.ObjectMeta{Namespace: "docs", Name: "book", UID: "u1", Generation: 1, ResourceVersion: "5"}}
	view.Spec.Markdowns = map[string]string{"SUMMARY.md": ""}
	for i := range pages {
		view.Spec.Markdowns[fmt.Sprintf("%02d.md", i)] = strings.Repeat("Ten pages of one KiB each. ", 38)
	}
	cache := &settled{view: view, objects: map[string][]runtime.Object{}}
	capabilities, err := render.Capabilities("v1.37.2")
	if err != nil {
		tb.Fatal(err)
	}
	written := live.NewWritten(testingclock.NewFakeClock(time.Unix(0, 0)))
	r := New(Options{
		Client: cache, Live: &live.Reader{Cache: cache, Written: written},
		Engine:   &release.Engine{Chart: testChart(tb), Capabilities: capabilities, Written: written, MaxHistory: 3},
		Recorder: events.NewFakeRecorder(10), Clock: testingclock.NewFakeClock(time.Unix(0, 0)),
		Images: values.Images{Viewer: "viewer:test", Server: "server:test"},
	})
	chartValues, content := values.For(view, r.Images, nil)
	request := render.Request{Chart: r.Engine.Chart, Values: chartValues, Owner: render.OwnerOf(view), Capabilities: capabilities}
	cache.store(tb, request, content)
	cache.settleStatus(tb, r)
	return cache, r
}

// store fills the cache with the rendered objects and their record, as they are after a release.
func (s *settled) store(tb testing.TB, request render.Request, content string) {
	tb.Helper()
	objects, err := render.Objects(request)
	if err != nil {
		tb.Fatal(err)
	}
	applied := map[plan.Ref]plan.Applied{}
	for _, object := range objects {
		typed := live.Typed(object.GetKind())
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, typed); err != nil {
			tb.Fatal(err)
		}
		if d, ok := typed.(*appsv1.Deployment); ok {
			d.Status = appsv1.DeploymentStatus{Replicas: 1, UpdatedReplicas: 1, AvailableReplicas: 1}
		}
		stripped := s.put(tb, typed)
		ref := plan.Ref{Kind: object.GetKind(), Name: object.GetName()}
		applied[ref] = live.AppliedOf(plan.Wanted{Ref: ref, Digest: render.ObjectDigest(object)}, stripped)
	}
	digest, err := render.Digest(request)
	if err != nil {
		tb.Fatal(err)
	}
	annotations, err := live.RecordAnnotations(digest, applied, "payload")
	if err != nil {
		tb.Fatal(err)
	}
	s.put(tb, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "docs", Name: "sh.helm.release.v1.book.v1", Annotations: annotations,
			Labels:          map[string]string{"owner": "helm", "name": "book", "status": "deployed", "version": "1"},
			OwnerReferences: []metav1.OwnerReference{request.Owner.Reference()},
		},
		Data: map[string]string{"release": "payload"},
	})
	s.put(tb, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "docs", Name: "viewer-book-1", Labels: map[string]string{viewv1.LabelContent: content}}})
}

func (s *settled) put(tb testing.TB, object client.Object) client.Object {
	tb.Helper()
	stripped, err := live.Strip(object)
	if err != nil {
		tb.Fatal(err)
	}
	key := fmt.Sprintf("%TList", object)
	s.objects[key] = append(s.objects[key], stripped.(client.Object))
	return stripped.(client.Object)
}

// settleStatus runs the pass that writes the status, and keeps what it writes.
func (s *settled) settleStatus(tb testing.TB, r *Reconciler) {
	tb.Helper()
	r.statuses.client = keepingClient{s}
	if _, err := r.Reconcile(context.Background(), ctrl.Request{NamespacedName: client.ObjectKeyFromObject(s.view)}); err != nil {
		tb.Fatal(err)
	}
	if s.view.Status.Phase != viewv1.PhaseHealthy {
		tb.Fatalf("the release of the test is not settled: %+v", s.view.Status)
	}
	r.statuses.client = s
	r.statuses.forget(client.ObjectKeyFromObject(s.view))
	r.Recorder = events.NewFakeRecorder(10)
}

// keepingClient takes status writes into the cache.
type keepingClient struct{ *settled }

func (k keepingClient) Status() client.SubResourceWriter { return statusKeeper{view: k.view} }

type statusKeeper struct {
	client.SubResourceWriter
	view *viewv1.MarkdownView
}

func (k statusKeeper) Patch(_ context.Context, o client.Object, patch client.Patch, _ ...client.SubResourcePatchOption) error {
	data, err := patch.Data(o)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, k.view)
}

// TestSettledPassIsSilent: the second look at a settled object asks nothing, writes nothing, tells
// nothing. The client of the test has no other method than the two reads of a cache.
func TestSettledPassIsSilent(t *testing.T) {
	cache, r := newSettled(t, 10)
	before := cache.view.DeepCopy()
	result, err := r.Reconcile(t.Context(), ctrl.Request{NamespacedName: client.ObjectKeyFromObject(cache.view)})
	if err != nil || result != (ctrl.Result{}) {
		t.Errorf("result %+v, %v; want neither a timer nor an error", result, err)
	}
	if diff := cmp.Diff(before, cache.view); diff != "" {
		t.Errorf("the cached object was written into:\n%s", diff)
	}
	select {
	case event := <-r.Recorder.(*events.FakeRecorder).Events:
		t.Errorf("event %q", event)
	default:
	}
}

// TestForget: what is gone leaves nothing in memory.
func TestForget(t *testing.T) {
	cache, r := newSettled(t, 1)
	key := client.ObjectKeyFromObject(cache.view)
	r.drift.wait(key)
	r.statuses.last[key] = writtenStatus{}
	cache.view = nil
	if _, err := r.Reconcile(t.Context(), ctrl.Request{NamespacedName: key}); err != nil {
		t.Fatal(err)
	}
	if len(r.drift.limits)+len(r.statuses.last) != 0 {
		t.Errorf("%d limits and %d statuses are left", len(r.drift.limits), len(r.statuses.last))
	}
}

// BenchmarkSettledPass is what an event costs that changes nothing, with a book of 10 KiB.
func BenchmarkSettledPass(b *testing.B) {
	cache, r := newSettled(b, 10)
	request := ctrl.Request{NamespacedName: client.ObjectKeyFromObject(cache.view)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Reconcile(b.Context(), request); err != nil {
			b.Fatal(err)
		}
	}
}
