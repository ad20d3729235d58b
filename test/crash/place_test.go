// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/operator"
)

// Names of the one MarkdownView of each place.
const (
	viewName   = "book"
	viewerName = "viewer-book"
)

// place is a namespace with one MarkdownView, and what a cluster does in it: envtest has no
// controllers, so the Deployment's rollout and the garbage collector are played here.
type place struct {
	*testing.T
	namespace string
	// textMayGo tells that the scenario itself deletes the text.
	textMayGo bool
	// rolledOut is the content that was rolled out last: readers depend on the text of its pods.
	rolledOut string
	// ignoreRevisions compares states without the records' numbers.
	ignoreRevisions bool
	// owned is the UID of the MarkdownView, also after it is gone.
	owned types.UID
}

func newPlace(t *testing.T) *place {
	t.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "crash-"}}
	if err := kube.Create(t.Context(), ns); err != nil {
		t.Fatal(err)
	}
	return &place{T: t, namespace: ns.Name}
}

func (p *place) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

func (p *place) key(name string) client.ObjectKey {
	return client.ObjectKey{Namespace: p.namespace, Name: name}
}

// view reads the MarkdownView, or returns nil where there is none.
func (p *place) view() *viewv1.MarkdownView {
	p.Helper()
	view := &viewv1.MarkdownView{}
	err := kube.Get(p.Context(), p.key(viewName), view)
	if apierrors.IsNotFound(err) {
		return nil
	}
	p.must(err)
	return view
}

// edit changes the MarkdownView, however often somebody else is faster.
func (p *place) edit(change func(*viewv1.MarkdownView)) {
	p.Helper()
	for {
		view := p.view()
		if view == nil {
			return
		}
		change(view)
		if err := kube.Update(p.Context(), view); err == nil || !apierrors.IsConflict(err) {
			p.must(err)
			return
		}
	}
}

// hand gives the MarkdownView to the operator of a shard.
func (p *place) hand(shard string) {
	p.Helper()
	p.edit(func(view *viewv1.MarkdownView) { view.Labels = map[string]string{labelShard: shard} })
}

func (p *place) create(text string, replicas int32, annotations map[string]string) {
	p.Helper()
	view := &viewv1.MarkdownView{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: p.namespace, Name: viewName, Annotations: annotations,
			Labels: map[string]string{labelShard: "nobody"},
		},
		Spec: viewv1.MarkdownViewSpec{Markdowns: book(text), Replicas: &replicas},
	}
	p.must(kube.Create(p.Context(), view))
	p.owned = view.UID
}

func book(text string) map[string]string {
	return map[string]string{"SUMMARY.md": "# Summary\n\n- [Home](README.md)\n", "README.md": text}
}

// live plays one moment of the cluster: a pod of the wanted content appears, then serves, then older
// pods go. It returns whether anything changed. A pod without its text fails the test: that text is lost.
func (p *place) live() bool {
	p.Helper()
	var deployment appsv1.Deployment
	if err := kube.Get(p.Context(), p.key(viewerName), &deployment); err != nil {
		p.must(client.IgnoreNotFound(err))
		return p.collect()
	}
	var pods corev1.PodList
	p.must(kube.List(p.Context(), &pods, client.InNamespace(p.namespace)))
	wanted := deployment.Spec.Template.Labels[viewv1.LabelContent]
	started := false
	for _, pod := range pods.Items {
		if content := pod.Labels[viewv1.LabelContent]; content == p.rolledOut {
			p.hasText(content)
		}
		started = started || pod.Labels[viewv1.LabelContent] == wanted
	}
	n := *deployment.Spec.Replicas
	status := appsv1.DeploymentStatus{
		ObservedGeneration: deployment.Generation, Replicas: n, UpdatedReplicas: n, ReadyReplicas: n, AvailableReplicas: n,
	}
	switch {
	case !started:
		p.startPod(deployment.Spec.Template.Labels, wanted)
		return true
	case !cmp.Equal(deployment.Status, status):
		deployment.Status = status
		err := kube.Status().Update(p.Context(), &deployment)
		if !apierrors.IsConflict(err) {
			p.must(client.IgnoreNotFound(err))
		}
		if err == nil {
			p.rolledOut = wanted
		}
		return true
	}
	changed := p.collect()
	for i := range pods.Items {
		if pods.Items[i].Labels[viewv1.LabelContent] != wanted {
			p.must(client.IgnoreNotFound(kube.Delete(p.Context(), &pods.Items[i], client.GracePeriodSeconds(0))))
			changed = true
		}
	}
	return changed
}

func (p *place) hasText(content string) {
	p.Helper()
	err := kube.Get(p.Context(), p.key("markdowns-"+viewName+"-"+content), &corev1.ConfigMap{})
	if !apierrors.IsNotFound(err) || p.textMayGo {
		return
	}
	if view := p.view(); view != nil && view.DeletionTimestamp.IsZero() {
		p.Errorf("%s: the text %s is lost while a pod needs it", p.namespace, content)
	}
}

func (p *place) startPod(labels map[string]string, content string) {
	p.Helper()
	err := kube.Create(p.Context(), &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: p.namespace, Name: "pod-" + content, Labels: labels},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "server", Image: "server:test"}}},
	})
	if !apierrors.IsAlreadyExists(err) {
		p.must(err)
	}
}

// collect plays the garbage collector: what the MarkdownView owned goes once it is gone.
func (p *place) collect() bool {
	p.Helper()
	if p.owned == "" || p.view() != nil {
		return false
	}
	objects, err := contents(p.Context(), p.namespace)
	p.must(err)
	changed := false
	for _, object := range objects {
		for _, ref := range object.GetOwnerReferences() {
			if ref.UID == p.owned {
				p.must(client.IgnoreNotFound(kube.Delete(p.Context(), object)))
				changed = true
			}
		}
		if _, isPod := object.(*corev1.Pod); isPod {
			var deployment appsv1.Deployment
			if apierrors.IsNotFound(kube.Get(p.Context(), p.key(viewerName), &deployment)) {
				p.must(client.IgnoreNotFound(kube.Delete(p.Context(), object, client.GracePeriodSeconds(0))))
				changed = true
			}
		}
	}
	return changed
}

const patience = 90 * time.Second

// served waits until the operator has said its last word about the book as it is.
func (p *place) served(w *wire) {
	p.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(80 * time.Millisecond) {
		if !p.live() && p.healthy() && w.quietFor(p.namespace) > short {
			return
		}
	}
	p.Fatalf("%s is not served; last requests: %v", p.namespace, last(w.seen(p.namespace), 12))
}

// rest waits until nothing happens any more, or the wire is cut: the operator on the wire has started
// and asks nothing, and the cluster has nothing left to do.
func (p *place) rest(w *wire) {
	p.Helper()
	still := time.Now()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		if p.live() {
			still = time.Now()
		}
		if time.Since(still) > quiet && w.started() && w.quietFor(p.namespace) > quiet {
			return
		}
		select {
		case <-w.cutNow:
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
	p.Fatalf("%s never came to rest; last requests: %v", p.namespace, last(w.seen(p.namespace), 12))
}

// quiet is longer than the first steps of any backoff; short is longer than a pass that has begun.
const (
	quiet = 900 * time.Millisecond
	short = 200 * time.Millisecond
)

// healthy tells whether the operator has said its last word about the book as it is.
func (p *place) healthy() bool {
	p.Helper()
	view := p.view()
	if view == nil || view.Status.ObservedGeneration != view.Generation {
		return false
	}
	return meta.IsStatusConditionTrue(view.Status.Conditions, viewv1.ConditionReady)
}

// reaches waits for a state, and fails the test where it does not come.
func (p *place) reaches(want map[string]string, w *wire) bool {
	p.Helper()
	var diff string
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(150 * time.Millisecond) {
		if p.live() || w.quietFor(p.namespace) < short {
			continue
		}
		got, err := stateOf(p.Context(), p.namespace, p.owned)
		p.must(err)
		if p.ignoreRevisions {
			got = withoutRevisions(got)
		}
		if diff = cmp.Diff(want, got); diff == "" {
			return true
		}
	}
	p.Errorf("%s: the state is not that of an undisturbed run (-want +got):\n%s\nlast requests: %v",
		p.namespace, diff, last(w.seen(p.namespace), 12))
	return false
}

func last(all []string, n int) []string { return all[max(0, len(all)-n):] }

// startOperator starts the whole manager behind a wire. It ends with the test, or when the wire is cut.
func startOperator(t *testing.T, w *wire, change func(*operator.Settings)) {
	t.Helper()
	config := rest.CopyConfig(server.Config)
	config.Wrap(w.wrap)
	settings := operator.Settings{
		MetricsAddr: "0", ProbeAddr: "0", MaxHistory: 3, Restartable: true, ViewerImage: "viewer:test", ServerImage: "server:test",
	}
	change(&settings)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		err := operator.Run(ctx, config, settings)
		select {
		case <-w.cutNow:
		case <-ctx.Done():
		default:
			t.Errorf("the operator ended: %v", err)
		}
	}()
	go func() {
		select {
		case <-w.cutNow:
		case <-ctx.Done():
		}
		cancel()
	}()
	t.Cleanup(cancel)
}

func (p *place) String() string { return fmt.Sprint("namespace ", p.namespace) }
