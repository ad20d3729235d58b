// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package live

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/render"
)

// lastApplied is kubectl's copy of the whole object inside the object.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// CacheOptions returns the options of the manager's cache: of the kinds that a chart may render, only
// our own objects, stripped; of the MarkdownViews, those that selector selects.
func CacheOptions(namespaces []string, selector labels.Selector, secretRecords bool) cache.Options {
	ours := labels.SelectorFromSet(labels.Set{viewv1.LabelCreatedBy: viewv1.NameController})
	byObject := map[client.Object]cache.ByObject{
		&viewv1.MarkdownView{}: {Label: selector, Transform: stripView},
	}
	for _, kind := range Kinds(secretRecords) {
		byObject[kind] = cache.ByObject{Label: ours, Transform: Strip}
	}
	options := cache.Options{ByObject: byObject}
	for _, namespace := range namespaces {
		if options.DefaultNamespaces == nil {
			options.DefaultNamespaces = map[string]cache.Config{}
		}
		options.DefaultNamespaces[namespace] = cache.Config{}
	}
	return options
}

// stripView drops what of a MarkdownView nothing here reads.
func stripView(in any) (any, error) {
	if view, ok := in.(*viewv1.MarkdownView); ok {
		view.ManagedFields = nil
		delete(view.Annotations, lastApplied)
	}
	return in, nil
}

// Mapper returns the fixed mapping of every kind that the operator speaks of, so that it never asks
// the API server for discovery.
func Mapper() meta.RESTMapper {
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{viewv1.GroupVersion, corev1.SchemeGroupVersion})
	add := func(gvk schema.GroupVersionKind, plural string) {
		resource := gvk.GroupVersion().WithResource(plural)
		mapper.AddSpecific(gvk, resource, resource, meta.RESTScopeNamespace)
		// The cache maps a list by the list's own kind.
		gvk.Kind += "List"
		mapper.AddSpecific(gvk, resource, resource, meta.RESTScopeNamespace)
	}
	for _, kind := range render.Kinds() {
		add(kind.GroupVersionKind, kind.Resource)
	}
	add(viewv1.GroupVersion.WithKind("MarkdownView"), "markdownviews")
	add(corev1.SchemeGroupVersion.WithKind("Pod"), "pods")
	add(corev1.SchemeGroupVersion.WithKind("Secret"), "secrets")
	return mapper
}
