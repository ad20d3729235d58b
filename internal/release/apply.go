// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package release

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/live"
	"github.com/bobuhiro11/markdown-view/internal/plan"
	"github.com/bobuhiro11/markdown-view/internal/render"
)

// mustNotExist, as the resourceVersion of a server-side apply, makes the API server refuse the write
// where an object of that name exists: no live object has this version. Where none exists the
// version is ignored and the object is created. That saves a GET an object, and unlike a GET it
// leaves no moment in which somebody else's object could slip in between.
const mustNotExist = "1"

// apply brings marked objects to the API server, wave by wave. Nothing is written if one of them is
// known to be somebody else's or still going.
func (r *run) apply(objects []*unstructured.Unstructured) error {
	wanted := make([]plan.Wanted, len(objects))
	for i, object := range objects {
		wanted[i] = plan.Wanted{Ref: refOf(object), Digest: render.ObjectDigest(object), Replicas: replicasOf(object)}
	}
	changes := plan.Changes(wanted, r.request.Input)
	for _, change := range changes {
		switch change.Op {
		case plan.Refuse:
			return r.foreign(change.Ref)
		case plan.Wait:
			return &WaitError{Ref: change.Ref, Namespace: r.request.Owner.Namespace}
		case plan.Keep, plan.Create, plan.Apply:
		}
	}
	for _, wave := range waves(objects) {
		// The first error in order, not in time: a status that names one object now and another one at the next
		// try would be written at every try.
		failures := make([]error, len(wave))
		var group sync.WaitGroup
		for n, i := range wave {
			group.Go(func() { failures[n] = r.write(objects[i], wanted[i], changes[i]) })
		}
		group.Wait()
		if i := slices.IndexFunc(failures, func(err error) bool { return err != nil }); i >= 0 {
			return failures[i]
		}
	}
	return nil
}

// replicasOf returns spec.replicas of a rendered object, or nil. YAML's numbers are float64 here.
func replicasOf(object *unstructured.Unstructured) *int32 {
	value, _, _ := unstructured.NestedFieldNoCopy(object.Object, "spec", "replicas")
	number, ok := value.(float64)
	if !ok {
		return nil
	}
	replicas := int32(number)
	return &replicas
}

// waves returns the indexes of objects by the wave of their kind, in order.
func waves(objects []*unstructured.Unstructured) [][]int {
	byWave := map[int][]int{}
	for i, object := range objects {
		kind, _ := render.KindOf(object.GroupVersionKind())
		byWave[kind.Wave] = append(byWave[kind.Wave], i)
	}
	var order []int
	for wave := range byWave {
		order = append(order, wave)
	}
	slices.Sort(order)
	out := make([][]int, len(order))
	for i, wave := range order {
		out[i] = byWave[wave]
	}
	return out
}

func (r *run) write(object *unstructured.Unstructured, want plan.Wanted, change plan.Change) error {
	switch change.Op {
	case plan.Keep:
		r.remember(change.Ref, r.request.Input.Record.Objects[change.Ref], false)
		return nil
	case plan.Create:
		response, err := r.create(object)
		if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) {
			response, err = r.takeUp(object, err)
		}
		return r.written(object, want, response, err)
	default:
		response, err := r.change(object, change)
		return r.written(object, want, response, err)
	}
}

// change applies an object that exists. Where somebody changed it meanwhile, more than an apply may be
// needed: a list that was changed by its key is replaced, and so is a text, which nobody can change back.
func (r *run) change(object *unstructured.Unstructured, change plan.Change) (client.Object, error) {
	response, err := r.send(object, "", change.UID, change.YieldReplicas)
	switch {
	case !change.Drifted:
		return response, err
	case apierrors.IsInvalid(err) && isImmutable(object):
		return r.replace(object, change.UID)
	case apierrors.IsInvalid(err), err == nil && strayItems(object, response):
		if err := r.resetLists(object, change); err != nil {
			return nil, err
		}
		return r.send(object, "", change.UID, change.YieldReplicas)
	}
	return response, err
}

// isImmutable recognises a text: the API server never changes its data.
func isImmutable(object *unstructured.Unstructured) bool {
	immutable, _, _ := unstructured.NestedBool(object.Object, "immutable")
	return immutable
}

// replace deletes an object and creates it again.
func (r *run) replace(object *unstructured.Unstructured, uid types.UID) (client.Object, error) {
	err := r.engine.Client.Delete(r.ctx, object.DeepCopy(),
		client.PropagationPolicy(metav1.DeletePropagationBackground), client.Preconditions{UID: &uid})
	if client.IgnoreNotFound(err) != nil {
		return nil, err
	}
	return r.create(object)
}

// create writes an object that must not exist yet. A text is sent by POST: its data never changes, so
// no field of it needs an applier, and the API server need not read a patch, which it reads as YAML.
func (r *run) create(object *unstructured.Unstructured) (client.Object, error) {
	if !isImmutable(object) {
		return r.send(object, mustNotExist, "", false)
	}
	text := live.Typed(object.GetKind())
	if err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(object.Object, text, true); err != nil {
		return nil, &RenderError{Err: err}
	}
	return text, r.engine.Client.Create(r.ctx, text, client.FieldOwner(viewv1.FieldManager))
}

// send applies an object under its guard and returns the API server's response.
func (r *run) send(object *unstructured.Unstructured, resourceVersion string, uid types.UID, yieldReplicas bool) (client.Object, error) {
	body := object.DeepCopy()
	body.SetResourceVersion(resourceVersion)
	body.SetUID(uid)
	if yieldReplicas {
		unstructured.RemoveNestedField(body.Object, "spec", "replicas")
	}
	patch, err := body.MarshalJSON()
	if err != nil {
		return nil, err
	}
	// A typed object's response comes as protobuf, which costs both ends less than JSON.
	response := live.Typed(object.GetKind())
	response.SetNamespace(object.GetNamespace())
	response.SetName(object.GetName())
	err = r.engine.Client.Patch(r.ctx, response, client.RawPatch(types.ApplyPatchType, patch),
		client.FieldOwner(viewv1.FieldManager), client.ForceOwnership)
	return response, err
}

// takeUp handles an object that exists although the cache showed none: ours (the cache lags, or the
// process before this one died after writing it), still going, or somebody else's.
func (r *run) takeUp(object *unstructured.Unstructured, conflict error) (client.Object, error) {
	existing := &unstructured.Unstructured{}
	existing.SetGroupVersionKind(object.GroupVersionKind())
	if err := r.engine.Client.Get(r.ctx, client.ObjectKeyFromObject(object), existing); err != nil {
		if apierrors.IsNotFound(err) {
			return nil, conflict
		}
		return nil, err
	}
	relation := render.RelationOf(existing, r.request.Owner)
	switch {
	case relation == render.Foreign:
		return nil, r.foreign(refOf(object))
	case relation == render.Predecessors || existing.GetDeletionTimestamp() != nil:
		return nil, &WaitError{Ref: refOf(object), Namespace: r.request.Owner.Namespace}
	}
	return r.change(object, plan.Change{
		Ref: refOf(object), UID: existing.GetUID(), YieldReplicas: live.Scaled(existing.GetManagedFields()), Drifted: true,
	})
}

func (r *run) written(object *unstructured.Unstructured, want plan.Wanted, response client.Object, err error) error {
	ref := refOf(object)
	if err != nil {
		return r.describe(ref, err)
	}
	if object.GetAnnotations()[hookAnnotation] != "" {
		// Observations leave hooks out: a memory of one would never be caught up with.
		return nil
	}
	stripped := r.engine.Written.Applied(r.key(), ref.Kind, response)
	r.remember(ref, live.AppliedOf(want, stripped), true)
	return nil
}

// describe names the object in an error that does not name it well enough yet.
func (r *run) describe(ref plan.Ref, err error) error {
	var foreign *ForeignError
	var wait *WaitError
	if errors.As(err, &foreign) || errors.As(err, &wait) {
		return err
	}
	return fmt.Errorf("apply %s %s/%s: %w", ref.Kind, r.request.Owner.Namespace, ref.Name, err)
}

func (r *run) remember(ref plan.Ref, applied plan.Applied, isWrite bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.applied[ref] = applied
	if isWrite {
		r.result.Written = append(r.result.Written, ref)
	}
}

func (r *run) foreign(ref plan.Ref) error {
	return &ForeignError{Ref: ref, Namespace: r.request.Owner.Namespace, Adopter: r.request.Owner.Name}
}

// deleteHook deletes a hook's object, if it is the owner's.
func (r *run) deleteHook(object *unstructured.Unstructured) error {
	existing := &unstructured.Unstructured{}
	existing.SetGroupVersionKind(object.GroupVersionKind())
	err := r.engine.Client.Get(r.ctx, client.ObjectKeyFromObject(object), existing)
	if err == nil && render.RelationOf(existing, r.request.Owner) == render.Ours {
		uid := existing.GetUID()
		err = r.engine.Client.Delete(r.ctx, existing, client.PropagationPolicy(metav1.DeletePropagationBackground), client.Preconditions{UID: &uid})
	}
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("delete hook %s: %w", refOf(object), err)
	}
	return nil
}

// deleteSurplus deletes live objects of ours that this run did not apply.
func (r *run) deleteSurplus() error {
	return r.delete(plan.Surplus(r.request.Input, func(ref plan.Ref) bool { _, ok := r.applied[ref]; return ok }))
}

// delete deletes live objects of ours, each only if it is still the one that was seen.
func (r *run) delete(objects []plan.Live) error {
	for _, object := range objects {
		if object.Relation != render.Ours {
			continue
		}
		if err := r.deleteOne(object); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) deleteOne(object plan.Live) error {
	target := live.Typed(object.Kind)
	target.SetNamespace(r.request.Owner.Namespace)
	target.SetName(object.Name)
	err := r.engine.Client.Delete(r.ctx, target, client.PropagationPolicy(metav1.DeletePropagationBackground),
		client.Preconditions{UID: &object.UID, ResourceVersion: &object.ResourceVersion})
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("delete %s %s/%s: %w", object.Kind, r.request.Owner.Namespace, object.Name, err)
	}
	r.engine.Written.Deleted(r.key(), object.Kind, object.Name, object.UID)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.Deleted = append(r.result.Deleted, object.Ref)
	return nil
}
