// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package release

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/bobuhiro11/markdown-view/internal/plan"
	"github.com/bobuhiro11/markdown-view/internal/render"
)

// repair puts objects right that differ from the record. Helm has no verb for it.
//
// Side effects: each wrong object is applied, each surplus object deleted, each disowned record given
// its owner reference. The record itself does not change. A chart that renders differently each time
// (random values, the revision) cannot be repaired from a new rendering; it is upgraded instead.
func (r *run) repair() error {
	if len(r.request.Plan.Wrong) > 0 {
		objects, err := render.Objects(r.engine.rendering(r.request))
		if err != nil {
			return &RenderError{Err: err}
		}
		wrong := slices.DeleteFunc(objects, func(object *unstructured.Unstructured) bool {
			return !slices.Contains(r.request.Plan.Wrong, refOf(object))
		})
		if !r.renderedAsRecorded(wrong) {
			return r.upgrade()
		}
		if err := r.apply(wrong); err != nil {
			return err
		}
	}
	if err := r.delete(r.request.Plan.Surplus); err != nil {
		return err
	}
	return r.own(r.request.Plan.DisownedRecords)
}

func (r *run) renderedAsRecorded(objects []*unstructured.Unstructured) bool {
	if len(objects) != len(r.request.Plan.Wrong) {
		return false
	}
	return !slices.ContainsFunc(objects, func(object *unstructured.Unstructured) bool {
		return r.request.Input.Record.Objects[refOf(object)].Desired != render.ObjectDigest(object)
	})
}

func refOf(object *unstructured.Unstructured) plan.Ref {
	return plan.Ref{Kind: object.GetKind(), Name: object.GetName()}
}
