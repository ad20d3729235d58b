// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package release

import (
	"context"
	"encoding/json"
	"fmt"

	"helm.sh/helm/v3/pkg/release"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/live"
	"github.com/bobuhiro11/markdown-view/internal/plan"
	"github.com/bobuhiro11/markdown-view/internal/render"
	"github.com/bobuhiro11/markdown-view/internal/values"
)

const (
	// payloadKey is where Helm's driver puts the encoded release.
	payloadKey = "release"
	// recordLimit is the API server's limit for the data of a ConfigMap, in bytes.
	recordLimit = 1 << 20
	// safeSize is the size of values and manifest below which a record always fits, however badly it
	// compresses (base64 adds a third): no need to encode it twice.
	safeSize = 600 << 10
)

// records is the ConfigMap client under Helm's driver, which reads through it. It writes what the driver
// does not know: owner references, the annotations that decisions rest on, and guards.
type records struct {
	corev1client.ConfigMapInterface
	store *store
	// listed are the records of the release as they were read, by name.
	listed map[string]corev1.ConfigMap
}

func newRecords(s *store) *records {
	r := s.run
	return &records{
		ConfigMapInterface: r.engine.Records.ConfigMaps(r.request.Owner.Namespace),
		store:              s, listed: map[string]corev1.ConfigMap{},
	}
}

// selector selects the records of the run's release that the operator or its heirs wrote.
func (c *records) selector() map[string]string {
	owner := c.store.run.request.Owner
	return map[string]string{
		"owner": "helm", "name": owner.ReleaseName(),
		viewv1.LabelCreatedBy: viewv1.NameController, viewv1.LabelInstance: owner.Name,
	}
}

// List reads the records and remembers them as they are.
func (c *records) List(_ context.Context, options metav1.ListOptions) (*corev1.ConfigMapList, error) {
	list, err := c.ConfigMapInterface.List(c.store.run.ctx, options)
	if err != nil {
		return nil, err
	}
	for i := range list.Items {
		c.listed[list.Items[i].Name] = list.Items[i]
		if !inflatesWithin(list.Items[i].Data[payloadKey], maxInflated) {
			// Helm's decoder knows no limit: a payload that is all zeros would take the process's memory.
			list.Items[i].Data = nil
		}
	}
	return list, nil
}

// create writes the record of a release with the annotations of this run.
func (c *records) create(rls *release.Release) error {
	r := c.store.run
	record, err := recordOf(lean(rls), createdAt)
	if err != nil {
		return err
	}
	if record.Annotations, err = live.RecordAnnotations(r.request.Input.Digest, r.applied, record.Data[payloadKey]); err != nil {
		return err
	}
	record.OwnerReferences = []metav1.OwnerReference{r.request.Owner.Reference()}
	created, err := c.ConfigMapInterface.Create(r.ctx, record, metav1.CreateOptions{FieldManager: viewv1.FieldManager})
	if apierrors.IsAlreadyExists(err) {
		return c.collision(record.Name, err)
	}
	if err != nil {
		return err
	}
	r.engine.Written.Applied(r.key(), live.RecordKind, created)
	r.result.RecordSum = record.Annotations[viewv1.AnnotationSum]
	return nil
}

// collision tells a record of ours that the cache did not show yet from one of somebody's own Helm
// release of the same name.
func (c *records) collision(name string, conflict error) error {
	r := c.store.run
	existing, err := c.ConfigMapInterface.Get(r.ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	relation := render.RelationOf(existing, r.request.Owner)
	selected := labels.SelectorFromSet(c.selector()).Matches(labels.Set(existing.Labels))
	switch {
	case metav1.GetControllerOf(existing) != nil && relation == render.Foreign, relation == render.Foreign && !selected:
		return r.foreign(plan.Ref{Kind: "ConfigMap", Name: name})
	case !selected:
		// Ours, but somebody changed its labels, so no cache will ever show it as a record.
		c.listed[name] = *existing
		if err := c.remove(name); err != nil {
			return err
		}
		return apierrors.NewConflict(corev1.Resource("configmaps"), name, conflict)
	}
	// The plan rested on a record that is not the newest. The next pass sees this one.
	r.engine.Written.Applied(r.key(), live.RecordKind, existing)
	return apierrors.NewConflict(corev1.Resource("configmaps"), name, conflict)
}

// rewrite writes an old record anew, if it is still as it was read. It is a patch, because the operator
// has no other use for the update verb.
func (c *records) rewrite(rls *release.Release) error {
	r := c.store.run
	record, err := recordOf(rls, modifiedAt)
	if err != nil {
		return err
	}
	old := c.listed[record.Name]
	patch, err := json.Marshal(map[string]any{
		"metadata": map[string]any{
			"uid": old.UID, "resourceVersion": old.ResourceVersion, "labels": record.Labels,
			"annotations":     live.ResumRecord(old.Annotations, record.Data[payloadKey]),
			"ownerReferences": []metav1.OwnerReference{r.request.Owner.Reference()},
		},
		"data": record.Data,
	})
	if err != nil {
		return err
	}
	return r.patchRecord(record.Name, patch)
}

// remove deletes a listed record, if it is still as it was read.
func (c *records) remove(name string) error {
	r := c.store.run
	old := c.listed[name]
	err := c.ConfigMapInterface.Delete(r.ctx, name, metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: &old.UID, ResourceVersion: &old.ResourceVersion},
	})
	if err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	r.engine.Written.Deleted(r.key(), live.RecordKind, name, old.UID)
	return nil
}

// lean is a release as it is stored: its values without the text that its manifest holds already.
func lean(rls *release.Release) *release.Release {
	stored := *rls
	stored.Config = values.WithoutText(rls.Config)
	return &stored
}

// checkSize returns *RecordTooLargeError if the record would not fit into one object.
func checkSize(rls *release.Release) error {
	rls = lean(rls)
	size := len(rls.Manifest)
	if config, err := json.Marshal(rls.Config); err == nil {
		size += len(config)
	}
	if size < safeSize {
		return nil
	}
	payload, err := encode(rls)
	if err != nil {
		return err
	}
	if len(payload) > recordLimit {
		return &RecordTooLargeError{Size: len(payload), Limit: recordLimit}
	}
	return nil
}

// own gives records the owner reference again, so that they go with the MarkdownView, and supersedes
// old ones that are deployed again. The Helm CLI does both when it writes the end of its own action
// after the operator has put that action right.
func (r *run) own(names []string) error {
	for _, name := range names {
		for i, record := range r.request.Records {
			if record.Name != name {
				continue
			}
			if record.Deployed && i < len(r.request.Records)-1 {
				if err := r.store.retire(name); err != nil {
					return err
				}
				continue
			}
			patch, err := ownPatch(record.UID, record.ResourceVersion, r.request.Owner)
			if err != nil {
				return fmt.Errorf("record %s: %w", name, err)
			}
			if err := r.patchRecord(name, patch); err != nil {
				return err
			}
		}
	}
	return nil
}

// ownPatch gives an object its owner reference, if it is still the one that was seen.
func ownPatch(uid types.UID, resourceVersion string, owner render.Owner) ([]byte, error) {
	return json.Marshal(map[string]any{"metadata": map[string]any{
		"uid": uid, "resourceVersion": resourceVersion, "ownerReferences": []metav1.OwnerReference{owner.Reference()},
	}})
}

// renameKey renames a top-level key of a JSON object.
func renameKey(data []byte, from, to string) ([]byte, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(data, &object); err != nil {
		return nil, err
	}
	if value, ok := object[from]; ok {
		delete(object, from)
		object[to] = value
	}
	return json.Marshal(object)
}

func (r *run) patchRecord(name string, patch []byte) error {
	patched, err := r.store.records.Patch(r.ctx, name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: viewv1.FieldManager})
	if err != nil {
		return fmt.Errorf("record %s: %w", name, err)
	}
	r.engine.Written.Applied(r.key(), live.RecordKind, patched)
	return nil
}
