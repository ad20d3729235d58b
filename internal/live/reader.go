// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/plan"
	"github.com/bobuhiro11/markdown-view/internal/render"
)

// indexInstance indexes cached objects by the MarkdownView that they belong to, so that looking at
// one release costs the same however many there are.
const indexInstance = "instance"

// RecordKind is the pseudo kind under which Written remembers records.
const RecordKind = "Record"

// Observation is what exists of one release.
type Observation struct {
	// Objects are the release's objects, records aside.
	Objects []plan.Live
	// Record is the newest record, or nil; Records are all of them, oldest first.
	Record  *plan.Record
	Records []RecordRef
	// Deployment is the viewer Deployment, content stripped, or nil.
	Deployment *appsv1.Deployment
	// Pods are the viewer pods, content stripped.
	Pods []corev1.Pod
	// Lagging tells that the cache does not show all of this process's writes yet.
	Lagging bool
}

// RecordRef names a record.
type RecordRef struct {
	Name            string
	UID             types.UID
	ResourceVersion string
	Revision        int
	// Owned tells that it carries the owner reference.
	Owned bool
	// Deployed tells that Helm takes it for the deployed one.
	Deployed bool
}

// Disowned returns the names of the records that the Helm CLI rewrote after newer ones were written:
// those without the owner reference, and old ones that are deployed again.
func (o Observation) Disowned() []string {
	var names []string
	for i, record := range o.Records {
		if !record.Owned || record.Deployed && i < len(o.Records)-1 {
			names = append(names, record.Name)
		}
	}
	return names
}

// Reader observes releases in the caches.
type Reader struct {
	Cache   client.Reader
	Written *Written
	// SecretRecords tells that records are Secrets rather than ConfigMaps.
	SecretRecords bool
}

// kinds lists what a Reader reads; index and caches are set up for exactly these.
func (r *Reader) kinds() []client.Object {
	kinds := []client.Object{
		&corev1.ConfigMap{}, &corev1.ServiceAccount{}, &corev1.Service{},
		&policyv1.PodDisruptionBudget{}, &appsv1.Deployment{}, &corev1.Pod{},
	}
	if r.SecretRecords {
		kinds = append(kinds, &corev1.Secret{})
	}
	return kinds
}

// Kinds returns an empty object of every kind that must be cached for a Reader.
func Kinds(secretRecords bool) []client.Object {
	return (&Reader{SecretRecords: secretRecords}).kinds()
}

// SetupIndexes adds the index that Observe reads to a cache.
func (r *Reader) SetupIndexes(ctx context.Context, indexer client.FieldIndexer) error {
	for _, kind := range r.kinds() {
		if err := indexer.IndexField(ctx, kind, indexInstance, func(object client.Object) []string {
			return []string{object.GetLabels()[viewv1.LabelInstance]}
		}); err != nil {
			return fmt.Errorf("index of %T: %w", kind, err)
		}
	}
	return nil
}

// Observe reads what exists of an owner's release. It makes no API request.
func (r *Reader) Observe(ctx context.Context, owner render.Owner) (Observation, error) {
	var out Observation
	key := types.NamespacedName{Namespace: owner.Namespace, Name: owner.Name}
	var records []client.Object
	for _, kind := range r.kinds() {
		objects, err := r.list(ctx, key, kind)
		if err != nil {
			return out, err
		}
		if _, ok := kind.(*corev1.Pod); ok {
			for _, object := range objects {
				if pod, ok := object.(*corev1.Pod); ok {
					out.Pods = append(out.Pods, *pod)
				}
			}
			continue
		}
		name := kindName(kind)
		objects, recordObjects := splitRecords(objects, owner)
		if _, isSecret := kind.(*corev1.Secret); isSecret == r.SecretRecords {
			// Records of the other kind are those of before --helm-driver was changed: they go with the MarkdownView.
			records = append(records, recordObjects...)
		}
		if name == "Secret" {
			// No chart may render one, so what is no record is nobody's business here, whatever its labels say.
			continue
		}
		objects, lagging := r.Written.overlay(key, name, objects)
		out.Lagging = out.Lagging || lagging
		for _, object := range objects {
			if deployment, ok := object.(*appsv1.Deployment); ok {
				out.Deployment = deployment
			}
			out.Objects = append(out.Objects, liveOf(name, object, owner))
		}
	}
	records, lagging := r.Written.overlay(key, RecordKind, records)
	out.Lagging = out.Lagging || lagging
	out.Record, out.Records = recordsOf(records, owner)
	return out, nil
}

func (r *Reader) list(ctx context.Context, owner types.NamespacedName, kind client.Object) ([]client.Object, error) {
	list := listOf(kind)
	if err := r.Cache.List(ctx, list, client.InNamespace(owner.Namespace), client.MatchingFields{indexInstance: owner.Name}); err != nil {
		return nil, fmt.Errorf("cached %T of %s: %w", kind, owner, err)
	}
	return itemsOf(list), nil
}

// splitRecords takes the records of the owner's release out of a list. A record of another release,
// or of another owner, that carries our label is neither: it is left alone.
func splitRecords(all []client.Object, owner render.Owner) (objects, records []client.Object) {
	for _, object := range all {
		switch {
		case object.GetAnnotations()[annotationHook] != "":
			// Helm deletes hooks by their own policy; they are no part of the release's state.
		case !isRecord(object):
			objects = append(objects, object)
		default:
			if _, ours := Revision(object, owner); ours {
				records = append(records, object)
			}
		}
	}
	return objects, records
}

func recordsOf(objects []client.Object, owner render.Owner) (*plan.Record, []RecordRef) {
	var refs []RecordRef
	byName := map[string]client.Object{}
	for _, object := range objects {
		n, _ := Revision(object, owner)
		refs = append(refs, RecordRef{
			Name: object.GetName(), UID: object.GetUID(), ResourceVersion: object.GetResourceVersion(),
			Revision: n, Owned: ownedBy(object, owner), Deployed: object.GetLabels()[recordStatus] == statusDeployed,
		})
		byName[object.GetName()] = object
	}
	if len(refs) == 0 {
		return nil, nil
	}
	slices.SortFunc(refs, func(a, b RecordRef) int { return cmp.Compare(a.Revision, b.Revision) })
	newest := refs[len(refs)-1]
	return recordOf(byName[newest.Name], newest, owner), refs
}

func ownedBy(object client.Object, owner render.Owner) bool {
	return slices.ContainsFunc(object.GetOwnerReferences(), func(ref metav1.OwnerReference) bool { return ref.UID == owner.UID })
}

// liveOf reads a stripped object.
func liveOf(kind string, object client.Object, owner render.Owner) plan.Live {
	annotations := object.GetAnnotations()
	out := plan.Live{
		Ref: plan.Ref{Kind: kind, Name: object.GetName()}, UID: object.GetUID(), ResourceVersion: object.GetResourceVersion(),
		Relation: render.RelationOf(object, owner),
		Owned:    annotations[cachedOwned], Scaled: annotations[cachedScaled] == "true",
		Deleting: object.GetDeletionTimestamp() != nil, Referenced: ownedBy(object, owner),
	}
	if kind == "ConfigMap" {
		out.Content = object.GetLabels()[viewv1.LabelContent]
	}
	if text, ok := annotations[cachedReplicas]; ok {
		if n, err := strconv.ParseInt(text, 10, 32); err == nil {
			replicas := int32(n)
			out.Replicas = &replicas
		}
	}
	return out
}

// AppliedOf reads what the API server made of a wanted object, from the stripped response.
func AppliedOf(wanted plan.Wanted, stripped client.Object) plan.Applied {
	l := liveOf("", stripped, render.Owner{})
	return plan.Applied{Desired: wanted.Digest, Asked: wanted.Replicas, Owned: l.Owned, Replicas: l.Replicas}
}
