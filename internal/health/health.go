// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package health judges how a release's workload fares.
//
// It is pure: Of reads a Deployment and its pods as they are handed to it, and says what a person
// would say who looked at them. It must not ask anybody, know the time, or write a status.
package health

import (
	"cmp"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// BuildContainer is the init container in which mdBook builds the book, as the chart names it.
const BuildContainer = "build"

// Health is a judgement.
type Health struct {
	// Replicas exist, AvailableReplicas serve a book, Desired are wanted.
	Replicas, AvailableReplicas, Desired int32
	// RolledOut tells that every replica is of the newest Deployment and serves.
	RolledOut bool
	// Stalled tells that only a change by a person can help.
	Stalled bool
	// Reason and Message say why the rollout has not finished, or that it has.
	Reason, Message string
}

// Of judges a Deployment and its pods by whether they serve the content of that hash. deployment is
// nil where there is none yet.
func Of(deployment *appsv1.Deployment, pods []corev1.Pod, content string) Health {
	if deployment == nil {
		return Health{Reason: viewv1.ReasonRollingOut, Message: "The viewer Deployment does not exist yet."}
	}
	status := deployment.Status
	out := Health{Replicas: status.Replicas, AvailableReplicas: status.AvailableReplicas, Desired: desired(deployment)}
	if out.Desired == 0 {
		out.Reason = viewv1.ReasonNotServing
		out.Message = "The viewer Deployment is scaled to 0, by an autoscaler or by hand, so no replica is to serve this book."
		return out
	}
	if RolledOut(deployment) {
		out.RolledOut, out.Reason = true, viewv1.ReasonHealthy
		out.Message = fmt.Sprintf("%d of %d replicas serve this book.", out.AvailableReplicas, out.Desired)
		return out
	}
	if t, found := troubleOf(deployment, newest(deployment, pods, content)); found {
		out.Reason, out.Message, out.Stalled = t.reason, t.message, t.stalled
		return out
	}
	out.Reason = viewv1.ReasonRollingOut
	out.Message = fmt.Sprintf("%d of %d replicas serve the new book; %d of %d serve a book.",
		min(status.UpdatedReplicas, status.AvailableReplicas), out.Desired, out.AvailableReplicas, out.Desired)
	return out
}

// RolledOut tells whether every replica is of the newest Deployment and serves. A nil Deployment is not,
// nor is one that is scaled to 0: nobody built its book, let alone serves it.
func RolledOut(deployment *appsv1.Deployment) bool {
	if deployment == nil {
		return false
	}
	want, status := desired(deployment), deployment.Status
	return want > 0 && status.ObservedGeneration >= deployment.Generation && status.UpdatedReplicas == want &&
		status.Replicas == want && status.AvailableReplicas == want
}

// desired is how many replicas are wanted; 1 is the API server's default.
func desired(deployment *appsv1.Deployment) int32 {
	if deployment.Spec.Replicas == nil {
		return 1
	}
	return *deployment.Spec.Replicas
}

// newest returns the pods that the newest Deployment made, by name: a list from a cache has no order, and
// of two troubles the same one must be told each time. Pods of an earlier one, whose book or image may be
// broken, say nothing about this one: an author who has just mended either must not be told of the old
// error. An earlier one with the same content, whose image was mended, is told by its template's hash.
func newest(deployment *appsv1.Deployment, pods []corev1.Pod, content string) []corev1.Pod {
	if deployment.Status.ObservedGeneration < deployment.Generation || deployment.Status.UpdatedReplicas == 0 {
		return nil
	}
	ours := slices.DeleteFunc(slices.Clone(pods), func(pod corev1.Pod) bool {
		return pod.DeletionTimestamp != nil || pod.Labels[viewv1.LabelContent] != content
	})
	if len(ours) == 0 {
		return nil
	}
	slices.SortFunc(ours, func(a, b corev1.Pod) int { return cmp.Compare(a.Name, b.Name) })
	template := slices.MaxFunc(ours, func(a, b corev1.Pod) int {
		return a.CreationTimestamp.Compare(b.CreationTimestamp.Time)
	}).Labels[appsv1.DefaultDeploymentUniqueLabelKey]
	return slices.DeleteFunc(ours, func(pod corev1.Pod) bool {
		return pod.Labels[appsv1.DefaultDeploymentUniqueLabelKey] != template
	})
}

// troubleOf finds what keeps the rollout from finishing; what the status says of an earlier generation
// does not count.
func troubleOf(deployment *appsv1.Deployment, pods []corev1.Pod) (trouble, bool) {
	if deployment.Status.ObservedGeneration < deployment.Generation {
		return trouble{}, false
	}
	if t, found := refusedPods(deployment.Status); found {
		return t, true
	}
	if t, found := failedPods(pods); found {
		return t, true
	}
	return overdue(deployment.Status)
}

// trouble is what keeps a rollout from finishing.
type trouble struct {
	reason, message string
	stalled         bool
}

// refusedPods finds that the API server takes no pods: a quota, or a Pod Security level.
func refusedPods(status appsv1.DeploymentStatus) (trouble, bool) {
	for _, condition := range status.Conditions {
		if condition.Type == appsv1.DeploymentReplicaFailure && condition.Status == corev1.ConditionTrue {
			return trouble{reason: viewv1.ReasonPodsRefused, message: condition.Message}, true
		}
	}
	return trouble{}, false
}

// overdue finds that the rollout's deadline passed.
func overdue(status appsv1.DeploymentStatus) (trouble, bool) {
	for _, condition := range status.Conditions {
		if condition.Type == appsv1.DeploymentProgressing && condition.Status == corev1.ConditionFalse &&
			condition.Reason == "ProgressDeadlineExceeded" {
			return trouble{reason: viewv1.ReasonRolloutTimedOut, message: condition.Message}, true
		}
	}
	return trouble{}, false
}
