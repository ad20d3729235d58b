// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"maps"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/plan"
	"github.com/bobuhiro11/markdown-view/internal/render"
)

// held is an entry of managedFields: what a manager holds, as the API server writes it.
func held(manager string, operation metav1.ManagedFieldsOperationType, subresource, apiVersion, fields string) metav1.ManagedFieldsEntry {
	return metav1.ManagedFieldsEntry{
		Manager: manager, Operation: operation, Subresource: subresource, APIVersion: apiVersion,
		FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(fields),
	}
}

const serviceFields = `{"f:metadata":{"f:labels":{"f:app.kubernetes.io/name":{}}},"f:spec":{"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:port":{},"f:protocol":{},"f:targetPort":{}}},"f:selector":{}}}`

// service is a Service as the API server returns it after our apply.
func service() *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "docs", Name: "viewer-book", UID: "u1", ResourceVersion: "7",
			Labels:        map[string]string{"app.kubernetes.io/name": "mdbook", viewv1.LabelInstance: "book"},
			Annotations:   map[string]string{"meta.helm.sh/release-name": "book", "example": "dropped"},
			ManagedFields: []metav1.ManagedFieldsEntry{held(viewv1.FieldManager, "Apply", "", "v1", serviceFields)},
		},
		Spec: corev1.ServiceSpec{
			ClusterIP: "10.0.0.1", Selector: map[string]string{"app.kubernetes.io/instance": "book"},
			Ports: []corev1.ServicePort{{Name: "http", Port: 80, Protocol: "TCP", TargetPort: intstr.FromString("http")}},
		},
	}
}

const deploymentFields = `{"f:spec":{"f:replicas":{},"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"server\"}":{".":{},"f:image":{},"f:name":{}}}}}}}`

func viewer() *appsv1.Deployment {
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "docs", Name: "viewer-book", UID: "u2", Generation: 3,
			ManagedFields: []metav1.ManagedFieldsEntry{held(viewv1.FieldManager, "Apply", "", "apps/v1", deploymentFields)},
		},
		Spec: appsv1.DeploymentSpec{
			Replicas: new(int32(2)),
			Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "server", Image: "server:v1"}}}},
		},
		Status: appsv1.DeploymentStatus{Replicas: 2},
	}
}

func stripped(tb testing.TB, object client.Object) client.Object {
	tb.Helper()
	out, err := Strip(object)
	if err != nil {
		tb.Fatalf("an error of a transform stops the whole cache: %v", err)
	}
	return out.(client.Object)
}

// TestOwnedDigest: what somebody else does to an object, and whether that is drift.
func TestOwnedDigest(t *testing.T) {
	versions := 0
	digest := func(object client.Object) string {
		// As the API server would: another state is another version.
		versions++
		object.SetResourceVersion(strconv.Itoa(versions))
		return stripped(t, object).GetAnnotations()[cachedOwned]
	}
	serviceThat := func(change func(*corev1.Service)) client.Object {
		s := service()
		change(s)
		return s
	}
	viewerThat := func(change func(*appsv1.Deployment)) client.Object {
		d := viewer()
		change(d)
		return d
	}
	cases := map[string]struct {
		reason string
		before client.Object
		after  client.Object
		drift  bool
	}{
		"Nothing": {
			"The same object has the same digest; a new resourceVersion is no change.", service(),
			serviceThat(func(s *corev1.Service) { s.ResourceVersion = "8" }), false,
		},
		"FieldChanged": {
			"A field of ours has another value.", service(),
			serviceThat(func(s *corev1.Service) { s.Spec.Ports[0].TargetPort = intstr.FromInt32(1) }), true,
		},
		"FieldRemoved": {
			"A label of ours is gone.", service(),
			serviceThat(func(s *corev1.Service) { delete(s.Labels, "app.kubernetes.io/name") }), true,
		},
		"FieldTakenOver": {
			"The value is the same, but somebody forced the ownership away: his next change would go unseen.", service(),
			serviceThat(func(s *corev1.Service) {
				s.ManagedFields[0] = held(viewv1.FieldManager, "Apply", "", "v1", `{"f:spec":{"f:selector":{}}}`)
			}), true,
		},
		"EverythingTakenOver": {
			"Our manager's entry is gone altogether.", service(),
			serviceThat(func(s *corev1.Service) { s.ManagedFields = nil }), true,
		},
		"FieldsAdded": {
			"Fields of others are theirs: an annotation of a load balancer, a cluster IP.", service(),
			serviceThat(func(s *corev1.Service) {
				s.Annotations["lb"] = "x"
				s.Labels["team"] = "docs"
				s.Spec.ExternalIPs = []string{"192.0.2.1"}
				s.ManagedFields = append(s.ManagedFields, held("kubectl", "Update", "", "v1", `{"f:metadata":{"f:labels":{"f:team":{}}}}`))
			}), false,
		},
		"ListItemAdded": {
			"So is a port beside ours.", service(),
			serviceThat(func(s *corev1.Service) {
				s.Spec.Ports = append(s.Spec.Ports, corev1.ServicePort{Name: "x", Port: 81, Protocol: "TCP"})
			}), false,
		},
		"OtherSubresource": {
			"What our manager holds through another subresource is not the object.", service(),
			serviceThat(func(s *corev1.Service) {
				s.ManagedFields = append(s.ManagedFields, held(viewv1.FieldManager, "Apply", "status", "v1", `{"f:status":{}}`))
			}), false,
		},
		"Image": {
			"A container's image.", viewer(),
			viewerThat(func(d *appsv1.Deployment) { d.Spec.Template.Spec.Containers[0].Image = "evil" }), true,
		},
		"Replicas": {
			"Replicas are compared by the plan, not by the digest.", viewer(),
			viewerThat(func(d *appsv1.Deployment) { d.Spec.Replicas = new(int32(5)) }), false,
		},
		"Status": {
			"A status is nobody's wish.", viewer(),
			viewerThat(func(d *appsv1.Deployment) { d.Status.AvailableReplicas = 2 }), false,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if drift := digest(c.before) != digest(c.after); drift != c.drift || digest(c.before) == "" {
				t.Errorf("%s: drift %v, want %v", c.reason, drift, c.drift)
			}
		})
	}
}

// TestStrip: what is left of each object. Nothing of a book's text is cached.
// TestOwnedDigestOfAText: what we hold of a text is the same whether it was created or applied, and an
// apply counts for more than a creation.
func TestOwnedDigestOfAText(t *testing.T) {
	t.Parallel()
	const fields = `{"f:data":{".":{},"f:a.md":{}},"f:immutable":{},"f:metadata":{"f:labels":{".":{},"f:app.kubernetes.io/name":{}}}}`
	const leaves = `{"f:data":{"f:a.md":{}},"f:immutable":{},"f:metadata":{"f:labels":{"f:app.kubernetes.io/name":{}}}}`
	digest := func(label string, entries ...metav1.ManagedFieldsEntry) string {
		text := &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "docs", Name: "viewer-book-1",
				Labels: map[string]string{"app.kubernetes.io/name": label, "theirs": "x"}, ManagedFields: entries,
			},
			Immutable: new(true), Data: map[string]string{"a.md": "# A"},
		}
		return stripped(t, text).GetAnnotations()[cachedOwned]
	}
	applied := digest("mdbook", held(viewv1.FieldManager, "Apply", "", "v1", leaves))
	created := digest("mdbook", held("else", "Update", "", "v1", `{"f:metadata":{"f:labels":{"f:theirs":{}}}}`), held(viewv1.FieldManager, "Update", "", "v1", fields))
	both := digest("mdbook", held(viewv1.FieldManager, "Apply", "", "v1", leaves), held(viewv1.FieldManager, "Update", "", "v1", fields))
	changed := digest("mine", held(viewv1.FieldManager, "Update", "", "v1", fields))
	lost := digest("mdbook", held(viewv1.FieldManager, "Update", "", "v1", `{"f:data":{".":{},"f:a.md":{}},"f:immutable":{}}`))
	if created != applied || both != applied {
		t.Errorf("created %s, applied %s, both %s: want the same", created, applied, both)
	}
	if changed == created || lost == created || changed == lost {
		t.Errorf("created %s, changed %s, taken over %s: want three digests", created, changed, lost)
	}
}

func TestStrip(t *testing.T) {
	meta := func(annotations map[string]string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Namespace: "docs", Name: "x", UID: "u", ResourceVersion: "7", Annotations: annotations}
	}
	recordOfHelm := func(m metav1.ObjectMeta, labels map[string]string) metav1.ObjectMeta {
		m.Name, m.Labels = "sh.helm.release.v1.book.v2", labels
		return m
	}
	record := map[string]string{"owner": "helm", "name": "book", "version": "2"}
	signed, err := RecordAnnotations("d", nil, "payload")
	if err != nil {
		t.Fatal(err)
	}
	// keptOf is what of a record's annotations is cached.
	keptOf := func(intact string) map[string]string {
		return map[string]string{
			viewv1.AnnotationDigest: "d", viewv1.AnnotationObjects: "[]", viewv1.AnnotationSum: signed[viewv1.AnnotationSum], cachedIntact: intact,
		}
	}
	cases := map[string]struct {
		reason   string
		in, want client.Object
	}{
		"Content": {
			"A book's text is reduced to the digest of what we hold of it.",
			&corev1.ConfigMap{ObjectMeta: meta(map[string]string{"a": "b"}), Data: map[string]string{"a.md": "# A"}},
			&corev1.ConfigMap{ObjectMeta: meta(map[string]string{cachedOwned: "*"})},
		},
		"Record": {
			"A record's payload is reduced to whether it is as we wrote it.",
			&corev1.ConfigMap{ObjectMeta: recordOfHelm(meta(signed), record), Data: map[string]string{"release": "payload"}},
			&corev1.ConfigMap{ObjectMeta: recordOfHelm(meta(keptOf("true")), record)},
		},
		"RecordTampered": {
			"One byte of it changed.",
			&corev1.ConfigMap{ObjectMeta: recordOfHelm(meta(signed), record), Data: map[string]string{"release": "payloae"}},
			&corev1.ConfigMap{ObjectMeta: recordOfHelm(meta(keptOf("false")), record)},
		},
		"RecordEmptied": {
			"Or all of it gone.",
			&corev1.ConfigMap{ObjectMeta: recordOfHelm(meta(signed), record)},
			&corev1.ConfigMap{ObjectMeta: recordOfHelm(meta(keptOf("false")), record)},
		},
		"RecordOfTheCLI": {
			"The Helm CLI writes no sum, so what it wrote is not ours.",
			&corev1.ConfigMap{ObjectMeta: recordOfHelm(meta(nil), record), Data: map[string]string{"release": "payload"}},
			&corev1.ConfigMap{ObjectMeta: recordOfHelm(meta(map[string]string{cachedIntact: "false"}), record)},
		},
		"SecretRecord": {
			"The same payload in a Secret.",
			&corev1.Secret{ObjectMeta: recordOfHelm(meta(signed), record), Data: map[string][]byte{"release": []byte("payload")}},
			&corev1.Secret{ObjectMeta: recordOfHelm(meta(keptOf("true")), record)},
		},
		"ServiceAccount": {
			"Nothing but metadata.",
			&corev1.ServiceAccount{ObjectMeta: meta(nil), Secrets: []corev1.ObjectReference{{Name: "s"}}},
			&corev1.ServiceAccount{ObjectMeta: meta(map[string]string{cachedOwned: "*"})},
		},
		"PodDisruptionBudget": {
			"Its status is not ours to judge.",
			&policyv1.PodDisruptionBudget{ObjectMeta: meta(nil), Status: policyv1.PodDisruptionBudgetStatus{CurrentHealthy: 1}},
			&policyv1.PodDisruptionBudget{ObjectMeta: meta(map[string]string{cachedOwned: "*"})},
		},
		"Deployment": {
			"Replicas and status are what health reads; replicas that nobody set through scale are not an autoscaler's.",
			&appsv1.Deployment{
				ObjectMeta: meta(nil), Spec: appsv1.DeploymentSpec{Replicas: new(int32(2)), Paused: true},
				Status: appsv1.DeploymentStatus{Replicas: 2},
			},
			&appsv1.Deployment{
				ObjectMeta: meta(map[string]string{cachedOwned: "*"}), Spec: appsv1.DeploymentSpec{Replicas: new(int32(2))},
				Status: appsv1.DeploymentStatus{Replicas: 2},
			},
		},
		"Pod": {
			"What containers last said, and whether a node was found; neither spec nor environment.",
			&corev1.Pod{
				ObjectMeta: meta(map[string]string{"a": "b"}), Spec: corev1.PodSpec{NodeName: "n"},
				Status: corev1.PodStatus{
					Phase: "Pending", HostIP: "192.0.2.1",
					Conditions: []corev1.PodCondition{{Type: corev1.PodReady}, {Type: corev1.PodInitialized}},
					InitContainerStatuses: []corev1.ContainerStatus{{
						Name: "build", ImageID: "dropped", State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 101}},
					}},
				},
			},
			&corev1.Pod{
				ObjectMeta: meta(map[string]string{cachedOwned: ""}),
				Status: corev1.PodStatus{
					Phase: "Pending", Conditions: []corev1.PodCondition{{Type: corev1.PodReady}},
					InitContainerStatuses: []corev1.ContainerStatus{{
						Name: "build", State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 101}},
					}},
					ContainerStatuses: []corev1.ContainerStatus{},
				},
			},
		},
		"ForgedMarks": {
			"Marks of a cached copy cannot come from the API server: whoever writes them there gains nothing.",
			&corev1.ConfigMap{
				ObjectMeta: meta(map[string]string{"cached.view.bobuhiro11.net/owned": "forged", "cached.view.bobuhiro11.net/error": ""}),
				Data:       map[string]string{"a.md": "# A"},
			},
			&corev1.ConfigMap{ObjectMeta: meta(map[string]string{cachedOwned: "*"})},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := stripped(t, c.in)
			again := stripped(t, got)
			if diff := cmp.Diff(got, again); diff != "" {
				t.Errorf("a second Strip, as after a resync, changes the object:\n%s", diff)
			}
			if annotations := got.GetAnnotations(); c.want.GetAnnotations()[cachedOwned] == "*" && annotations[cachedOwned] != "" {
				annotations = maps.Clone(annotations)
				annotations[cachedOwned] = "*"
				got.SetAnnotations(annotations)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", c.reason, diff)
			}
		})
	}
}

// TestStripNeverFails: what cannot be read counts as changed; what is no object passes through.
func TestStripNeverFails(t *testing.T) {
	for _, fields := range []string{`{"f:spec":`, `{"q:spec":{}}`, `[]`} {
		broken := service()
		broken.ResourceVersion = "of " + fields
		broken.ManagedFields[0].FieldsV1 = metav1.NewFieldsV1(fields)
		if marks := stripped(t, broken).GetAnnotations(); marks[cachedError] == "" || marks[cachedOwned] != "" {
			t.Errorf("managed fields %s are cached as %v", fields, marks)
		}
	}
	for _, in := range []any{"text", nil, cache.DeletedFinalStateUnknown{Key: "docs/x", Obj: service()}} {
		if out, err := Strip(in); err != nil {
			t.Errorf("Strip(%T) = %v, %v", in, out, err)
		}
	}
}

func TestScaled(t *testing.T) {
	const replicas = `{"f:spec":{"f:replicas":{}}}`
	cases := map[string]struct {
		reason string
		fields []metav1.ManagedFieldsEntry
		want   bool
	}{
		"Ours":       {"The operator itself applies replicas.", []metav1.ManagedFieldsEntry{held(viewv1.FieldManager, "Apply", "", "apps/v1", replicas)}, false},
		"Autoscaler": {"A HorizontalPodAutoscaler writes through scale.", []metav1.ManagedFieldsEntry{held("kube-controller-manager", "Update", "scale", "apps/v1", replicas)}, true},
		"KEDA":       {"So do its kin.", []metav1.ManagedFieldsEntry{held("keda", "Update", "scale", "apps/v1", replicas)}, true},
		"Kubectl":    {"A person's `kubectl scale` is drift.", []metav1.ManagedFieldsEntry{held("kubectl", "Update", "scale", "apps/v1", replicas)}, false},
		"Edit":       {"So is an edit of the object.", []metav1.ManagedFieldsEntry{held("kubectl-edit", "Update", "", "apps/v1", replicas)}, false},
		"NotScale":   {"A controller that writes elsewhere is no autoscaler.", []metav1.ManagedFieldsEntry{held("kube-controller-manager", "Update", "status", "apps/v1", `{"f:status":{"f:replicas":{}}}`)}, false},
		"LetGo":      {"An autoscaler whose field was taken back is one no longer.", []metav1.ManagedFieldsEntry{held("keda", "Update", "scale", "apps/v1", `{"f:metadata":{}}`)}, false},
		"NoFields":   {"An entry without fields says nothing.", []metav1.ManagedFieldsEntry{{Manager: "keda", Subresource: "scale"}}, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := Scaled(c.fields); got != c.want {
				t.Errorf("%s: Scaled = %v", c.reason, got)
			}
		})
	}
}

// TestRecordSurvives: what one process writes on a record is what the next one reads.
func TestRecordSurvives(t *testing.T) {
	objects := map[plan.Ref]plan.Applied{
		{Kind: "Deployment", Name: "viewer-book"}: {Desired: "d1", Owned: "o1", Asked: new(int32(1)), Replicas: new(int32(3))},
		{Kind: "Service", Name: "viewer-book"}:    {Desired: "d2", Owned: "o2"},
	}
	annotations, err := RecordAnnotations("digest", objects, "payload")
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string]string{"owner": "helm", "name": "book", "version": "4", "status": "deployed"}
	read := func(annotations, labels map[string]string, payload string) *plan.Record {
		return recordOf(stripped(t, &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: "sh.helm.release.v1.book.v4", Labels: labels, Annotations: annotations},
			Data:       map[string]string{"release": payload},
		}), RecordRef{Name: "sh.helm.release.v1.book.v4", Revision: 4}, render.Owner{Name: "book"})
	}
	edit := func(m map[string]string, key, value string) map[string]string {
		m = maps.Clone(m)
		m[key] = value
		return m
	}
	whole := plan.Record{Revision: 4, Deployed: true, Intact: true, Sum: annotations[viewv1.AnnotationSum], Digest: "digest", Objects: objects}
	cases := map[string]struct {
		reason string
		got    *plan.Record
		want   func(*plan.Record)
	}{
		"Whole":        {"As it was written.", read(annotations, labels, "payload"), func(*plan.Record) {}},
		"Superseded":   {"Rewritten by us with another payload.", read(ResumRecord(annotations, "other"), edit(labels, "status", "superseded"), "other"), func(r *plan.Record) { r.Deployed, r.Sum = false, SumOf(annotations, "other") }},
		"Payload":      {"Another payload under the old sum.", read(annotations, labels, "other"), func(r *plan.Record) { r.Intact = false }},
		"Digest":       {"Another digest.", read(edit(annotations, viewv1.AnnotationDigest, "forged"), labels, "payload"), func(r *plan.Record) { r.Intact, r.Digest = false, "forged" }},
		"BadRevision":  {"Labels that contradict the name, which nobody can change: Helm would not find the record.", read(annotations, edit(labels, "version", "9"), "payload"), func(r *plan.Record) { r.Deployed = false }},
		"OtherRelease": {"So does the release's name.", read(annotations, edit(labels, "name", "other"), "payload"), func(r *plan.Record) { r.Deployed = false }},
		"NoObjects":    {"The list of objects is no JSON.", read(edit(annotations, viewv1.AnnotationObjects, "{"), labels, "payload"), func(r *plan.Record) { r.Intact, r.Objects = false, map[plan.Ref]plan.Applied{} }},
		"StatusForged": {"The status is a label, and outside the sum: it can only cause one more upgrade.", read(annotations, edit(labels, "status", "failed"), "payload"), func(r *plan.Record) { r.Deployed = false }},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			want := whole
			c.want(&want)
			if diff := cmp.Diff(&want, c.got); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", c.reason, diff)
			}
		})
	}
}

// BenchmarkStrip is the cost of one event of the cache.
func BenchmarkStrip(b *testing.B) {
	for name, object := range map[string]func() client.Object{
		"Service":    func() client.Object { return service() },
		"Deployment": func() client.Object { return viewer() },
		"Content": func() client.Object {
			return &corev1.ConfigMap{Data: map[string]string{"a.md": string(make([]byte, 10<<10))}}
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			in := object()
			for b.Loop() {
				if _, err := Strip(in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
