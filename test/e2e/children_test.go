// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build e2e

package e2e

import (
	"maps"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// pods returns the viewer pods that are not on their way out.
func (b book) pods(t *testing.T) []corev1.Pod {
	t.Helper()
	list := &corev1.PodList{}
	err := kube.List(t.Context(), list, client.InNamespace(b.Namespace), client.MatchingLabels{viewv1.LabelName: viewv1.NameMdbook, viewv1.LabelInstance: b.Name})
	if err != nil {
		t.Fatalf("list the pods of %s: %v", b.Name, err)
	}
	return slices.DeleteFunc(list.Items, func(pod corev1.Pod) bool { return pod.DeletionTimestamp != nil })
}

func ready(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

// childLists are the kinds that the chart renders.
func childLists() []client.ObjectList {
	return []client.ObjectList{
		&appsv1.DeploymentList{}, &corev1.ServiceList{}, &corev1.ServiceAccountList{}, &corev1.ConfigMapList{}, &policyv1.PodDisruptionBudgetList{},
	}
}

// children returns every object that the MarkdownView controls, with its kind set.
func (b book) children(t *testing.T) []client.Object {
	t.Helper()
	owner := b.get(t).UID
	var found []client.Object
	for _, list := range childLists() {
		for _, object := range items(t, list, b.Namespace) {
			for _, reference := range object.GetOwnerReferences() {
				if reference.UID == owner {
					found = append(found, object)
				}
			}
		}
	}
	if len(found) < 5 {
		t.Fatalf("MarkdownView %s has only %d children", b.Name, len(found))
	}
	return found
}

func items(t *testing.T, list client.ObjectList, namespace string) []client.Object {
	t.Helper()
	if err := kube.List(t.Context(), list, client.InNamespace(namespace)); err != nil {
		t.Fatalf("list %T: %v", list, err)
	}
	var objects []client.Object
	err := meta.EachListItem(list, func(item runtime.Object) error {
		object, ok := item.(client.Object)
		if !ok {
			t.Fatalf("%T is no object", item)
		}
		gvk, err := kube.GroupVersionKindFor(item)
		object.GetObjectKind().SetGroupVersionKind(gvk)
		objects = append(objects, object)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// everything names all objects of the namespace, of every kind that the cluster knows.
func everything(t *testing.T, namespace string) map[string]bool {
	t.Helper()
	kinds := strings.Fields(kubectl(t, "api-resources", "--namespaced", "--verbs=list,delete", "--output=name"))
	// Events tell of what was; they go by themselves.
	kinds = slices.DeleteFunc(kinds, func(kind string) bool { return strings.HasPrefix(kind, "events") })
	names := map[string]bool{}
	for name := range strings.FieldsSeq(kubectl(t, "get", strings.Join(kinds, ","), "--namespace", namespace, "--output=name", "--ignore-not-found")) {
		names[name] = true
	}
	return names
}

func subtract(all, minus map[string]bool) []string {
	left := maps.Clone(all)
	for name := range minus {
		delete(left, name)
	}
	return slices.Sorted(maps.Keys(left))
}
