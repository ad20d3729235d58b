// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"helm.sh/helm/v3/pkg/release"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// stateOf returns everything that a namespace holds, apart from what must differ between two runs:
// identities, versions, times. Object -> its JSON. Records are decoded.
func stateOf(ctx context.Context, namespace string, owner types.UID) (map[string]string, error) {
	objects, err := contents(ctx, namespace)
	if err != nil {
		return nil, err
	}
	replace := []string{namespace, "NAMESPACE", string(owner), "UID"}
	for _, object := range objects {
		if digest := object.GetAnnotations()[viewv1.AnnotationDigest]; digest != "" {
			// The sum covers times and names, so it differs; whose it is must be the same.
			replace = append(replace, digest, "DIGEST of "+object.GetName(), object.GetAnnotations()[viewv1.AnnotationSum], "SUM of "+object.GetName())
		}
	}
	names := strings.NewReplacer(replace...)
	out := map[string]string{}
	for _, object := range objects {
		data, err := json.Marshal(normal(object))
		if err != nil {
			return nil, err
		}
		out[fmt.Sprintf("%T %s", object, object.GetName())] = names.Replace(string(data))
	}
	return out, nil
}

// contents lists every object of a namespace that the operator may have to do with.
func contents(ctx context.Context, namespace string) ([]client.Object, error) {
	var out []client.Object
	for _, list := range []client.ObjectList{
		&viewv1.MarkdownViewList{}, &corev1.ConfigMapList{}, &corev1.SecretList{}, &corev1.ServiceAccountList{}, &corev1.ServiceList{},
		&policyv1.PodDisruptionBudgetList{}, &appsv1.DeploymentList{}, &corev1.PodList{},
	} {
		if err := kube.List(ctx, list, client.InNamespace(namespace)); err != nil {
			return nil, err
		}
		switch l := list.(type) {
		case *viewv1.MarkdownViewList:
			out = append(out, pointers[viewv1.MarkdownView](l.Items)...)
		case *corev1.ConfigMapList:
			out = append(out, pointers[corev1.ConfigMap](l.Items)...)
		case *corev1.SecretList:
			out = append(out, pointers[corev1.Secret](l.Items)...)
		case *corev1.ServiceAccountList:
			out = append(out, pointers[corev1.ServiceAccount](l.Items)...)
		case *corev1.ServiceList:
			out = append(out, pointers[corev1.Service](l.Items)...)
		case *policyv1.PodDisruptionBudgetList:
			out = append(out, pointers[policyv1.PodDisruptionBudget](l.Items)...)
		case *appsv1.DeploymentList:
			out = append(out, pointers[appsv1.Deployment](l.Items)...)
		case *corev1.PodList:
			out = append(out, pointers[corev1.Pod](l.Items)...)
		}
	}
	return out, nil
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

// normal drops what differs between runs.
func normal(object client.Object) any {
	object = object.DeepCopyObject().(client.Object)
	object.SetUID("")
	object.SetResourceVersion("")
	object.SetGeneration(0)
	object.SetCreationTimestamp(metav1.Time{})
	object.SetManagedFields(nil)
	if labels := object.GetLabels(); labels[labelShard] != "" {
		delete(labels, labelShard)
		object.SetLabels(labels)
	}
	switch o := object.(type) {
	case *viewv1.MarkdownView:
		for i := range o.Status.Conditions {
			o.Status.Conditions[i].LastTransitionTime = metav1.Time{}
		}
	case *corev1.Service:
		o.Spec.ClusterIP, o.Spec.ClusterIPs = "", nil
	case *appsv1.Deployment:
		o.Status.ObservedGeneration = 0
	case *corev1.ConfigMap:
		if o.Labels["owner"] == "helm" {
			return normalRecord(o)
		}
	}
	return object
}

// normalRecord is what of a Helm record must be the same in every run.
func normalRecord(record *corev1.ConfigMap) any {
	rls, err := decodeRecord(record.Data["release"])
	if err != nil {
		return map[string]any{"damaged": err.Error()}
	}
	delete(record.Labels, "createdAt")
	delete(record.Labels, "modifiedAt")
	var objects []struct {
		Kind string `json:"k"`
		Name string `json:"n"`
	}
	_ = json.Unmarshal([]byte(record.Annotations[viewv1.AnnotationObjects]), &objects)
	return map[string]any{
		"labels": record.Labels, "owners": record.OwnerReferences, "digest": record.Annotations[viewv1.AnnotationDigest], "objects": objects,
		"name": rls.Name, "namespace": rls.Namespace, "version": rls.Version, "status": rls.Info.Status,
		"manifest": rls.Manifest, "config": rls.Config, "chart": rls.Chart.Metadata.Version,
	}
}

// decodeRecord decodes a Helm record's payload: base64 of gzip of JSON.
func decodeRecord(payload string) (*release.Release, error) {
	zipped, err := base64.StdEncoding.DecodeString(payload)
	if err != nil {
		return nil, err
	}
	reader, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(reader)
	if err != nil {
		return nil, err
	}
	rls := &release.Release{}
	return rls, json.Unmarshal(data, rls)
}
