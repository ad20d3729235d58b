// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"regexp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// Helm's own marks. Helm sets them on what it applies; a repair must set the same.
const (
	labelManagedBy             = "app.kubernetes.io/managed-by"
	managedByHelm              = "Helm"
	annotationReleaseName      = "meta.helm.sh/release-name"
	annotationReleaseNamespace = "meta.helm.sh/release-namespace"
)

// Owner is the object that a release belongs to.
type Owner struct {
	schema.GroupVersionKind
	Namespace, Name string
	UID             types.UID
}

// OwnerOf returns a MarkdownView as an owner.
func OwnerOf(view *viewv1.MarkdownView) Owner {
	return Owner{
		GroupVersionKind: viewv1.GroupVersion.WithKind("MarkdownView"),
		Namespace:        view.Namespace, Name: view.Name, UID: view.UID,
	}
}

// maxReleaseName is Helm's limit; a MarkdownView's name may have three characters more.
const maxReleaseName = 53

// shortened matches the names that ReleaseName makes of longer ones.
var shortened = regexp.MustCompile(`^.{44}-[0-9a-f]{8}$`)

// ReleaseName returns the name of the owner's Helm release: the owner's own name, or, past Helm's
// limit, the name cut short and made unique by a hash. A name that looks like one that was cut short
// gets a hash too, because it may be the release of a longer one.
func (o Owner) ReleaseName() string {
	if len(o.Name) <= maxReleaseName && !shortened.MatchString(o.Name) {
		return o.Name
	}
	sum := sha256.Sum256([]byte(o.Name))
	return o.Name[:maxReleaseName-9] + "-" + hex.EncodeToString(sum[:4])
}

// Reference returns the owner reference that every object of the release carries.
func (o Owner) Reference() metav1.OwnerReference {
	isController, block := true, true
	return metav1.OwnerReference{
		APIVersion: o.GroupVersion().String(), Kind: o.Kind, Name: o.Name, UID: o.UID,
		Controller: &isController, BlockOwnerDeletion: &block,
	}
}

// Mark puts on an object what makes it one of the owner's release: namespace, labels, Helm's
// ownership annotations and the owner reference.
func Mark(object *unstructured.Unstructured, owner Owner) {
	object.SetNamespace(owner.Namespace)
	object.SetLabels(merged(object.GetLabels(), map[string]string{
		labelManagedBy:        managedByHelm,
		viewv1.LabelInstance:  owner.Name,
		viewv1.LabelCreatedBy: viewv1.NameController,
	}))
	object.SetAnnotations(merged(object.GetAnnotations(), map[string]string{
		annotationReleaseName:      owner.ReleaseName(),
		annotationReleaseNamespace: owner.Namespace,
	}))
	object.SetOwnerReferences([]metav1.OwnerReference{owner.Reference()})
}

func merged(base, over map[string]string) map[string]string {
	out := maps.Clone(base)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, over)
	return out
}

// Relation tells whose an object is.
type Relation string

const (
	// Ours: it belongs to the owner's release.
	Ours Relation = "Ours"
	// Predecessors: it belongs to an earlier object of the owner's name and goes with it.
	Predecessors Relation = "Predecessors"
	// Foreign: it belongs to somebody else.
	Foreign Relation = "Foreign"
)

// RelationOf tells whose an existing object is. The owner reference decides; an object that lost
// it (deletion with --cascade=orphan) is recognised by labels and Helm's annotations together.
func RelationOf(object metav1.Object, owner Owner) Relation {
	if ref := metav1.GetControllerOf(object); ref != nil {
		switch {
		case ref.UID == owner.UID:
			return Ours
		case ref.Kind == owner.Kind && ref.Name == owner.Name && ref.APIVersion == owner.GroupVersion().String():
			return Predecessors
		default:
			return Foreign
		}
	}
	labels, annotations := object.GetLabels(), object.GetAnnotations()
	if labels[viewv1.LabelCreatedBy] == viewv1.NameController && labels[viewv1.LabelInstance] == owner.Name &&
		annotations[annotationReleaseName] == owner.ReleaseName() && annotations[annotationReleaseNamespace] == owner.Namespace {
		return Ours
	}
	if annotations[viewv1.AnnotationAdopt] == owner.Name {
		return Ours
	}
	return Foreign
}
