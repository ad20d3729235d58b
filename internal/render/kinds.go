// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Kind is a kind of object that a chart may render.
type Kind struct {
	schema.GroupVersionKind
	// Resource is the plural in the API server's paths.
	Resource string
	// Wave orders writes: all objects of a wave are written, in parallel, before any of the next.
	Wave int
}

// GroupVersionResource returns the kind's resource.
func (k Kind) GroupVersionResource() schema.GroupVersionResource {
	return k.GroupVersion().WithResource(k.Resource)
}

// Kinds returns every kind that a chart may render. The operator's permissions and watches cover
// exactly these; a chart that renders another one is refused. Pods need their text and their account,
// so a Deployment comes after both.
func Kinds() []Kind {
	return []Kind{
		{schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, "configmaps", 0},
		{schema.GroupVersionKind{Version: "v1", Kind: "ServiceAccount"}, "serviceaccounts", 0},
		{schema.GroupVersionKind{Version: "v1", Kind: "Service"}, "services", 0},
		{schema.GroupVersionKind{Group: "policy", Version: "v1", Kind: "PodDisruptionBudget"}, "poddisruptionbudgets", 0},
		{schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, "deployments", 1},
	}
}

// KindOf returns the Kind of a group, version and kind, and whether a chart may render it.
func KindOf(gvk schema.GroupVersionKind) (Kind, bool) {
	for _, kind := range Kinds() {
		if kind.GroupVersionKind == gvk {
			return kind, true
		}
	}
	return Kind{}, false
}
