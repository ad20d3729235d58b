// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

var owner = Owner{GroupVersionKind: viewv1.GroupVersion.WithKind("MarkdownView"), Namespace: "docs", Name: "book", UID: "u1"}

func TestReleaseName(t *testing.T) {
	long := strings.Repeat("a", 52)
	cases := map[string]struct{ reason, name, want string }{
		"Short":       {"The MarkdownView's own name.", "book", "book"},
		"AtTheLimit":  {"Helm's limit is 53.", long + "b", long + "b"},
		"OneMore":     {"54 are cut to 53, with a hash of the whole.", long + "bc", strings.Repeat("a", 44) + "-ba1d073c"},
		"Lookalike":   {"A name that equals a cut one is another release.", strings.Repeat("a", 44) + "-ba1d073c", strings.Repeat("a", 44) + "-d6937987"},
		"ContractMax": {"56, the contract's limit.", long + "bcde", strings.Repeat("a", 44) + "-88cb67fd"},
	}
	seen := map[string]string{}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := Owner{Name: c.name}.ReleaseName()
			if got != c.want || len(got) > 53 {
				t.Errorf("%s: %q of %d characters becomes %q, want %q", c.reason, c.name, len(c.name), got, c.want)
			}
			if other, taken := seen[got]; taken {
				t.Errorf("%s and %s share the release %s", c.name, other, got)
			}
			seen[got] = c.name
		})
	}
}

// TestMark: what makes an object one of the release, beside what the chart says.
func TestMark(t *testing.T) {
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Service",
		"metadata": map[string]any{
			"name":        "viewer-book",
			"labels":      map[string]any{"app.kubernetes.io/name": "mdbook", "app.kubernetes.io/instance": "forged"},
			"annotations": map[string]any{"example": "kept"},
			// A chart cannot give its objects to somebody else.
			"ownerReferences": []any{map[string]any{"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "u9"}},
		},
	}}
	Mark(object, owner)
	want := map[string]any{
		"apiVersion": "v1", "kind": "Service",
		"metadata": map[string]any{
			"name": "viewer-book", "namespace": "docs",
			"labels": map[string]any{
				"app.kubernetes.io/name": "mdbook", "app.kubernetes.io/instance": "book",
				"app.kubernetes.io/created-by": "markdown-view-controller", "app.kubernetes.io/managed-by": "Helm",
			},
			"annotations": map[string]any{
				"example": "kept", "meta.helm.sh/release-name": "book", "meta.helm.sh/release-namespace": "docs",
			},
			"ownerReferences": []any{map[string]any{
				"apiVersion": "view.bobuhiro11.net/v1", "kind": "MarkdownView", "name": "book", "uid": "u1",
				"controller": true, "blockOwnerDeletion": true,
			}},
		},
	}
	if diff := cmp.Diff(want, object.Object); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestRelationOf(t *testing.T) {
	ref := func(apiVersion, kind, name, uid string, controller bool) metav1.OwnerReference {
		return metav1.OwnerReference{APIVersion: apiVersion, Kind: kind, Name: name, UID: types.UID(uid), Controller: &controller}
	}
	labels := map[string]string{viewv1.LabelCreatedBy: viewv1.NameController, viewv1.LabelInstance: "book"}
	annotations := map[string]string{annotationReleaseName: "book", annotationReleaseNamespace: "docs"}
	const group = "view.bobuhiro11.net/v1"
	cases := map[string]struct {
		reason string
		object metav1.ObjectMeta
		want   Relation
	}{
		"Ours":            {"The owner's UID decides, whatever the labels say.", metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{ref(group, "MarkdownView", "book", "u1", true)}}, Ours},
		"Predecessors":    {"Another UID under the same name: it goes with the MarkdownView of before.", metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{ref(group, "MarkdownView", "book", "u0", true)}, Labels: labels, Annotations: annotations}, Predecessors},
		"AnotherView":     {"A sibling's object.", metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{ref(group, "MarkdownView", "other", "u2", true)}, Labels: labels, Annotations: annotations}, Foreign},
		"AnotherKind":     {"Another controller's, even of our name.", metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{ref("apps/v1", "ReplicaSet", "book", "u2", true)}}, Foreign},
		"AnotherGroup":    {"A kind of the same name in another group.", metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{ref("example.com/v1", "MarkdownView", "book", "u2", true)}}, Foreign},
		"NobodysPlain":    {"An object without any mark.", metav1.ObjectMeta{}, Foreign},
		"LabelsOnly":      {"Labels alone can be a coincidence of a copied manifest.", metav1.ObjectMeta{Labels: labels}, Foreign},
		"AnnotationsOnly": {"So can Helm's annotations: somebody's own release of that name.", metav1.ObjectMeta{Annotations: annotations}, Foreign},
		"Orphaned":        {"Both together: it was ours and lost its owner (--cascade=orphan, deletion-policy Keep).", metav1.ObjectMeta{Labels: labels, Annotations: annotations}, Ours},
		"OrphanElsewhere": {"Helm's annotation names another namespace: it was copied.", metav1.ObjectMeta{Labels: labels, Annotations: map[string]string{annotationReleaseName: "book", annotationReleaseNamespace: "other"}}, Foreign},
		"OrphanOfOther":   {"An orphan of a sibling.", metav1.ObjectMeta{Labels: map[string]string{viewv1.LabelCreatedBy: viewv1.NameController, viewv1.LabelInstance: "other"}, Annotations: annotations}, Foreign},
		"NotController":   {"A reference that does not control decides nothing.", metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{ref(group, "MarkdownView", "book", "u1", false)}}, Foreign},
		"Adopted":         {"A person handed it over.", metav1.ObjectMeta{Annotations: map[string]string{viewv1.AnnotationAdopt: "book"}}, Ours},
		"AdoptedByOther":  {"To somebody else.", metav1.ObjectMeta{Annotations: map[string]string{viewv1.AnnotationAdopt: "other"}}, Foreign},
		"AdoptedButOwned": {"What a controller owns cannot be handed over: the two would fight.", metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{ref("apps/v1", "ReplicaSet", "r", "u2", true)}, Annotations: map[string]string{viewv1.AnnotationAdopt: "book"}}, Foreign},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := RelationOf(&c.object, owner); got != c.want {
				t.Errorf("%s: %s, want %s", c.reason, got, c.want)
			}
		})
	}
}

// TestSanitize: a recorded manifest can be edited by anyone who may write ConfigMaps in the namespace.
func TestSanitize(t *testing.T) {
	const good = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: good"
	cases := map[string]struct{ reason, manifest, want string }{
		"Whole":          {"What a chart rendered stays, to the byte.", "---\n" + good + "\n", "---\n" + good + "\n"},
		"Empty":          {"Nothing stays nothing.", "", ""},
		"Comment":        {"A document without content is dropped.", "---\n# Source: x\n---\n" + good, "---\n" + good + "\n"},
		"Secret":         {"A kind that no chart may render is dropped, and only that.", "---\napiVersion: v1\nkind: Secret\nmetadata: {name: a}\n---\n" + good, "---\n" + good + "\n"},
		"OtherNamespace": {"So is an object of another namespace.", "---\n" + good + "\n  namespace: kube-system\n", ""},
		"NotYAML":        {"And what is not YAML.", "---\n\t{[\n---\n" + good, "---\n" + good + "\n"},
		"NotAnObject":    {"And YAML that is no object.", "---\n- a\n", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Sanitize(c.manifest, "docs")); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", c.reason, diff)
			}
		})
	}
}

// FuzzSanitize: whatever is stored, what is left parses and stays in the namespace.
func FuzzSanitize(f *testing.F) {
	f.Add("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
	f.Add("---\nkind: ConfigMap\nmetadata: 3\n---\n&a [*a]")
	f.Fuzz(func(t *testing.T, manifest string) {
		objects, err := Parse(Sanitize(manifest, "docs"), "docs")
		if err != nil {
			t.Errorf("what is left does not parse: %v", err)
		}
		for _, object := range objects {
			if ns := object.GetNamespace(); ns != "" && ns != "docs" {
				t.Errorf("an object of namespace %s is left", ns)
			}
		}
	})
}
