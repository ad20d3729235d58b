// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/operator"
)

// TestIdleIsSilent: settled objects are looked at again and again (every 100 ms here, by
// reconcilePeriod), and not one request is made of it.
func TestIdleIsSilent(t *testing.T) {
	c := newCluster(t)
	c.startOperator(func(s *operator.Settings) { s.WatchesFile = c.watches("  reconcilePeriod: 100ms\n", nil) })
	for i := range 5 {
		view := c.view(fmt.Sprint("book-", i), book(fmt.Sprint("# ", i)))
		if err := c.Create(t.Context(), view); err != nil {
			t.Fatal(err)
		}
		c.released(view)
	}
	c.settle()
	c.requests.reset()
	time.Sleep(8 * time.Second)
	if got := c.requests.list(); len(got) > 0 {
		t.Errorf("five idle objects, 400 looks: %v", got)
	}
}

// TestChartsThatNeverRenderTheSame: a chart that looks things up, rolls dice or prints its revision
// makes no endless upgrades; drift of such an object is put right all the same.
func TestChartsThatNeverRenderTheSame(t *testing.T) {
	for name, expression := range map[string]string{
		"random":       `{{ randAlphaNum 16 | quote }}`,
		"the time":     `{{ now | unixEpoch | quote }}`,
		"the revision": `{{ .Release.Revision | quote }}`,
		"install":      `{{ .Release.IsInstall | quote }}`,
		"a lookup":     `{{ (lookup "v1" "Namespace" "" "default").metadata | default "none" | toJson | quote }}`,
		"a UUID":       `{{ uuidv4 | quote }}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t)
			file := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: dice-{{ .Values.name }}\n  labels: {a: b}\ndata:\n  value: " + expression + "\n"
			c.startOperator(func(s *operator.Settings) {
				s.WatchesFile = c.watches("  reconcilePeriod: 200ms\n", map[string]string{"templates/dice.yaml": file})
			})
			view := c.edited(2)
			c.settle()
			c.requests.reset()
			time.Sleep(2 * time.Second)
			if got := c.requests.list(); len(got) > 0 {
				t.Fatalf("it does not come to rest: %v", got)
			}
			var dice corev1.ConfigMap
			if err := c.Get(t.Context(), c.key("dice-book"), &dice); err != nil {
				t.Fatal(err)
			}
			right := dice.Data["value"]
			dice.Data["value"] = "loaded"
			if err := c.Update(t.Context(), &dice); err != nil {
				t.Fatal(err)
			}
			c.eventually("the value is put right", func() error {
				if err := c.Get(t.Context(), c.key("dice-book"), &dice); err != nil {
					return err
				}
				if dice.Data["value"] != right {
					return fmt.Errorf("it is %q, was %q", dice.Data["value"], right)
				}
				return nil
			})
			c.settle()
			c.released(view)
			if view.Status.Release.Revision != 2 {
				t.Errorf("revision is %d, want 2", view.Status.Release.Revision)
			}
		})
	}
}

// TestAutoscalerOfTheDeployment: a HorizontalPodAutoscaler writes through the scale subresource, and
// the operator lets it.
func TestAutoscalerOfTheDeployment(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	view := c.edited(1)
	c.settle()
	c.requests.reset()
	for _, n := range []int32{4, 3, 5, 2} {
		c.scale(&appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: "viewer-book"}}, n)
		c.settle()
		if got := *c.deploymentSpec().Replicas; got != n {
			t.Fatalf("the autoscaler asked for %d, there are %d", n, got)
		}
	}
	for _, write := range c.requests.writes() {
		if strings.Contains(write, "deployments") {
			t.Errorf("the operator wrote %s", write)
		}
	}
	// Drift and an edit leave the number alone too.
	if err := c.Get(t.Context(), c.key("book"), view); err != nil {
		t.Fatal(err)
	}
	view.Spec.Markdowns = book("# Edited")
	if err := c.Update(t.Context(), view); err != nil {
		t.Fatal(err)
	}
	c.released(view)
	c.settle()
	if got := *c.deploymentSpec().Replicas; got != 2 {
		t.Errorf("an edit set replicas to %d, the autoscaler's 2 are gone", got)
	}
}

// TestAutoscalerOfTheMarkdownView: the scale subresource of the MarkdownView itself is what an
// autoscaler of the book writes.
func TestAutoscalerOfTheMarkdownView(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	view := c.edited(1)
	for _, n := range []int32{3, 5, 1} {
		c.scale(view, n)
		c.eventually("the Deployment follows", func() error {
			if got := *c.deploymentSpec().Replicas; got != n {
				return fmt.Errorf("replicas are %d, want %d", got, n)
			}
			return nil
		})
	}
	c.settle()
	c.sound()
}

// scale writes as the HPA controller does, which tries again where somebody else wrote meanwhile.
func (c *cluster) scale(object client.Object, replicas int32) {
	c.Helper()
	err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		scale := &autoscalingv1.Scale{}
		if err := c.SubResource("scale").Get(c.Context(), object, scale); err != nil {
			return err
		}
		scale.Spec.Replicas = replicas
		return c.SubResource("scale").Update(c.Context(), object, client.WithSubResourceBody(scale), client.FieldOwner("kube-controller-manager"))
	})
	if err != nil {
		c.Fatal(err)
	}
}

// TestFightIsCapped: something that changes a child at each of its events meets a cap, and a person
// reads of it in an event.
func TestFightIsCapped(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	c.edited(1)
	c.settle()
	c.requests.reset()
	for deadline := time.Now().Add(6 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		var service corev1.Service
		if err := c.Get(t.Context(), c.key("viewer-book"), &service); err != nil {
			t.Fatal(err)
		}
		if service.Labels["app.kubernetes.io/part-of"] == "mine" {
			continue
		}
		service.Labels["app.kubernetes.io/part-of"] = "mine"
		if err := c.Update(t.Context(), &service); err != nil && !apierrors.IsConflict(err) {
			t.Fatal(err)
		}
	}
	writes := 0
	for _, write := range c.requests.writes() {
		if strings.Contains(write, "services/viewer-book") {
			writes++
		}
	}
	if writes < 5 || writes > 12 {
		t.Errorf("%d repairs in six seconds, want the burst of 10: %v", writes, c.requests.writes())
	}
	c.eventually("an event tells of it", func() error {
		var list eventsv1.EventList
		if err := c.List(t.Context(), &list, client.InNamespace(c.namespace)); err != nil {
			return err
		}
		for _, event := range list.Items {
			if event.Reason == viewv1.EventDriftThrottled && strings.Contains(event.Note, "Service viewer-book") {
				return nil
			}
		}
		return fmt.Errorf("events are %v", list.Items)
	})
}

// TestHeldDeletionTellsWhy: where our own finalizer waits for a child that somebody else's holds back, the
// MarkdownView names that child, and goes when the child has gone.
func TestHeldDeletionTellsWhy(t *testing.T) {
	c := newCluster(t)
	c.startOperator(func(s *operator.Settings) {
		s.WatchesFile = c.watches("", map[string]string{"templates/hook.yaml": deletionHook})
	})
	view := c.edited(1)
	c.settle()
	service := c.service()
	hold := func(finalizers ...string) {
		patch := client.MergeFrom(service.DeepCopy())
		service.Finalizers = finalizers
		if err := c.Patch(t.Context(), service, patch); err != nil {
			t.Fatal(err)
		}
	}
	hold("test/held")
	if err := c.Delete(t.Context(), view); err != nil {
		t.Fatal(err)
	}
	c.eventually("the status tells what holds it", func() error {
		if err := c.Get(t.Context(), c.key("book"), view); err != nil {
			return err
		}
		ready := meta.FindStatusCondition(view.Status.Conditions, viewv1.ConditionReady)
		if ready == nil || ready.Reason != viewv1.ReasonDeleting || !strings.Contains(ready.Message, "Service viewer-book") {
			return fmt.Errorf("Ready is %+v", ready)
		}
		return nil
	})
	hold()
	c.eventually("it goes", func() error {
		if err := c.Get(t.Context(), c.key("book"), view); !apierrors.IsNotFound(err) {
			return fmt.Errorf("it is there: %w", err)
		}
		return nil
	})
}

// TestForeignFinalizer: a child that somebody holds back is waited for without requests, and does not
// hold up the repair of the others; the parent's deletion waits for it too.
func TestForeignFinalizer(t *testing.T) {
	c := newCluster(t)
	c.startOperator(func(s *operator.Settings) {
		s.WatchesFile = c.watches("", map[string]string{"templates/hook.yaml": deletionHook})
	})
	view := c.edited(1)
	c.settle()
	var service corev1.Service
	if err := c.Get(t.Context(), c.key("viewer-book"), &service); err != nil {
		t.Fatal(err)
	}
	service.Finalizers = []string{"test/held"}
	if err := c.Update(t.Context(), &service); err != nil {
		t.Fatal(err)
	}
	if err := c.Delete(t.Context(), &service); err != nil {
		t.Fatal(err)
	}
	c.eventually("the status tells whom it waits for", func() error {
		if err := c.Get(t.Context(), c.key("book"), view); err != nil {
			return err
		}
		for _, condition := range view.Status.Conditions {
			if condition.Type == viewv1.ConditionReleased && strings.Contains(condition.Message, "viewer-book") {
				return nil
			}
		}
		return fmt.Errorf("conditions are %v", view.Status.Conditions)
	})
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: "viewer-book"}}
	if err := c.Delete(t.Context(), account); err != nil {
		t.Fatal(err)
	}
	c.eventually("the ServiceAccount comes back", func() error { return c.Get(t.Context(), c.key("viewer-book"), account) })
	c.settle()
	c.requests.reset()
	time.Sleep(4 * time.Second)
	if got := c.requests.list(); len(got) > 0 {
		t.Errorf("waiting takes requests: %v", got)
	}

	if err := c.Delete(t.Context(), view); err != nil {
		t.Fatal(err)
	}
	c.settle()
	if err := c.Get(t.Context(), c.key("book"), view); err != nil {
		t.Fatalf("the MarkdownView did not wait for its Service: %v", err)
	}
	// A worker is free for others meanwhile.
	second := c.view("second", book("# Second"))
	if err := c.Create(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	c.released(second)
	if err := c.Get(t.Context(), c.key("viewer-book"), &service); err != nil {
		t.Fatal(err)
	}
	service.Finalizers = nil
	if err := c.Update(t.Context(), &service); err != nil {
		t.Fatal(err)
	}
	c.eventually("the MarkdownView is gone", func() error {
		if err := c.Get(t.Context(), c.key("book"), view); !apierrors.IsNotFound(err) {
			return fmt.Errorf("it is there: %w", err)
		}
		return nil
	})
}

// TestManyReconcilesLeaveNothingBehind: 200 looks at one object, with changes among them, and neither
// goroutines nor memory grow.
func TestManyReconcilesLeaveNothingBehind(t *testing.T) {
	c := newCluster(t)
	c.startOperator(func(s *operator.Settings) { s.WatchesFile = c.watches("  reconcilePeriod: 20ms\n", nil) })
	view := c.edited(1)
	round := func() (goroutines int, heap uint64) {
		for range 10 {
			if err := c.Get(t.Context(), c.key("book"), view); err != nil {
				t.Fatal(err)
			}
			view.Spec.Markdowns = book(fmt.Sprint("# ", time.Now().UnixNano()))
			if err := c.Update(t.Context(), view); err != nil {
				t.Fatal(err)
			}
			c.released(view)
		}
		time.Sleep(2 * time.Second)
		c.settle()
		runtime.GC()
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return runtime.NumGoroutine(), stats.HeapAlloc
	}
	round()
	goroutines, heap := round()
	for range 2 {
		round()
	}
	after, grown := round()
	if after > goroutines+5 {
		t.Errorf("goroutines grew from %d to %d", goroutines, after)
	}
	if grown > heap+heap/5+2<<20 {
		t.Errorf("the heap grew from %d to %d bytes", heap, grown)
	}
}
