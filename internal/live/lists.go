// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package live

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// kindName returns the kind of a typed object; a typed object does not carry it itself.
func kindName(object client.Object) string {
	switch object.(type) {
	case *corev1.ConfigMap:
		return "ConfigMap"
	case *corev1.Secret:
		return "Secret"
	case *corev1.ServiceAccount:
		return "ServiceAccount"
	case *corev1.Service:
		return "Service"
	case *policyv1.PodDisruptionBudget:
		return "PodDisruptionBudget"
	case *appsv1.Deployment:
		return "Deployment"
	case *corev1.Pod:
		return "Pod"
	}
	return ""
}

// Typed returns an empty typed object of a kind that a chart may render, or nil.
func Typed(kind string) client.Object {
	for _, object := range Kinds(false) {
		if kindName(object) == kind {
			return object
		}
	}
	return nil
}

func listOf(kind client.Object) client.ObjectList {
	switch kind.(type) {
	case *corev1.ConfigMap:
		return &corev1.ConfigMapList{}
	case *corev1.Secret:
		return &corev1.SecretList{}
	case *corev1.ServiceAccount:
		return &corev1.ServiceAccountList{}
	case *corev1.Service:
		return &corev1.ServiceList{}
	case *policyv1.PodDisruptionBudget:
		return &policyv1.PodDisruptionBudgetList{}
	case *appsv1.Deployment:
		return &appsv1.DeploymentList{}
	case *corev1.Pod:
		return &corev1.PodList{}
	}
	return nil
}

func itemsOf(list client.ObjectList) []client.Object {
	var out []client.Object
	switch l := list.(type) {
	case *corev1.ConfigMapList:
		out = pointers[corev1.ConfigMap](l.Items)
	case *corev1.SecretList:
		out = pointers[corev1.Secret](l.Items)
	case *corev1.ServiceAccountList:
		out = pointers[corev1.ServiceAccount](l.Items)
	case *corev1.ServiceList:
		out = pointers[corev1.Service](l.Items)
	case *policyv1.PodDisruptionBudgetList:
		out = pointers[policyv1.PodDisruptionBudget](l.Items)
	case *appsv1.DeploymentList:
		out = pointers[appsv1.Deployment](l.Items)
	case *corev1.PodList:
		out = pointers[corev1.Pod](l.Items)
	}
	return out
}

func pointers[T any, P interface {
	*T
	client.Object
}](items []T) []client.Object {
	out := make([]client.Object, 0, len(items))
	for i := range items {
		out = append(out, P(&items[i]))
	}
	return out
}
