// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator_test

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/release"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/live"
	"github.com/bobuhiro11/markdown-view/internal/operator"
	"github.com/bobuhiro11/markdown-view/internal/render"
	"github.com/bobuhiro11/markdown-view/internal/values"
)

// records returns the release's records, by name -> Helm's status.
func (c *cluster) records() map[string]string {
	c.Helper()
	var list corev1.ConfigMapList
	if err := c.List(c.Context(), &list, client.InNamespace(c.namespace)); err != nil {
		c.Fatal(err)
	}
	out := map[string]string{}
	for _, record := range list.Items {
		if revision, ok := strings.CutPrefix(record.Name, "sh.helm.release.v1.book."); ok {
			out[revision] = record.Labels["status"]
		}
	}
	return out
}

// sound waits until the newest record is a deployed one that decodes, and the objects are there.
func (c *cluster) sound() {
	c.Helper()
	c.eventually("the release is sound again", func() error {
		records := c.records()
		deployed := 0
		newest := 0
		for name, status := range records {
			var n int
			if _, err := fmt.Sscanf(name, "v%d", &n); err != nil {
				return fmt.Errorf("a record's name is %s", name)
			}
			newest = max(newest, n)
			if status == "deployed" {
				deployed++
			}
		}
		if deployed != 1 || records[fmt.Sprint("v", newest)] != "deployed" || len(records) > 3 {
			return fmt.Errorf("records are %v", records)
		}
		var record corev1.ConfigMap
		if err := c.Get(c.Context(), c.key(fmt.Sprint("sh.helm.release.v1.book.v", newest)), &record); err != nil {
			return err
		}
		rls, err := decode(record.Data["release"])
		if err != nil || rls.Name != "book" || rls.Version != newest || record.Labels["name"] != "book" || len(record.OwnerReferences) != 1 {
			return fmt.Errorf("record v%d is %v: %w", newest, record.ObjectMeta, err)
		}
		for _, object := range []client.Object{&appsv1.Deployment{}, &corev1.Service{}, &corev1.ServiceAccount{}} {
			if err := c.Get(c.Context(), c.key("viewer-book"), object); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *cluster) key(name string) client.ObjectKey {
	return client.ObjectKey{Namespace: c.namespace, Name: name}
}

func decode(payload string) (*release.Release, error) {
	zipped, err := base64.StdEncoding.DecodeString(payload)
	if err != nil {
		return nil, err
	}
	reader, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return nil, err
	}
	rls := &release.Release{}
	return rls, json.NewDecoder(reader).Decode(rls)
}

func encode(rls any) string {
	data, err := json.Marshal(rls)
	if err != nil {
		panic(err) // A release marshals.
	}
	return zip(data)
}

func zip(data []byte) string {
	var zipped bytes.Buffer
	writer := gzip.NewWriter(&zipped)
	_, _ = writer.Write(data) // Nothing fails in memory.
	_ = writer.Close()
	return base64.StdEncoding.EncodeToString(zipped.Bytes())
}

// foreign is a manifest that names what is not the release's.
const foreign = `---
apiVersion: v1
kind: ConfigMap
metadata: {name: precious}
---
apiVersion: v1
kind: Secret
metadata: {name: precious}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: precious, namespace: default}
---
apiVersion: v1
kind: Namespace
metadata: {name: default}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: precious}
`

// precious puts objects into the namespace that a tampered record names, and returns how they are.
func (c *cluster) precious() func() map[string]string {
	c.Helper()
	labels := map[string]string{"app": "precious"}
	for _, object := range []client.Object{
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: "precious"}, Data: map[string]string{"a": "b"}},
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: "precious"}},
		&appsv1.Deployment{
			ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: "precious"},
			Spec: appsv1.DeploymentSpec{
				Selector: &metav1.LabelSelector{MatchLabels: labels},
				Template: corev1.PodTemplateSpec{
					ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: "a"}}},
				},
			},
		},
		// This one even carries our labels, and those of a record.
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: "lookalike", Labels: map[string]string{
			viewv1.LabelCreatedBy: viewv1.NameController, viewv1.LabelInstance: "book", "owner": "helm", "name": "book", "version": "9", "status": "deployed",
		}}},
		// A record of a person's own release, as another operator would hold it.
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: "sh.helm.release.v1.other.v1", Labels: map[string]string{
			viewv1.LabelCreatedBy: viewv1.NameController, viewv1.LabelInstance: "book", "owner": "helm", "name": "other", "version": "1", "status": "deployed",
		}}},
	} {
		if err := c.Create(c.Context(), object); err != nil {
			c.Fatal(err)
		}
	}
	versions := func() map[string]string {
		out := map[string]string{}
		for key, object := range map[string]client.Object{
			"ConfigMap": &corev1.ConfigMap{}, "Secret": &corev1.Secret{}, "Deployment": &appsv1.Deployment{},
		} {
			if err := c.Get(c.Context(), c.key("precious"), object); err != nil {
				c.Fatal(err)
			}
			out[key] = object.GetResourceVersion()
		}
		for _, name := range []string{"lookalike", "sh.helm.release.v1.other.v1"} {
			var record corev1.ConfigMap
			if err := c.Get(c.Context(), c.key(name), &record); err != nil {
				c.Fatal(err)
			}
			out[name] = record.ResourceVersion
		}
		return out
	}
	return versions
}

func TestRecordIsNotBelieved(t *testing.T) {
	label := func(key, value string) func(*corev1.ConfigMap) {
		return func(record *corev1.ConfigMap) { record.Labels[key] = value }
	}
	payload := func(change func(*release.Release)) func(*corev1.ConfigMap) {
		return func(record *corev1.ConfigMap) {
			rls, err := decode(record.Data["release"])
			if err != nil {
				panic(err) // The operator wrote it.
			}
			change(rls)
			record.Data["release"] = encode(rls)
		}
	}
	for name, tamper := range map[string]func(*corev1.ConfigMap){
		"garbage":                  func(record *corev1.ConfigMap) { record.Data["release"] = "%%%" },
		"empty":                    func(record *corev1.ConfigMap) { record.Data = nil },
		"truncated":                func(record *corev1.ConfigMap) { record.Data["release"] = record.Data["release"][:400] },
		"not JSON":                 func(record *corev1.ConfigMap) { record.Data["release"] = zip([]byte("{")) },
		"null":                     func(record *corev1.ConfigMap) { record.Data["release"] = zip([]byte("null")) },
		"an empty object":          func(record *corev1.ConfigMap) { record.Data["release"] = zip([]byte("{}")) },
		"hooks that are null":      payload(func(r *release.Release) { r.Hooks = []*release.Hook{nil} }),
		"a chart without metadata": payload(func(r *release.Release) { r.Chart.Metadata = nil }),
		"no info":                  payload(func(r *release.Release) { r.Info = nil }),
		"another release's":        payload(func(r *release.Release) { r.Name = "other" }),
		"another namespace's":      payload(func(r *release.Release) { r.Namespace = "default" }),
		"another revision":         payload(func(r *release.Release) { r.Version = 41 }),
		"pending since a crash":    payload(func(r *release.Release) { r.Info.Status = release.StatusPendingUpgrade }),
		"foreign objects":          payload(func(r *release.Release) { r.Manifest = foreign }),
		"foreign objects as hooks": payload(func(r *release.Release) {
			r.Hooks = []*release.Hook{{Name: "x", Kind: "ConfigMap", Manifest: foreign, Events: []release.HookEvent{"pre-upgrade", "pre-delete"}}}
		}),
		"a payload that inflates": func(record *corev1.ConfigMap) { record.Data["release"] = zip(make([]byte, 256<<20)) },
		"digest":                  func(record *corev1.ConfigMap) { record.Annotations[viewv1.AnnotationDigest] = "x" },
		"objects":                 func(record *corev1.ConfigMap) { record.Annotations[viewv1.AnnotationObjects] = "[" },
		"sum":                     func(record *corev1.ConfigMap) { delete(record.Annotations, viewv1.AnnotationSum) },
		"all annotations":         func(record *corev1.ConfigMap) { record.Annotations = nil },
		"the cache's own marks": func(record *corev1.ConfigMap) {
			record.Annotations["cached.view.bobuhiro11.net/intact"] = "true"
			record.Data["release"] = "x"
		},
		"label status":              label("status", "failed"),
		"label status, pending":     label("status", "pending-upgrade"),
		"label status, uninstalled": label("status", "uninstalled"),
		"label version":             label("version", "99"),
		"label version, no number":  label("version", "x"),
		"label name":                label("name", "other"),
		"label owner":               label("owner", "tiller"),
		"label of the controller":   label(viewv1.LabelCreatedBy, "x"),
		"label of the instance":     label(viewv1.LabelInstance, "other"),
		"no owner reference":        func(record *corev1.ConfigMap) { record.OwnerReferences = nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t)
			versions := c.precious()
			before := versions()
			c.startOperator()
			view := c.published(book("# One"))
			view.Spec.Markdowns = book("# Two")
			if err := c.Update(t.Context(), view); err != nil {
				t.Fatal(err)
			}
			c.released(view)
			c.settle()
			var record corev1.ConfigMap
			if err := c.Get(t.Context(), c.key("sh.helm.release.v1.book.v2"), &record); err != nil {
				t.Fatal(err)
			}
			tamper(&record)
			if err := c.Update(t.Context(), &record); err != nil {
				t.Fatal(err)
			}
			c.settle()
			c.sound()
			c.settle()
			c.requests.reset()
			// It comes to rest, and the next change applies whole.
			view.Spec.Markdowns = book("# Three")
			if err := c.Get(t.Context(), c.key("book"), view); err != nil {
				t.Fatal(err)
			}
			view.Spec.Markdowns = book("# Three")
			if err := c.Update(t.Context(), view); err != nil {
				t.Fatal(err)
			}
			c.released(view)
			c.settle()
			c.sound()
			if n := len(c.requests.writes()); n > 10 {
				t.Errorf("the next change took %d writes: %v", n, c.requests.writes())
			}
			if diff := cmp.Diff(before, versions()); diff != "" {
				t.Errorf("somebody else's objects were touched (-before +after):\n%s", diff)
			}
		})
	}
}

func TestDeletedRecordsComeBack(t *testing.T) {
	for name, doomed := range map[string][]string{"the newest": {"v3"}, "an old one": {"v1"}, "all": {"v1", "v2", "v3"}, "all but the oldest": {"v2", "v3"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t)
			c.startOperator()
			view := c.published(book("# 1"))
			for i := range 2 {
				view.Spec.Markdowns = book(fmt.Sprint("# ", i+2))
				if err := c.Update(t.Context(), view); err != nil {
					t.Fatal(err)
				}
				c.released(view)
			}
			for _, name := range doomed {
				record := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: "sh.helm.release.v1.book." + name}}
				if err := c.Delete(t.Context(), record); client.IgnoreNotFound(err) != nil {
					t.Fatal(err)
				}
			}
			c.settle()
			c.sound()
		})
	}
}

// TestRecordTooLarge: a book that passes admission and whose record does not fit.
func TestRecordTooLarge(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	view := c.published(book("# Small"))
	for i := range 3 { // A full history: no old record may go for one that is never written.
		view.Spec.Markdowns = book(fmt.Sprint("# Small ", i))
		if err := c.Update(t.Context(), view); err != nil {
			t.Fatal(err)
		}
		c.released(view)
	}
	c.settle()
	before := c.everything()
	records := c.records()

	noise := make([]byte, 900_000)
	if _, err := rand.Read(noise); err != nil {
		t.Fatal(err)
	}
	view.Spec.Assets = map[string]viewv1.Base64{"noise.bin": viewv1.Base64(base64.StdEncoding.EncodeToString(noise))}
	if err := c.Update(t.Context(), view); err != nil {
		t.Fatal(err)
	}
	c.stalled(view, viewv1.ReasonRecordTooLarge, "make the book smaller")
	c.settle()
	if diff := cmp.Diff(before, c.everything()); diff != "" {
		t.Errorf("something was applied (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(records, c.records()); diff != "" {
		t.Errorf("the history changed (-before +after):\n%s", diff)
	}

	// The small book is still looked after.
	var service corev1.Service
	if err := c.Get(t.Context(), c.key("viewer-book"), &service); err != nil {
		t.Fatal(err)
	}
	if err := c.Delete(t.Context(), &service); err != nil {
		t.Fatal(err)
	}
	c.eventually("the Service comes back", func() error { return c.Get(t.Context(), c.key("viewer-book"), &service) })
	c.stalled(view, viewv1.ReasonRecordTooLarge, "make the book smaller")

	// And the author can mend it.
	if err := c.Get(t.Context(), c.key("book"), view); err != nil {
		t.Fatal(err)
	}
	view.Spec.Assets = nil
	view.Spec.Markdowns = book("# Smaller")
	if err := c.Update(t.Context(), view); err != nil {
		t.Fatal(err)
	}
	c.released(view)
}

// everything returns the resourceVersions of all children.
func (c *cluster) everything() map[string]string {
	c.Helper()
	out := map[string]string{}
	for _, list := range []client.ObjectList{
		&corev1.ConfigMapList{}, &corev1.ServiceList{}, &corev1.ServiceAccountList{}, &appsv1.DeploymentList{}, &policyv1.PodDisruptionBudgetList{},
	} {
		if err := c.List(c.Context(), list, client.InNamespace(c.namespace)); err != nil {
			c.Fatal(err)
		}
		items, err := meta.ExtractList(list)
		if err != nil {
			c.Fatal(err)
		}
		for _, item := range items {
			object := item.(client.Object)
			out[fmt.Sprintf("%T %s", object, object.GetName())] = object.GetResourceVersion()
		}
	}
	return out
}

// stalled waits until the MarkdownView is Stalled for this reason, in these words.
func (c *cluster) stalled(view *viewv1.MarkdownView, reason, words string) {
	c.Helper()
	c.eventually("Stalled is "+reason, func() error {
		if err := c.Get(c.Context(), client.ObjectKeyFromObject(view), view); err != nil {
			return err
		}
		found := meta.FindStatusCondition(view.Status.Conditions, viewv1.ConditionStalled)
		if found == nil || found.Status != metav1.ConditionTrue || found.Reason != reason || !strings.Contains(found.Message, words) ||
			found.ObservedGeneration != view.Generation {
			return fmt.Errorf("conditions are %+v", view.Status.Conditions)
		}
		return nil
	})
}

// TestForeignObjectInTheWay: one of each kind, and a Helm release of the same name.
func TestForeignObjectInTheWay(t *testing.T) {
	labels := map[string]string{"app": "x"}
	pod := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "x", Image: "x"}}}}
	one := intstr.FromInt32(1)
	foreignBook := map[string]string{"SUMMARY.md": "# Summary\n\n- [Home](README.md)\n", "README.md": "# One\n"}
	textName := values.Layout("book", foreignBook, nil).Parts[0].Name
	ours := map[string]string{"app.kubernetes.io/name": "mdbook", "app.kubernetes.io/instance": "book", "app.kubernetes.io/created-by": "markdown-view-controller"}
	for name, test := range map[string]struct {
		object client.Object
		// adoptable tells that the API server lets the object become ours.
		adoptable bool
	}{
		"ConfigMap":           {&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: textName}, Data: map[string]string{"x": "x"}}, true},
		"Service":             {&corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "viewer-book"}, Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 1}}}}, true},
		"ServiceAccount":      {&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "viewer-book"}}, true},
		"PodDisruptionBudget": {&policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: "viewer-book"}, Spec: policyv1.PodDisruptionBudgetSpec{MaxUnavailable: &one}}, true},
		"Deployment":          {&appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "viewer-book"}, Spec: appsv1.DeploymentSpec{Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: pod}}, false},
		"Deployment with our selector": {&appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "viewer-book"}, Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: ours}, Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: ours}, Spec: pod.Spec},
		}}, true},
		"ConfigMap of a Helm release": {&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "sh.helm.release.v1.book.v1", Labels: map[string]string{"owner": "helm", "name": "book", "version": "1", "status": "deployed"}}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t)
			test.object.SetNamespace(c.namespace)
			if err := c.Create(t.Context(), test.object); err != nil {
				t.Fatal(err)
			}
			before := test.object.GetResourceVersion()
			c.startOperator()
			replicas := int32(2)
			view := c.view("book", foreignBook)
			view.Spec.Replicas = &replicas
			if err := c.Create(t.Context(), view); err != nil {
				t.Fatal(err)
			}
			kind, _, _ := strings.Cut(name, " ")
			c.stalled(view, viewv1.ReasonForeignObject, fmt.Sprintf("%s %q", kind, test.object.GetName()))
			c.settle()
			if err := c.Get(t.Context(), client.ObjectKeyFromObject(test.object), test.object); err != nil || test.object.GetResourceVersion() != before {
				t.Fatalf("the object was touched: %v %v", test.object, err)
			}
			if !test.adoptable {
				// Deletion does not take it along: nothing of ours points to it.
				if owners := test.object.GetOwnerReferences(); len(owners) > 0 {
					t.Errorf("it has owners: %v", owners)
				}
				return
			}
			test.object.SetAnnotations(map[string]string{viewv1.AnnotationAdopt: "somebody-else"})
			if err := c.Update(t.Context(), test.object); err != nil {
				t.Fatal(err)
			}
			c.touch(view)
			c.settle()
			c.stalled(view, viewv1.ReasonForeignObject, kind)
			if err := c.Get(t.Context(), client.ObjectKeyFromObject(test.object), test.object); err != nil {
				t.Fatal(err)
			}
			test.object.SetAnnotations(map[string]string{viewv1.AnnotationAdopt: "book"})
			if err := c.Update(t.Context(), test.object); err != nil {
				t.Fatal(err)
			}
			c.touch(view)
			c.released(view)
			if err := c.Get(t.Context(), client.ObjectKeyFromObject(test.object), test.object); err != nil {
				t.Fatal(err)
			}
			if owner := metav1.GetControllerOf(test.object); owner == nil || owner.UID != view.UID {
				t.Errorf("it was not adopted: %v", test.object)
			}
		})
	}
}

// touch makes the operator look again.
func (c *cluster) touch(view *viewv1.MarkdownView) {
	c.Helper()
	patch := fmt.Appendf(nil, `{"metadata":{"annotations":{"test/touched":%q}}}`, rand.Text())
	if err := c.Patch(c.Context(), view, client.RawPatch(types.MergePatchType, patch)); err != nil {
		c.Fatal(err)
	}
}

// TestForeignObjectSurvivesUninstall: with a finalizer, Helm's uninstall runs; it must spare what is not ours.
func TestForeignObjectSurvivesUninstall(t *testing.T) {
	c := newCluster(t)
	versions := c.precious()
	before := versions()
	c.startOperator(func(s *operator.Settings) {
		s.WatchesFile = c.watches("", map[string]string{"templates/hook.yaml": deletionHook})
	})
	view := c.published(book("# One"))
	c.settle()
	c.stop()
	var record corev1.ConfigMap
	if err := c.Get(t.Context(), c.key("sh.helm.release.v1.book.v1"), &record); err != nil {
		t.Fatal(err)
	}
	rls, err := decode(record.Data["release"])
	if err != nil {
		t.Fatal(err)
	}
	rls.Manifest += foreign
	rls.Hooks = append(rls.Hooks, &release.Hook{
		Name: "evil", Kind: "ConfigMap", Path: "x", Events: []release.HookEvent{release.HookPreDelete},
		Manifest: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: evil}\n",
	})
	record.Data["release"] = encode(rls)
	if err := c.Update(t.Context(), &record); err != nil {
		t.Fatal(err)
	}
	if err := c.Delete(t.Context(), view); err != nil {
		t.Fatal(err)
	}
	c.requests.reset()
	c.startOperator(func(s *operator.Settings) {
		s.WatchesFile = c.watches("", map[string]string{"templates/hook.yaml": deletionHook})
	})
	c.eventually("the MarkdownView is gone", func() error {
		if err := c.Get(t.Context(), c.key("book"), view); !apierrors.IsNotFound(err) {
			return fmt.Errorf("it is there, with finalizers %v: %w", view.Finalizers, err)
		}
		return nil
	})
	if diff := cmp.Diff(before, versions()); diff != "" {
		t.Errorf("somebody else's objects were touched (-before +after):\n%s", diff)
	}
	if i := slices.IndexFunc(c.requests.list(), func(r string) bool { return strings.Contains(r, "evil") }); i >= 0 {
		t.Errorf("a tampered record made the operator ask %s", c.requests.list()[i])
	}
	if records := c.records(); len(records) > 0 {
		t.Errorf("records are left: %v", records)
	}
}

const deletionHook = `apiVersion: v1
kind: ConfigMap
metadata:
  name: hook-{{ .Values.name }}
  annotations:
    helm.sh/hook: pre-delete
`

// TestForgedRecordRunsNoPod: whoever may edit ConfigMaps can write a record that is whole, its sum with it, and
// that speaks of another pod. The operator may make pods, so it must not make that one.
func TestForgedRecordRunsNoPod(t *testing.T) {
	for name, prepare := range map[string]func(*cluster, *viewv1.MarkdownView){
		"a book that is served": func(*cluster, *viewv1.MarkdownView) {},
		// The last good one is put right from the record then.
		"a book that is refused": func(c *cluster, view *viewv1.MarkdownView) {
			view.Spec.Markdowns = map[string]string{"SUMMARY.md": "- [Home](gone.md)\n"}
			if err := c.Update(c.Context(), view); err != nil {
				c.Fatal(err)
			}
			c.settle()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t)
			c.startOperator()
			view := c.published(book("# One"))
			c.settle()
			prepare(c, view)
			var before, after appsv1.Deployment
			if err := c.Get(t.Context(), c.key("viewer-book"), &before); err != nil {
				t.Fatal(err)
			}
			c.forge(view, "server:test", "evil:1")
			c.settle()
			if err := c.Get(t.Context(), c.key("viewer-book"), &after); err != nil {
				t.Fatal(err)
			}
			if after.Generation != before.Generation {
				t.Errorf("the Deployment was changed %d times, to %v", after.Generation-before.Generation, after.Spec.Template.Spec.Containers)
			}
			// Nor where there is something to be put right.
			if err := c.Delete(t.Context(), &after); err != nil {
				t.Fatal(err)
			}
			c.settle()
			if err := c.Get(t.Context(), c.key("viewer-book"), &after); client.IgnoreNotFound(err) != nil {
				t.Fatal(err)
			} else if err == nil && after.Spec.Template.Spec.Containers[0].Image != "server:test" {
				t.Errorf("the pod of the forged record is run: %s", after.Spec.Template.Spec.Containers[0].Image)
			}
		})
	}
}

// forge rewrites the first record of "book" with another text in its manifest, and all that is worked out of it.
func (c *cluster) forge(view *viewv1.MarkdownView, was, becomes string) {
	c.Helper()
	var record corev1.ConfigMap
	if err := c.Get(c.Context(), c.key("sh.helm.release.v1.book.v1"), &record); err != nil {
		c.Fatal(err)
	}
	rls, err := decode(record.Data["release"])
	if err != nil {
		c.Fatal(err)
	}
	rls.Manifest = strings.ReplaceAll(rls.Manifest, was, becomes)
	record.Data["release"] = encode(rls)
	objects, err := render.Parse(rls.Manifest, c.namespace)
	if err != nil {
		c.Fatal(err)
	}
	var applied []map[string]any
	if err := json.Unmarshal([]byte(record.Annotations[viewv1.AnnotationObjects]), &applied); err != nil {
		c.Fatal(err)
	}
	for _, object := range objects {
		render.Mark(object, render.OwnerOf(view))
		for _, entry := range applied {
			if entry["k"] == object.GetKind() && entry["n"] == object.GetName() && entry["d"] != render.ObjectDigest(object) {
				entry["d"], entry["o"] = render.ObjectDigest(object), "forged"
			}
		}
	}
	list, err := json.Marshal(applied)
	if err != nil {
		c.Fatal(err)
	}
	if !strings.Contains(string(list), "forged") {
		c.Fatalf("nothing in the manifest is %s", was)
	}
	record.Annotations[viewv1.AnnotationObjects] = string(list)
	record.Annotations[viewv1.AnnotationSum] = live.SumOf(record.Annotations, record.Data["release"])
	if err := c.Update(c.Context(), &record); err != nil {
		c.Fatal(err)
	}
}

// TestPlantedRecordIsLeftAlone: labels alone make no record ours, nor does a revision that nothing could follow.
func TestPlantedRecordIsLeftAlone(t *testing.T) {
	for name, plant := range map[string]func(record, owner *corev1.ConfigMap){
		"of another object": func(record, owner *corev1.ConfigMap) {
			record.Name = "sh.helm.release.v1.book.v7"
			record.OwnerReferences = []metav1.OwnerReference{
				{APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID, Controller: new(true)},
			}
		},
		"of the last revision": func(record, _ *corev1.ConfigMap) {
			record.Name, record.OwnerReferences = "sh.helm.release.v1.book.v9223372036854775807", nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t)
			c.startOperator()
			view := c.published(book("# One"))
			c.settle()
			owner := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: "somebody"}}
			if err := c.Create(t.Context(), owner); err != nil {
				t.Fatal(err)
			}
			var record corev1.ConfigMap
			if err := c.Get(t.Context(), c.key("sh.helm.release.v1.book.v1"), &record); err != nil {
				t.Fatal(err)
			}
			planted := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
				Namespace: c.namespace, Name: record.Name, Labels: record.Labels, Annotations: record.Annotations,
			}, Data: record.Data}
			plant(planted, owner)
			rls, err := decode(record.Data["release"])
			if err != nil {
				t.Fatal(err)
			}
			if rls.Version, err = strconv.Atoi(planted.Name[strings.LastIndexByte(planted.Name, 'v')+1:]); err != nil {
				t.Fatal(err)
			}
			planted.Data = map[string]string{"release": encode(rls)}
			planted.Labels["version"] = strconv.Itoa(rls.Version)
			if err := c.Create(t.Context(), planted); err != nil {
				t.Fatal(err)
			}
			c.settle()
			for i := range 4 { // more than the history holds
				view.Spec.Markdowns = book(fmt.Sprint("# More ", i))
				if err := c.Update(t.Context(), view); err != nil {
					t.Fatal(err)
				}
				c.released(view)
			}
			c.settle()
			if revision := view.Status.Release.Revision; revision != 5 {
				t.Errorf("revision %d, want 5", revision)
			}
			version := planted.ResourceVersion
			if err := c.Get(t.Context(), client.ObjectKeyFromObject(planted), planted); err != nil || planted.ResourceVersion != version {
				t.Errorf("the planted record was written to (%v)", err)
			}
		})
	}
}

// TestSecretsAreRecordsOrNothing: with the secret driver the operator sees Secrets, and a tenant's must mean nothing
// to it, whatever labels it has; nor do records in ConfigMaps, from before the driver was changed.
func TestSecretsAreRecordsOrNothing(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.startOperator()
	view := c.published(book("# One"))
	c.settle()
	c.stop()
	planted := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{
		Namespace: c.namespace, Name: "mine",
		Labels:      map[string]string{viewv1.LabelCreatedBy: viewv1.NameController, viewv1.LabelInstance: "book"},
		Annotations: map[string]string{viewv1.AnnotationAdopt: "book"},
	}}
	if err := c.Create(t.Context(), planted); err != nil {
		t.Fatal(err)
	}
	var old corev1.ConfigMap
	if err := c.Get(t.Context(), c.key("sh.helm.release.v1.book.v1"), &old); err != nil {
		t.Fatal(err)
	}
	c.startOperator(func(s *operator.Settings) { s.SecretRecords = true })
	for i := range 5 {
		view.Spec.Markdowns = book(fmt.Sprint("# More ", i))
		if err := c.Update(t.Context(), view); err != nil {
			t.Fatal(err)
		}
		c.released(view)
	}
	c.settle()
	var secrets corev1.SecretList
	if err := c.List(t.Context(), &secrets, client.InNamespace(c.namespace)); err != nil {
		t.Fatal(err)
	}
	if len(secrets.Items) != 4 { // the planted one and a history of three
		t.Errorf("%d Secrets, want 4", len(secrets.Items))
	}
	for _, object := range []client.Object{planted, &old} {
		version := object.GetResourceVersion()
		if err := c.Get(t.Context(), client.ObjectKeyFromObject(object), object); err != nil || object.GetResourceVersion() != version {
			t.Errorf("%T %s was written to (%v)", object, object.GetName(), err)
		}
	}
	c.requests.reset()
	c.stop()
	c.startOperator(func(s *operator.Settings) { s.SecretRecords = true })
	c.settle()
	if writes := c.requests.writes(); len(writes) > 0 {
		t.Errorf("a restart wrote %v", writes)
	}
}

// TestNeededTextIsOwned: a text that only pods need is in no record, yet it must go with its MarkdownView.
// The Helm CLI, rolling back to it, makes it without the owner reference.
func TestNeededTextIsOwned(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	view := c.published(book("# First"))
	c.settle()
	text := &corev1.ConfigMap{}
	text.Namespace, text.Name = c.namespace, "markdowns-book-"+view.Status.Content.Desired
	var deployment appsv1.Deployment
	if err := c.Get(t.Context(), c.key("viewer-book"), &deployment); err != nil {
		t.Fatal(err)
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: "viewer-book-1", Labels: deployment.Spec.Template.Labels},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "server", Image: "server:test"}}},
	}
	if err := c.Create(t.Context(), pod); err != nil {
		t.Fatal(err)
	}
	c.settle()
	view.Spec.Markdowns = book("# Second")
	if err := c.Update(t.Context(), view); err != nil {
		t.Fatal(err)
	}
	c.released(view)
	c.settle()

	c.requests.reset()
	if err := c.Patch(t.Context(), text, client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"ownerReferences":null}}`))); err != nil {
		t.Fatal(err)
	}
	c.eventually("the text is owned again", func() error {
		if err := c.Get(t.Context(), client.ObjectKeyFromObject(text), text); err != nil {
			return err
		}
		if owner := metav1.GetControllerOf(text); owner == nil || owner.UID != view.UID {
			return fmt.Errorf("its owners are %v", text.OwnerReferences)
		}
		return nil
	})
	c.settle()
	if writes := c.requests.writes(); len(writes) != 1 {
		t.Errorf("want one write, got %v", writes)
	}
}
