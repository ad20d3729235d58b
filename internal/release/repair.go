// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package release

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/bobuhiro11/markdown-view/internal/plan"
	"github.com/bobuhiro11/markdown-view/internal/render"
)

// repair puts objects right that differ from the record. Helm has no verb for it.
//
// Side effects: each wrong object is applied, each surplus object deleted, each disowned content and
// record given its owner reference. The record itself does not change.
//
// The objects come from a new rendering. Where the record is of another rendering than the values' (the spec's
// book is refused, and the last good one must go on), or the chart renders differently each time, they come from
// the recorded manifest, if the record is the one that the operator wrote: nothing else tells a forged pod from
// a real one.
func (r *run) repair() error {
	if len(r.request.Plan.Wrong) > 0 {
		wrong, err := r.wrongObjects()
		if err != nil {
			return err
		}
		if wrong == nil {
			return r.recordAnew()
		}
		if err := r.apply(r.withoutGoing(wrong)); err != nil {
			return err
		}
		if !r.cameOutAsRecorded() {
			// Something in the API server (a webhook that came later) makes something else of it now.
			return r.recordAnew()
		}
	}
	if err := r.delete(r.request.Plan.Surplus); err != nil {
		return err
	}
	if err := r.ownContent(r.request.Plan.DisownedContent); err != nil {
		return err
	}
	if err := r.own(r.request.Plan.DisownedRecords); err != nil {
		return err
	}
	return r.waitForGoing()
}

// ownContent gives contents their owner reference.
func (r *run) ownContent(contents []plan.Live) error {
	for _, content := range contents {
		patch, err := ownPatch(content.UID, content.ResourceVersion, r.request.Owner)
		if err != nil {
			return fmt.Errorf("%s: %w", content.Ref, err)
		}
		if err := r.patchObject(content.Ref, patch); err != nil {
			return err
		}
	}
	return nil
}

// recordAnew upgrades to the same values: what is recorded is no longer what comes out. Where the
// values are those of a book that is refused, the record has to stay.
func (r *run) recordAnew() error {
	digest, err := render.Digest(r.engine.rendering(r.request))
	if err != nil || digest != r.request.Input.Record.Digest {
		return err
	}
	return r.upgrade()
}

// going returns the plan's objects that are still being deleted, under a finalizer of somebody else.
func (r *run) going() map[plan.Ref]bool {
	going := map[plan.Ref]bool{}
	for _, object := range r.request.Input.Live {
		if object.Deleting && slices.Contains(r.request.Plan.Wrong, object.Ref) {
			going[object.Ref] = true
		}
	}
	return going
}

// withoutGoing leaves out what cannot be put right yet, so that the rest is not held up by it.
func (r *run) withoutGoing(objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	going := r.going()
	return slices.DeleteFunc(objects, func(object *unstructured.Unstructured) bool { return going[refOf(object)] })
}

func (r *run) waitForGoing() error {
	for _, ref := range r.request.Plan.Wrong {
		if r.going()[ref] {
			return &WaitError{Ref: ref, Namespace: r.request.Owner.Namespace}
		}
	}
	return nil
}

// cameOutAsRecorded tells whether what was applied is now as the record says.
func (r *run) cameOutAsRecorded() bool {
	for ref, applied := range r.applied {
		if applied.Owned != r.request.Input.Record.Objects[ref].Owned {
			return false
		}
	}
	return true
}

// wrongObjects returns the objects of the plan as they were recorded, or nil if nothing that can be trusted has them.
func (r *run) wrongObjects() ([]*unstructured.Unstructured, error) {
	rendering := r.engine.rendering(r.request)
	digest, err := render.Digest(rendering)
	if err != nil {
		return nil, &RenderError{Err: err}
	}
	if digest == r.request.Input.Record.Digest {
		objects, err := render.Objects(rendering)
		if err != nil {
			return nil, &RenderError{Err: err}
		}
		if wrong := r.recordedOnes(objects); wrong != nil {
			return wrong, nil
		}
	}
	manifest, err := r.vouchedManifest()
	if manifest == "" || err != nil {
		return nil, err
	}
	objects, err := render.Parse(manifest, r.request.Owner.Namespace)
	if err != nil {
		return nil, &RenderError{Err: err}
	}
	for _, object := range objects {
		render.Mark(object, r.request.Owner)
	}
	return r.recordedOnes(objects), nil
}

// vouchedManifest returns the newest record's manifest, or "" if the record is not the one that the operator
// wrote: the one that the plan rests on, or the one that is stored by now.
func (r *run) vouchedManifest() (string, error) {
	record := r.request.Input.Record
	if r.request.RecordSum == "" || record.Sum != r.request.RecordSum {
		return "", nil
	}
	return r.store.manifest(record.Revision, r.request.RecordSum)
}

// recordedOnes returns the plan's objects out of a list, or nil if one of them is missing or is not
// what was recorded.
func (r *run) recordedOnes(objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	wrong := make([]*unstructured.Unstructured, 0, len(r.request.Plan.Wrong))
	for _, object := range objects {
		ref := refOf(object)
		if slices.Contains(r.request.Plan.Wrong, ref) && r.request.Input.Record.Objects[ref].Desired == render.ObjectDigest(object) {
			wrong = append(wrong, object)
		}
	}
	if len(wrong) != len(r.request.Plan.Wrong) {
		return nil
	}
	return wrong
}

func refOf(object *unstructured.Unstructured) plan.Ref {
	return plan.Ref{Kind: object.GetKind(), Name: object.GetName()}
}
