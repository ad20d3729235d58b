// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// told is what a person reads of an event.
type told struct {
	Object, Type, Reason, Message string
}

// tells waits until the namespace has exactly these events, as `kubectl describe` reads them.
func (c *cluster) tells(want ...told) {
	c.Helper()
	byMessage := func(a, b told) int { return strings.Compare(a.Message, b.Message) }
	slices.SortFunc(want, byMessage)
	c.eventually("events", func() error {
		var list corev1.EventList
		if err := c.List(c.Context(), &list, client.InNamespace(c.namespace)); err != nil {
			return err
		}
		var got []told
		for _, event := range list.Items {
			object := event.InvolvedObject
			got = append(got, told{object.Kind + " " + object.Namespace + "/" + object.Name, event.Type, event.Reason, event.Message})
		}
		slices.SortFunc(got, byMessage)
		if diff := cmp.Diff(want, got); diff != "" {
			return fmt.Errorf("(-want +got):\n%s", diff)
		}
		return nil
	})
}

// TestUpdatedEvents: each change of the phase is told once, in the tutorial's words to the letter.
func TestUpdatedEvents(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	c.published(book("# Hello"))
	object := "MarkdownView " + c.namespace + "/book"
	notReady := told{object, "Normal", "Updated", "MarkdownView(" + c.namespace + ":book) updated: NotReady"}
	c.tells(notReady)
	c.settle()

	// No controller makes pods here, so the test says that they serve.
	var deployment appsv1.Deployment
	if err := c.Get(t.Context(), c.key("viewer-book"), &deployment); err != nil {
		t.Fatal(err)
	}
	deployment.Status = appsv1.DeploymentStatus{
		ObservedGeneration: deployment.Generation, Replicas: 1, UpdatedReplicas: 1, ReadyReplicas: 1, AvailableReplicas: 1,
	}
	if err := c.Status().Update(t.Context(), &deployment); err != nil {
		t.Fatal(err)
	}
	healthy := told{object, "Normal", "Updated", "MarkdownView(" + c.namespace + ":book) updated: Healthy"}
	c.tells(notReady, healthy)
	c.settle()
	c.tells(notReady, healthy)
}
