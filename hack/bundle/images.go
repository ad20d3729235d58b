// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// relatedImage is the prefix of variables that name an image which the operator gives to pods it makes.
const relatedImage = "RELATED_IMAGE_"

// RelatedImage is an entry of spec.relatedImages.
type RelatedImage struct {
	Name, Image string
}

// RelatedImages lists every image that the operator's own pods run and that it gives to others: the
// manager's first, then each once, by name.
func RelatedImages(csv map[string]any) ([]RelatedImage, error) {
	containers, err := managerContainers(csv)
	if err != nil {
		return nil, err
	}
	var own, given []RelatedImage
	for _, container := range containers {
		own = append(own, RelatedImage{Name: container.Name, Image: container.Image})
		for _, env := range container.Env {
			if name, found := strings.CutPrefix(env.Name, relatedImage); found {
				given = append(given, RelatedImage{Name: strings.ToLower(name), Image: env.Value})
			}
		}
	}
	if len(own) == 0 {
		return nil, errors.New("the ClusterServiceVersion has no Deployment; did operator-sdk read the whole of config/manifests?")
	}
	slices.SortFunc(given, func(a, b RelatedImage) int { return strings.Compare(a.Name, b.Name) })
	return append(own, given...), nil
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
