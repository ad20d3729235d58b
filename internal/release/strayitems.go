// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package release

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/plan"
)

// strayItems tells whether a list of the live object's spec holds items beyond those of the wanted
// object. Server-side apply matches items by a key (a port's number, a container's name), so where
// somebody changed a key, the wanted item comes back beside the changed one, and both would stay.
func strayItems(wanted *unstructured.Unstructured, live client.Object) bool {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(live)
	return err == nil && stray(wanted.Object["spec"], content["spec"])
}

func stray(wanted, live any) bool {
	switch w := wanted.(type) {
	case map[string]any:
		l, ok := live.(map[string]any)
		if !ok {
			return false
		}
		for key := range w {
			if stray(w[key], l[key]) {
				return true
			}
		}
	case []any:
		l, ok := live.([]any)
		if !ok {
			return false
		}
		if len(l) > len(w) {
			return true
		}
		for i := range l {
			if stray(w[i], l[i]) {
				return true
			}
		}
	}
	return false
}

// resetLists replaces the lists of an object's spec by the wanted ones. It is a merge patch, which
// replaces lists whole; the apply that follows takes the fields' ownership back.
func (r *run) resetLists(object *unstructured.Unstructured, change plan.Change) error {
	spec := object.DeepCopy().Object["spec"]
	if fields, ok := spec.(map[string]any); ok && change.YieldReplicas {
		delete(fields, "replicas")
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": change.UID}, "spec": spec})
	if err != nil {
		return fmt.Errorf("%s: %w", change.Ref, err)
	}
	target := &unstructured.Unstructured{}
	target.SetGroupVersionKind(object.GroupVersionKind())
	target.SetNamespace(object.GetNamespace())
	target.SetName(object.GetName())
	return r.engine.Client.Patch(r.ctx, target, client.RawPatch(types.MergePatchType, patch), client.FieldOwner(viewv1.FieldManager))
}
