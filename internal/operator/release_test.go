// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator_test

import (
	"fmt"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

func book(text string) map[string]string {
	return map[string]string{"SUMMARY.md": "# Summary\n\n- [Home](README.md)\n", "README.md": text}
}

// released waits until the record of the current generation is applied.
func (c *cluster) released(view *viewv1.MarkdownView) {
	c.Helper()
	c.eventually("released", func() error {
		if err := c.Get(c.Context(), client.ObjectKeyFromObject(view), view); err != nil {
			return err
		}
		for _, condition := range view.Status.Conditions {
			if condition.Type == viewv1.ConditionReleased && condition.Status == "True" && condition.ObservedGeneration == view.Generation {
				return nil
			}
		}
		return fmt.Errorf("status is %+v", view.Status)
	})
}

// published creates the MarkdownView "book" and waits until it is released.
func (c *cluster) published(markdowns map[string]string) *viewv1.MarkdownView {
	c.Helper()
	view := c.view("book", markdowns)
	if err := c.Create(c.Context(), view); err != nil {
		c.Fatal(err)
	}
	c.released(view)
	return view
}

func TestCreateTakesAtMostEightRequestsAndThenSilence(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	c.settle()
	c.requests.reset()

	c.published(book("# Hello"))
	c.settle()
	requests := c.requests.list()
	for _, r := range requests {
		t.Log(r)
	}
	if len(requests) > 8 {
		t.Errorf("creating one object took %d requests, want at most 8", len(requests))
	}

	c.requests.reset()
	c.stop()
	c.startOperator()
	c.settle()
	if writes := c.requests.writes(); len(writes) > 0 {
		t.Errorf("a restart wrote: %v", writes)
	}
	t.Log("restart: ", c.requests.list())
}

func TestDriftIsPutRight(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	c.published(book("# Hello"))
	c.settle()

	service, deployment := &corev1.Service{}, &appsv1.Deployment{}
	for _, test := range []struct {
		name   string
		object client.Object
		edit   func()
		right  func() bool
		writes int
	}{
		{
			name: "a changed field", object: service, writes: 1,
			edit:  func() { service.Spec.Ports[0].TargetPort = intstr.FromInt32(1) },
			right: func() bool { return service.Spec.Ports[0].TargetPort == intstr.FromString("http") },
		},
		{
			name: "a removed label", object: service, writes: 1,
			edit:  func() { delete(service.Labels, "app.kubernetes.io/part-of") },
			right: func() bool { return service.Labels["app.kubernetes.io/part-of"] == "markdown-view" },
		},
		{
			name: "the label that the cache selects by", object: service, writes: 2, // A create that finds it there, a GET is no write.
			edit:  func() { delete(service.Labels, viewv1.LabelCreatedBy) },
			right: func() bool { return service.Labels[viewv1.LabelCreatedBy] == viewv1.NameController },
		},
		{
			name: "a list item's key", object: service, writes: 3, // The apply that is refused, the reset of the list, the apply.
			edit:  func() { service.Spec.Ports[0].Port = 81 },
			right: func() bool { return len(service.Spec.Ports) == 1 && service.Spec.Ports[0].Port == 80 },
		},
		{
			name: "a container's image", object: deployment, writes: 1,
			edit:  func() { deployment.Spec.Template.Spec.Containers[0].Image = "evil" },
			right: func() bool { return deployment.Spec.Template.Spec.Containers[0].Image == "server:test" },
		},
		{
			name: "a container's name", object: deployment, writes: 3,
			edit: func() { deployment.Spec.Template.Spec.Containers[0].Name = "evil" },
			right: func() bool {
				return len(deployment.Spec.Template.Spec.Containers) == 1 && deployment.Spec.Template.Spec.Containers[0].Name == "server"
			},
		},
		{
			name: "replicas, by hand", object: deployment, writes: 1,
			edit:  func() { deployment.Spec.Replicas = new(int32) },
			right: func() bool { return *deployment.Spec.Replicas == 1 },
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			key := client.ObjectKey{Namespace: c.namespace, Name: "viewer-book"}
			if err := c.Get(t.Context(), key, test.object); err != nil {
				t.Fatal(err)
			}
			test.edit()
			c.requests.reset()
			if err := c.Update(t.Context(), test.object); err != nil {
				t.Fatal(err)
			}
			c.eventually("put right", func() error {
				if err := c.Get(t.Context(), key, test.object); err != nil {
					return err
				}
				if !test.right() {
					return fmt.Errorf("still wrong: %+v", test.object)
				}
				return nil
			})
			c.settle()
			if got := c.requests.writes(); len(got) != test.writes {
				t.Errorf("writes: %v, want %d", got, test.writes)
			}
		})
	}
}

// TestMarkOfATextIsPutRight: a text is created by POST and put right by an apply, the first time and
// the second, in one write each.
func TestMarkOfATextIsPutRight(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	view := c.edited(1)
	c.settle()
	texts := &corev1.ConfigMapList{}
	if err := c.List(t.Context(), texts, client.InNamespace(c.namespace), client.MatchingLabels{viewv1.LabelContent: view.Status.Content.Desired}); err != nil {
		t.Fatal(err)
	}
	if len(texts.Items) != 1 {
		t.Fatalf("%d ConfigMaps hold the content, want 1", len(texts.Items))
	}
	text := &texts.Items[0]
	key := client.ObjectKeyFromObject(text)
	for i := range 2 {
		if err := c.Get(t.Context(), key, text); err != nil {
			t.Fatal(err)
		}
		text.Labels["app.kubernetes.io/name"] = fmt.Sprint("mine-", i)
		c.requests.reset()
		if err := c.Update(t.Context(), text); err != nil {
			t.Fatal(err)
		}
		c.eventually("put right", func() error {
			if err := c.Get(t.Context(), key, text); err != nil {
				return err
			}
			if got := text.Labels["app.kubernetes.io/name"]; got != "mdbook" {
				return fmt.Errorf("the label is %q", got)
			}
			return nil
		})
		c.settle()
		if got := c.requests.writes(); len(got) != 1 {
			t.Errorf("writes: %v, want 1", got)
		}
	}
}

func TestEditReplacesContentAndKeepsHistoryShort(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	view := c.published(book("# 0"))
	for i := 1; i <= 5; i++ {
		view.Spec.Markdowns["README.md"] = fmt.Sprint("# ", i)
		if err := c.Update(t.Context(), view); err != nil {
			t.Fatal(err)
		}
		c.requests.reset()
		c.released(view)
		c.settle()
		t.Log(c.requests.list())
	}
	var records corev1.ConfigMapList
	if err := c.List(t.Context(), &records, client.InNamespace(c.namespace), client.MatchingLabels{"owner": "helm"}); err != nil {
		t.Fatal(err)
	}
	if len(records.Items) != 3 {
		t.Errorf("%d records, want 3", len(records.Items))
	}
	var deployment appsv1.Deployment
	if err := c.Get(t.Context(), client.ObjectKey{Namespace: c.namespace, Name: "viewer-book"}, &deployment); err != nil {
		t.Fatal(err)
	}
	if got := deployment.Spec.Template.Labels[viewv1.LabelContent]; got != view.Status.Content.Desired {
		t.Errorf("pods are of content %s, want %s", got, view.Status.Content.Desired)
	}
}

func TestABookThatCannotBeBuiltKeepsTheLastGoodOne(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	view := c.published(book("# Good"))
	good := view.Status.Content.Desired

	// No webhook runs here, so the API server takes the dead link.
	view.Spec.Markdowns["SUMMARY.md"] = "- [Home](gone.md)\n"
	if err := c.Update(t.Context(), view); err != nil {
		t.Fatal(err)
	}
	c.eventually("stalled", func() error {
		if err := c.Get(t.Context(), client.ObjectKeyFromObject(view), view); err != nil {
			return err
		}
		stalled := meta.FindStatusCondition(view.Status.Conditions, viewv1.ConditionStalled)
		if stalled == nil || stalled.Reason != viewv1.ReasonInvalidBook || !strings.Contains(stalled.Message, "SUMMARY.md:1") {
			return fmt.Errorf("Stalled is %+v", stalled)
		}
		return nil
	})
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: "viewer-book"}}
	if err := c.Delete(t.Context(), deployment); err != nil {
		t.Fatal(err)
	}
	c.eventually("the Deployment of the last good book is back", func() error {
		fresh := &appsv1.Deployment{}
		if err := c.Get(t.Context(), client.ObjectKeyFromObject(deployment), fresh); err != nil {
			return err
		}
		if got := fresh.Spec.Template.Labels[viewv1.LabelContent]; got != good {
			t.Errorf("it is of content %s, want %s", got, good)
		}
		return nil
	})
}
