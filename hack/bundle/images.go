// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chartutil"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	markdownview "github.com/bobuhiro11/markdown-view"
	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/render"
	"github.com/bobuhiro11/markdown-view/internal/values"
)

// relatedImage is the prefix of variables that name an image which the operator gives to pods it makes.
const relatedImage = "RELATED_IMAGE_"

// RelatedImage is an entry of spec.relatedImages.
type RelatedImage struct {
	Name, Image string
}

// RelatedImages lists every image that the operator's own pods run (the manager's first) and every
// image that the chart can render when it is given the defaults of the RELATED_IMAGE_ variables, each
// once. It is an error if a variable names an image that no rendering uses.
func RelatedImages(csv map[string]any) ([]RelatedImage, error) {
	containers, err := managerContainers(csv)
	if err != nil {
		return nil, err
	}
	var own []RelatedImage
	given := map[string]string{}
	for _, container := range containers {
		own = append(own, RelatedImage{Name: container.Name, Image: container.Image})
		for _, env := range container.Env {
			if name, found := strings.CutPrefix(env.Name, relatedImage); found {
				given[name] = env.Value
			}
		}
	}
	if len(own) == 0 {
		return nil, errors.New("the ClusterServiceVersion has no Deployment; did operator-sdk read the whole of config/manifests?")
	}
	rendered, err := renderedImages(values.Images{Viewer: given["VIEWER"], Server: given["SERVER"]})
	if err != nil {
		return nil, err
	}
	for name, image := range given {
		if !slices.ContainsFunc(rendered, func(r RelatedImage) bool { return r.Image == image }) {
			return nil, fmt.Errorf("%s%s names %q, which the chart does not render", relatedImage, name, image)
		}
	}
	return append(own, rendered...), nil
}

// books are the smallest MarkdownView and one that uses every field: what the chart renders lies between.
func books() []viewv1.MarkdownView {
	small, full := viewv1.MarkdownView{}, viewv1.MarkdownView{}
	small.Namespace, small.Name = "default", "small"
	small.Spec.Markdowns = map[string]string{viewv1.SummaryPath: "- [One](one.md)", "one.md": "# One"}
	full.Namespace, full.Name = "default", "full"
	full.Spec.Replicas = new(int32(3))
	full.Spec.Markdowns = map[string]string{viewv1.SummaryPath: "- [One](one.md)", "one.md": "# One", viewv1.SettingsPath: ""}
	full.Spec.Assets = map[string]viewv1.Base64{"image.png": "aGVsbG8="}
	return []viewv1.MarkdownView{small, full}
}

// renderedImages renders the operator's chart, hooks included, for each of the books, and returns the
// images of its pods, by the names of their containers.
func renderedImages(images values.Images) ([]RelatedImage, error) {
	chart, err := render.LoadChart(markdownview.Files, "helm-charts/markdownview")
	if err != nil {
		return nil, fmt.Errorf("load the chart: %w", err)
	}
	var found []RelatedImage
	for _, view := range books() {
		chartValues, _ := values.For(&view, images, nil)
		manifests, err := manifestsOf(render.Request{
			Chart: chart, Values: chartValues, Owner: render.OwnerOf(&view), Capabilities: chartutil.DefaultCapabilities,
		})
		if err != nil {
			return nil, fmt.Errorf("render the chart: %w", err)
		}
		for _, manifest := range manifests {
			found = append(found, containersIn(manifest)...)
		}
	}
	slices.SortFunc(found, func(a, b RelatedImage) int { return strings.Compare(a.Name+a.Image, b.Name+b.Image) })
	return slices.Compact(found), nil
}

// manifestsOf returns all that a rendering writes to the API server: its objects, and those of its hooks.
func manifestsOf(request render.Request) ([]map[string]any, error) {
	objects, err := render.Objects(request)
	if err != nil {
		return nil, err
	}
	hooks, err := render.Hooks(request)
	if err != nil {
		return nil, err
	}
	var manifests []map[string]any
	for _, object := range objects {
		manifests = append(manifests, object.Object)
	}
	for _, hook := range hooks {
		manifest := map[string]any{}
		if err := yaml.Unmarshal([]byte(hook.Manifest), &manifest); err != nil {
			return nil, fmt.Errorf("hook %s: %w", hook.Name, err)
		}
		manifests = append(manifests, manifest)
	}
	return manifests, nil
}

// containersIn finds the containers in a manifest, however deep its kind keeps the pod: a Deployment's, a
// CronJob's, a Pod's own.
func containersIn(node any) []RelatedImage {
	var found []RelatedImage
	switch node := node.(type) {
	case []any:
		for _, item := range node {
			found = append(found, containersIn(item)...)
		}
	case map[string]any:
		name, named := node["name"].(string)
		if image, runs := node["image"].(string); named && runs {
			found = append(found, RelatedImage{Name: name, Image: image})
		}
		for _, field := range node {
			found = append(found, containersIn(field)...)
		}
	}
	return found
}

func managerContainers(csv map[string]any) ([]corev1.Container, error) {
	deployments, _, err := unstructured.NestedSlice(csv, "spec", "install", "spec", "deployments")
	if err != nil {
		return nil, fmt.Errorf("read the Deployments: %w", err)
	}
	var containers []corev1.Container
	for _, deployment := range deployments {
		content, _ := deployment.(map[string]any)
		pod, _, err := unstructured.NestedMap(content, "spec", "template", "spec")
		if err != nil {
			return nil, fmt.Errorf("read a Deployment: %w", err)
		}
		var spec corev1.PodSpec
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(pod, &spec); err != nil {
			return nil, fmt.Errorf("read a Deployment's pod: %w", err)
		}
		containers = append(containers, slices.Concat(spec.InitContainers, spec.Containers)...)
	}
	return containers, nil
}
