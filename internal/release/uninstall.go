// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package release

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"helm.sh/helm/v3/pkg/action"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/live"
	"github.com/bobuhiro11/markdown-view/internal/plan"
	"github.com/bobuhiro11/markdown-view/internal/render"
)

// Uninstall removes a release whose chart needs more than owner references: it runs Helm's uninstall
// with its hooks, then deletes by label and owner what the record does not name. It returns true once
// nothing is left; until then each deleted object's event brings the next call. A foreign finalizer
// is waited for that way, never in a worker.
func (e *Engine) Uninstall(ctx context.Context, request Request) (done bool, err error) {
	r := e.newRun(ctx, request)
	if len(request.Records) > 0 {
		if r.store.hooks, err = render.Hooks(e.rendering(request)); err != nil {
			return false, &RenderError{Err: err}
		}
		uninstall := action.NewUninstall(r.configuration())
		uninstall.IgnoreNotFound = true
		if _, err := uninstall.Run(request.Owner.ReleaseName()); err != nil {
			if r.store.err != nil {
				err = r.store.err
			}
			return false, fmt.Errorf("uninstall release %s/%s: %w", request.Owner.Namespace, request.Owner.ReleaseName(), err)
		}
	}
	left := 0
	var rest []plan.Live
	for _, object := range request.Input.Live {
		if object.Relation != render.Ours {
			continue
		}
		left++
		if !object.Deleting && !r.deleted(object.Ref) {
			rest = append(rest, object)
		}
	}
	if err := r.delete(rest); err != nil {
		return false, err
	}
	return left == 0 && len(request.Records) == 0, nil
}

func (r *run) deleted(ref plan.Ref) bool {
	return slices.Contains(r.result.Deleted, ref)
}

// Orphan takes the owner reference off every object and record of a release, so that the site stays
// when its MarkdownView goes. Labels stay: a later MarkdownView of the same name takes the site up.
func (e *Engine) Orphan(ctx context.Context, request Request) error {
	r := e.newRun(ctx, request)
	for _, object := range request.Input.Live {
		if object.Relation != render.Ours || object.Deleting {
			continue
		}
		if !object.Referenced {
			continue
		}
		patch, err := disownPatch(object.UID)
		if err != nil {
			return err
		}
		if err := r.patchObject(object.Ref, patch); client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	for _, record := range request.Records {
		if !record.Owned {
			continue
		}
		patch, err := disownPatch(record.UID)
		if err != nil {
			return err
		}
		if err := r.patchRecord(record.Name, patch); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	return nil
}

// patchObject changes what is said of an object, not the object's own fields.
func (r *run) patchObject(ref plan.Ref, patch []byte) error {
	target := live.Typed(ref.Kind)
	target.SetNamespace(r.request.Owner.Namespace)
	target.SetName(ref.Name)
	err := r.engine.Client.Patch(r.ctx, target, client.RawPatch(types.MergePatchType, patch), client.FieldOwner(viewv1.FieldManager))
	if err != nil {
		return fmt.Errorf("owner reference of %s %s/%s: %w", ref.Kind, r.request.Owner.Namespace, ref.Name, err)
	}
	r.engine.Written.Applied(r.key(), ref.Kind, target)
	return nil
}

func disownPatch(uid types.UID) ([]byte, error) {
	return json.Marshal(map[string]any{"metadata": map[string]any{"uid": uid, "ownerReferences": nil}})
}
