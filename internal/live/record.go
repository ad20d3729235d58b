// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/plan"
	"github.com/bobuhiro11/markdown-view/internal/render"
)

const (
	// recordPrefix begins every record's name, sh.helm.release.v1.RELEASE.vREVISION. Nobody can change
	// a name, so it tells which record it is; labels only tell whether Helm still finds it.
	recordPrefix = "sh.helm.release.v1."
	// recordKey is where Helm's drivers put the payload.
	recordKey = "release"
	// Labels that Helm's drivers put on a record.
	recordOwner, recordOwnerHelm = "owner", "helm"
	recordName                   = "name"
	recordStatus                 = "status"
	recordVersion                = "version"
	statusDeployed               = "deployed"
)

// appliedJSON is one entry of AnnotationObjects.
type appliedJSON struct {
	Kind     string `json:"k"`
	Name     string `json:"n"`
	Desired  string `json:"d"`
	Owned    string `json:"o"`
	Replicas *int32 `json:"r,omitempty"`
	Asked    *int32 `json:"a,omitempty"`
}

// RecordAnnotations returns the annotations that let a later process decide from the record's
// metadata alone. The sum ties them to the payload, which is Helm's encoding of the release.
func RecordAnnotations(digest string, objects map[plan.Ref]plan.Applied, payload string) (map[string]string, error) {
	list := make([]appliedJSON, 0, len(objects))
	refs := slices.SortedFunc(maps.Keys(objects), func(a, b plan.Ref) int {
		return slices.Compare([]string{a.Kind, a.Name}, []string{b.Kind, b.Name})
	})
	for _, ref := range refs {
		o := objects[ref]
		list = append(list, appliedJSON{Kind: ref.Kind, Name: ref.Name, Desired: o.Desired, Owned: o.Owned, Replicas: o.Replicas, Asked: o.Asked})
	}
	data, err := json.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("applied objects do not marshal: %w", err)
	}
	return map[string]string{
		viewv1.AnnotationDigest:  digest,
		viewv1.AnnotationObjects: string(data),
		viewv1.AnnotationSum:     recordSum(digest, string(data), payload),
	}, nil
}

// ResumRecord returns a record's annotations for a changed payload: Helm rewrites an old record when
// a newer one supersedes it.
func ResumRecord(annotations map[string]string, payload string) map[string]string {
	return map[string]string{
		viewv1.AnnotationDigest: annotations[viewv1.AnnotationDigest], viewv1.AnnotationObjects: annotations[viewv1.AnnotationObjects],
		viewv1.AnnotationSum: SumOf(annotations, payload),
	}
}

// SumOf returns the sum of a record's parts as they are.
func SumOf(annotations map[string]string, payload string) string {
	return recordSum(annotations[viewv1.AnnotationDigest], annotations[viewv1.AnnotationObjects], payload)
}

func recordSum(digest, objects, payload string) string {
	sum := sha256.New()
	for _, part := range []string{digest, objects, payload} {
		fmt.Fprintf(sum, "%d %s", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil))[:32]
}

func isRecord(object client.Object) bool {
	return strings.HasPrefix(object.GetName(), recordPrefix)
}

// stripRecord replaces a record's payload by whether it is as this operator wrote it.
func stripRecord(object client.Object, payload string) client.Object {
	all := object.GetAnnotations()
	annotations := kept(all)
	intact := all[viewv1.AnnotationSum] != "" && all[viewv1.AnnotationSum] == SumOf(all, payload)
	annotations[cachedIntact] = strconv.FormatBool(intact)
	meta := *metaOf(object, annotations)
	if _, ok := object.(*corev1.Secret); ok {
		return &corev1.Secret{ObjectMeta: meta}
	}
	return &corev1.ConfigMap{ObjectMeta: meta}
}

// Revision returns the revision of a record of the owner's release. A record of another release, or
// one that somebody else's object controls, has none.
func Revision(object client.Object, owner render.Owner) (int, bool) {
	text, ok := strings.CutPrefix(object.GetName(), recordPrefix+owner.ReleaseName()+".v")
	if !ok || metav1.GetControllerOf(object) != nil && render.RelationOf(object, owner) == render.Foreign {
		return 0, false
	}
	// Helm counts in an int; a planted record near its end must not leave the next one without a number.
	n, err := strconv.ParseInt(text, 10, 32)
	return int(n), err == nil && n > 0
}

// findable tells whether a record's labels are those by which Helm finds it.
func findable(ref RecordRef, labels map[string]string, owner render.Owner) bool {
	return labels[recordOwner] == recordOwnerHelm && labels[recordName] == owner.ReleaseName() &&
		labels[recordVersion] == strconv.Itoa(ref.Revision)
}

// recordOf reads a stripped record.
func recordOf(object client.Object, ref RecordRef, owner render.Owner) *plan.Record {
	annotations, labels := object.GetAnnotations(), object.GetLabels()
	record := &plan.Record{
		Revision: ref.Revision,
		Deployed: labels[recordStatus] == statusDeployed && findable(ref, labels, owner),
		Intact:   annotations[cachedIntact] == "true",
		Sum:      annotations[viewv1.AnnotationSum],
		Digest:   annotations[viewv1.AnnotationDigest],
		Objects:  map[plan.Ref]plan.Applied{},
	}
	var list []appliedJSON
	if err := json.Unmarshal([]byte(annotations[viewv1.AnnotationObjects]), &list); err != nil {
		record.Intact = false
	}
	for _, o := range list {
		record.Objects[plan.Ref{Kind: o.Kind, Name: o.Name}] = plan.Applied{Desired: o.Desired, Owned: o.Owned, Replicas: o.Replicas, Asked: o.Asked}
	}
	return record
}
