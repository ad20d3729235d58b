// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"context"
	"fmt"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/releaseutil"
	"helm.sh/helm/v3/pkg/storage/driver"
	helmtime "helm.sh/helm/v3/pkg/time"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"sigs.k8s.io/yaml"
)

// Release returns everything that the operator leaves in the API server for a view: what the chart
// renders, marked as the operator marks it, and Helm's record, encoded by Helm.
func Release(c *chart.Chart, view *unstructured.Unstructured) (objects []*unstructured.Unstructured, record *unstructured.Unstructured, err error) {
	values := Values(view)
	options := chartutil.ReleaseOptions{Name: view.GetName(), Namespace: view.GetNamespace(), Revision: 1, IsInstall: true}
	top, err := chartutil.ToRenderValues(c, values, options, chartutil.DefaultCapabilities)
	if err != nil {
		return nil, nil, fmt.Errorf("values of %s: %w", view.GetName(), err)
	}
	files, err := engine.Engine{}.Render(c, top)
	if err != nil {
		return nil, nil, fmt.Errorf("render %s: %w", view.GetName(), err)
	}
	_, manifests, err := releaseutil.SortManifests(files, nil, releaseutil.InstallOrder)
	if err != nil {
		return nil, nil, fmt.Errorf("render %s: %w", view.GetName(), err)
	}
	var whole strings.Builder
	for _, manifest := range manifests {
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(manifest.Content), &object.Object); err != nil {
			return nil, nil, fmt.Errorf("%s of %s: %w", manifest.Name, view.GetName(), err)
		}
		if len(object.Object) == 0 {
			continue
		}
		whole.WriteString("---\n# Source: " + manifest.Name + "\n" + manifest.Content + "\n")
		mark(object, view)
		objects = append(objects, object)
	}
	record, err = recordOf(&release.Release{
		Name: view.GetName(), Namespace: view.GetNamespace(), Version: 1, Chart: c, Config: values, Manifest: whole.String(),
		Info: &release.Info{FirstDeployed: helmtime.Now(), LastDeployed: helmtime.Now(), Status: release.StatusDeployed, Description: "Install complete"},
	}, view)
	return objects, record, err
}

func mark(object, view *unstructured.Unstructured) {
	labels, annotations := object.GetLabels(), object.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	labels["app.kubernetes.io/managed-by"] = "Helm"
	annotations["meta.helm.sh/release-name"] = view.GetName()
	annotations["meta.helm.sh/release-namespace"] = view.GetNamespace()
	object.SetNamespace(view.GetNamespace())
	object.SetLabels(labels)
	object.SetAnnotations(annotations)
	object.SetOwnerReferences([]metav1.OwnerReference{Owner(view)})
}

func recordOf(rls *release.Release, view *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	sink := &captured{}
	if err := driver.NewConfigMaps(sink).Create("sh.helm.release.v1."+rls.Name+".v1", rls); err != nil {
		return nil, fmt.Errorf("record of %s: %w", rls.Name, err)
	}
	sink.record.Namespace = view.GetNamespace()
	sink.record.OwnerReferences = []metav1.OwnerReference{Owner(view)}
	sink.record.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(sink.record)
	return &unstructured.Unstructured{Object: content}, err
}

// captured keeps the record that Helm's driver wants to create.
type captured struct {
	corev1client.ConfigMapInterface
	record *corev1.ConfigMap
}

func (c *captured) Create(_ context.Context, record *corev1.ConfigMap, _ metav1.CreateOptions) (*corev1.ConfigMap, error) {
	c.record = record
	return record, nil
}
