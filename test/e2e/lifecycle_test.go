// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// TestPublish reads every page of a book, and follows it through an edit and the removal of a page.
func TestPublish(t *testing.T) {
	t.Parallel()
	b := publish(t, newNamespace(t), "handbook", handbook())
	b.mustServe(t, "", "First words of the handbook.", "<title>", "The Handbook")
	b.mustServe(t, "welcome.html", "First words of the handbook.")
	b.mustServe(t, "guide/index.html", "Overview of the guide.")
	b.mustServe(t, "guide/install.html", "Put it on a shelf.")
	b.mustServe(t, "日本語/手順.html", "本を棚に置く。")
	if _, body := b.fetch(t, "images/plan.png"); body != planPNG {
		t.Errorf("the image has other bytes: %q", body)
	}
	if status := b.get(t).Status; status.Phase != viewv1.PhaseHealthy || status.ReadyReplicas != 1 || status.Release == nil {
		t.Errorf("status %+v, want Healthy, 1 ready replica and a release", status)
	}
	b.waitEvent(t, "Normal", "Updated", fmt.Sprintf("MarkdownView(%s:handbook) updated: Healthy", b.Namespace))

	b.edit(t, func(spec *viewv1.MarkdownViewSpec) {
		spec.Markdowns["guide/install.md"] = "# Install\n\nPut it on a desk.\n"
	})
	b.waitReady(t)
	b.mustServe(t, "guide/install.html", "Put it on a desk.")

	b.edit(t, func(spec *viewv1.MarkdownViewSpec) {
		delete(spec.Markdowns, "guide/install.md")
		spec.Markdowns["SUMMARY.md"] = strings.Replace(spec.Markdowns["SUMMARY.md"], "  - [Install](guide/install.md)\n", "", 1)
	})
	b.waitReady(t)
	b.mustNotFind(t, "guide/install.html")
	b.mustServe(t, "guide/index.html", "Overview of the guide.")
}

// TestRefusedEdit: what mdBook would refuse is refused at once, with file and line.
func TestRefusedEdit(t *testing.T) {
	t.Parallel()
	b := publish(t, newNamespace(t), "handbook", handbook())
	err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		view := b.get(t)
		view.Spec.Markdowns["SUMMARY.md"] += "- [Lost](lost.md)\n"
		return kube.Update(t.Context(), view)
	})
	if !apierrors.IsInvalid(err) && !apierrors.IsForbidden(err) {
		t.Fatalf("a link to a missing page is answered with %v, want a refusal", err)
	}
	for _, part := range []string{"SUMMARY.md", "lost.md", ":7"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the refusal %q does not name %q", err, part)
		}
	}
	b.mustServe(t, "welcome.html", "First words of the handbook.")
}

// TestBrokenEdit: an edit that only mdBook itself finds wrong is told in mdBook's words, and the last
// good book is served meanwhile, by the pod that was there and by one that takes its place.
func TestBrokenEdit(t *testing.T) {
	t.Parallel()
	b := publish(t, newNamespace(t), "handbook", handbook())
	watch := watchBook(t, b, "welcome.html", "First words of the handbook.")
	served := b.get(t).Status.Content

	b.edit(t, func(spec *viewv1.MarkdownViewSpec) {
		spec.Markdowns["book.toml"] = "[book]\ntitle = \"The Handbook\"\ntext-direction = \"up\"\n"
		spec.Markdowns["welcome.md"] = "# Welcome\n\nWords that nobody should read yet.\n"
	})
	message := b.waitCondition(t, viewv1.ConditionReady, metav1.ConditionFalse, viewv1.ReasonBuildFailed)
	for _, part := range []string{"TOML parse error at line 3, column 18", "unknown variant `up`", "Invalid configuration file"} {
		if !strings.Contains(message, part) {
			t.Errorf("the message %q lacks mdBook's %q", message, part)
		}
	}
	b.waitCondition(t, viewv1.ConditionAvailable, metav1.ConditionTrue, viewv1.ReasonServing)
	b.mustServe(t, "welcome.html", "First words of the handbook.")
	watch.mustBeUnbroken(t)

	t.Log("the pod that serves the last good book is taken away")
	for _, pod := range b.pods(t) {
		if ready(&pod) {
			if err := kube.Delete(t.Context(), &pod, client.GracePeriodSeconds(1)); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.mustServe(t, "welcome.html", "First words of the handbook.")
	eventually(t, "the status tells that the last good book is served, and another desired", func() error {
		if now := b.get(t).Status.Content; now == nil || served == nil || now.Served != served.Served || now.Desired == served.Desired {
			return fmt.Errorf("status.content %+v, and %+v before", now, served)
		}
		return nil
	})

	t.Log("the author mends the book")
	b.edit(t, func(spec *viewv1.MarkdownViewSpec) {
		spec.Markdowns["book.toml"] = "[book]\ntitle = \"The Handbook\"\n"
	})
	b.waitReady(t)
	b.mustServe(t, "welcome.html", "Words that nobody should read yet.")
}

// TestScale: kubectl scale works, and a book of several replicas has a disruption budget.
func TestScale(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	b := publish(t, namespace, "handbook", handbook())
	budget := types.NamespacedName{Namespace: namespace, Name: "viewer-handbook"}

	kubectl(t, "scale", "--namespace", namespace, "mdv", "handbook", "--replicas=3")
	b.waitReady(t)
	if status := b.get(t).Status; status.ReadyReplicas != 3 || status.Replicas != 3 {
		t.Errorf("status %+v, want 3 of 3 replicas ready", status)
	}
	if err := kube.Get(t.Context(), budget, &policyv1.PodDisruptionBudget{}); err != nil {
		t.Errorf("3 replicas have no disruption budget: %v", err)
	}
	kubectl(t, "scale", "--namespace", namespace, "mdv", "handbook", "--replicas=1")
	b.waitReady(t)
	eventually(t, "one replica has no disruption budget, and two pods have gone", func() error {
		if err := kube.Get(t.Context(), budget, &policyv1.PodDisruptionBudget{}); !apierrors.IsNotFound(err) {
			return fmt.Errorf("the disruption budget is still there (%w)", err)
		}
		if pods := b.pods(t); len(pods) != 1 {
			return fmt.Errorf("%d pods", len(pods))
		}
		return nil
	})
	if out, err := kubectlCommand(t.Context(), "scale", "--namespace", namespace, "mdv", "handbook", "--replicas=6").CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "replicas must be in the range of 1 to 5.") {
		t.Errorf("6 replicas are answered with %v: %s", err, out)
	}
}

// TestHandDeletedChildren: whatever is taken away by hand comes back, and the book stays up or returns.
func TestHandDeletedChildren(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	b := publish(t, namespace, "handbook", handbook())
	for _, list := range b.children(t) {
		object := list
		kindName := object.GetObjectKind().GroupVersionKind().Kind + " " + object.GetName()
		t.Log("deleting", kindName)
		if err := kube.Delete(t.Context(), object, client.PropagationPolicy(metav1.DeletePropagationBackground)); err != nil {
			t.Fatal(err)
		}
		eventually(t, kindName+" is back", func() error {
			again, ok := object.DeepCopyObject().(client.Object)
			if !ok {
				return fmt.Errorf("%T is no object", object)
			}
			if err := kube.Get(t.Context(), client.ObjectKeyFromObject(object), again); err != nil {
				return err
			}
			if again.GetUID() == object.GetUID() {
				return fmt.Errorf("the old one is still there")
			}
			return nil
		})
	}
	b.waitReady(t)
	b.mustServe(t, "guide/install.html", "Put it on a shelf.")
}

// TestDeletionLeavesNothing: no child, pod or record outlives its MarkdownView.
func TestDeletionLeavesNothing(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	before := everything(t, namespace)
	b := publish(t, namespace, "handbook", handbook())
	b.edit(t, func(spec *viewv1.MarkdownViewSpec) { spec.Markdowns["welcome.md"] = "# Welcome\n\nSecond edition.\n" })
	b.waitReady(t)
	kubectl(t, "delete", "--namespace", namespace, "mdv", "handbook", "--timeout=60s")
	eventually(t, "the namespace is as it was", func() error {
		if left := subtract(everything(t, namespace), before); len(left) > 0 {
			return fmt.Errorf("left: %s", strings.Join(left, ", "))
		}
		return nil
	})
}

// TestForeignObject: an object of somebody else is neither seized nor deleted.
func TestForeignObject(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	foreign := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "viewer-handbook", Labels: map[string]string{"owner": "somebody-else"}},
		Spec:       corev1.ServiceSpec{Ports: []corev1.ServicePort{{Name: "http", Port: 80}}},
	}
	if err := kube.Create(t.Context(), foreign); err != nil {
		t.Fatal(err)
	}
	b := create(t, namespace, "handbook", handbook())
	message := b.waitCondition(t, viewv1.ConditionReady, metav1.ConditionFalse, viewv1.ReasonForeignObject)
	if !strings.Contains(message, "viewer-handbook") || !strings.Contains(message, "Service") {
		t.Errorf("the message %q does not name the Service viewer-handbook", message)
	}
	kubectl(t, "delete", "--namespace", namespace, "mdv", "handbook", "--timeout=60s")
	after := &corev1.Service{}
	time.Sleep(2 * time.Second) // long enough for garbage collection to have taken it along
	if err := kube.Get(t.Context(), client.ObjectKeyFromObject(foreign), after); err != nil {
		t.Fatalf("the foreign Service: %v", err)
	}
	if after.ResourceVersion != foreign.ResourceVersion {
		t.Errorf("the foreign Service was written to: %+v", after.ManagedFields)
	}

	t.Log("the person lets the next one take it over")
	kubectl(t, "annotate", "--namespace", namespace, "service", "viewer-handbook", viewv1.AnnotationAdopt+"=handbook")
	b = publish(t, namespace, "handbook", handbook())
	b.mustServe(t, "welcome.html", "First words of the handbook.")
}

// watcher fetches a page again and again, and remembers each time that it was not as it should be.
type watcher struct {
	failures chan string
	stop     context.CancelFunc
	done     chan struct{}
}

func watchBook(t *testing.T, b book, path, text string) *watcher {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	w := &watcher{failures: make(chan string, 1000), stop: stop, done: make(chan struct{})}
	go func() {
		defer close(w.done)
		for ctx.Err() == nil {
			status, body, err := b.tryFetch(t, path)
			if ctx.Err() == nil && (err != nil || status != http.StatusOK || !strings.Contains(body, text)) {
				w.failures <- fmt.Sprintf("%s: status %d, error %v", path, status, err)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}()
	t.Cleanup(func() { stop(); <-w.done })
	return w
}

// mustBeUnbroken ends the watch.
func (w *watcher) mustBeUnbroken(t *testing.T) {
	t.Helper()
	w.stop()
	<-w.done
	close(w.failures)
	for failure := range w.failures {
		t.Errorf("while the book was watched: %s", failure)
	}
}
