// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// Annotations of cached copies only. The API server takes no key with two slashes, so nobody can set
// one of these on an object and have it believed.
const (
	cachedOwned    = "cached/view.bobuhiro11.net/owned"
	cachedReplicas = "cached/view.bobuhiro11.net/replicas"
	cachedScaled   = "cached/view.bobuhiro11.net/scaled"
	cachedIntact   = "cached/view.bobuhiro11.net/intact"
	// cachedError holds why the object could not be read; such an object counts as changed.
	cachedError = "cached/view.bobuhiro11.net/error"
)

// annotationHook marks an object that Helm runs at a step of an action.
const annotationHook = "helm.sh/hook"

// keptAnnotations are what decisions read.
var keptAnnotations = []string{
	"meta.helm.sh/release-name", "meta.helm.sh/release-namespace", annotationHook,
	viewv1.AnnotationAdopt, viewv1.AnnotationDigest, viewv1.AnnotationObjects, viewv1.AnnotationSum,
}

// Strip reduces an object to what decisions need, before it is cached: metadata, status, and digests
// in place of content. It is a cache's TransformFunc. It never fails, because an error would stop the
// whole cache; an object that it cannot read is marked instead.
func Strip(in any) (any, error) {
	if tombstone, ok := in.(cache.DeletedFinalStateUnknown); ok {
		return tombstone, nil
	}
	object, ok := in.(client.Object)
	if !ok || isStripped(object) {
		return in, nil
	}
	return strip(object), nil
}

func isStripped(object client.Object) bool {
	annotations := object.GetAnnotations()
	for _, key := range []string{cachedOwned, cachedIntact, cachedError} {
		if _, ok := annotations[key]; ok {
			return true
		}
	}
	return false
}

func strip(object client.Object) client.Object {
	switch o := object.(type) {
	case *corev1.Pod:
		return stripPod(o)
	case *corev1.ConfigMap:
		if isRecord(o) {
			return stripRecord(o, o.Data[recordKey])
		}
	case *corev1.Secret:
		return stripRecord(o, string(o.Data[recordKey]))
	}
	return stripChild(object)
}

func stripChild(object client.Object) client.Object {
	annotations := kept(object.GetAnnotations())
	if held, err := digests.owned(object); err != nil {
		annotations[cachedError] = err.Error()
	} else {
		annotations[cachedOwned] = held.digest
		if held.replicas != nil {
			annotations[cachedReplicas] = strconv.Itoa(int(*held.replicas))
		}
		if held.scaled {
			annotations[cachedScaled] = "true"
		}
	}
	meta := *metaOf(object, annotations)
	switch o := object.(type) {
	case *corev1.ConfigMap:
		return &corev1.ConfigMap{ObjectMeta: meta}
	case *corev1.ServiceAccount:
		return &corev1.ServiceAccount{ObjectMeta: meta}
	case *corev1.Service:
		return &corev1.Service{ObjectMeta: meta}
	case *policyv1.PodDisruptionBudget:
		return &policyv1.PodDisruptionBudget{ObjectMeta: meta}
	case *appsv1.Deployment:
		return &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{Replicas: o.Spec.Replicas}, Status: o.Status}
	}
	return object
}

// stripPod keeps what health reads: the content label, readiness, and what containers last said.
func stripPod(pod *corev1.Pod) *corev1.Pod {
	out := &corev1.Pod{ObjectMeta: *metaOf(pod, map[string]string{cachedOwned: ""})}
	out.Status.Phase, out.Status.Reason, out.Status.Message = pod.Status.Phase, pod.Status.Reason, pod.Status.Message
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady || condition.Type == corev1.PodScheduled {
			out.Status.Conditions = append(out.Status.Conditions, condition)
		}
	}
	out.Status.InitContainerStatuses = stripStatuses(pod.Status.InitContainerStatuses)
	out.Status.ContainerStatuses = stripStatuses(pod.Status.ContainerStatuses)
	return out
}

func stripStatuses(statuses []corev1.ContainerStatus) []corev1.ContainerStatus {
	out := make([]corev1.ContainerStatus, 0, len(statuses))
	for _, s := range statuses {
		out = append(out, corev1.ContainerStatus{
			Name: s.Name, State: s.State, LastTerminationState: s.LastTerminationState,
			Ready: s.Ready, RestartCount: s.RestartCount, Image: s.Image,
		})
	}
	return out
}

func metaOf(object client.Object, annotations map[string]string) *metav1.ObjectMeta {
	return &metav1.ObjectMeta{
		Name: object.GetName(), Namespace: object.GetNamespace(), UID: object.GetUID(),
		ResourceVersion: object.GetResourceVersion(), Generation: object.GetGeneration(),
		CreationTimestamp: object.GetCreationTimestamp(), DeletionTimestamp: object.GetDeletionTimestamp(),
		Labels: object.GetLabels(), Annotations: annotations, OwnerReferences: object.GetOwnerReferences(),
		Finalizers: object.GetFinalizers(),
	}
}

func kept(annotations map[string]string) map[string]string {
	out := map[string]string{}
	for _, key := range keptAnnotations {
		if value, ok := annotations[key]; ok {
			out[key] = value
		}
	}
	return out
}
