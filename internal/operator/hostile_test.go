// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator_test

import (
	"crypto/rand"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/operator"
)

// mutate installs a mutating webhook for the test's Services that sets a label of ours to what value
// returns. It is a real one, called by the API server.
func (c *cluster) mutate(value func() string) {
	c.Helper()
	hook := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review admissionv1.AdmissionReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		patchType := admissionv1.PatchTypeJSONPatch
		review.Response = &admissionv1.AdmissionResponse{
			UID: review.Request.UID, Allowed: true, PatchType: &patchType,
			Patch: fmt.Appendf(nil, `[{"op":"add","path":"/metadata/labels/app.kubernetes.io~1part-of","value":%q}]`, value()),
		}
		review.Request = nil
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(review)
	}))
	c.Cleanup(hook.Close)
	none, scope, ignore := admissionregistrationv1.SideEffectClassNone, admissionregistrationv1.NamespacedScope, admissionregistrationv1.Ignore
	configuration := &admissionregistrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "mutate-"},
		Webhooks: []admissionregistrationv1.MutatingWebhook{{
			Name: "mutate.example.com", SideEffects: &none, FailurePolicy: &ignore, AdmissionReviewVersions: []string{"v1"},
			ClientConfig: admissionregistrationv1.WebhookClientConfig{
				URL: &hook.URL, CABundle: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: hook.Certificate().Raw}),
			},
			NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{corev1.LabelMetadataName: c.namespace}},
			Rules: []admissionregistrationv1.RuleWithOperations{{
				Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create, admissionregistrationv1.Update},
				Rule:       admissionregistrationv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"services"}, Scope: &scope},
			}},
		}},
	}
	if err := c.Create(c.Context(), configuration); err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { _ = c.Delete(c.Context(), configuration) })
	time.Sleep(time.Second) // The API server reads webhook configurations from a cache of its own.
}

func (c *cluster) service() *corev1.Service {
	c.Helper()
	service := &corev1.Service{}
	if err := c.Get(c.Context(), c.key("viewer-book"), service); err != nil {
		c.Fatal(err)
	}
	return service
}

// TestWebhookThatCameLater: what it makes of an object is recorded once; then there is peace.
func TestWebhookThatCameLater(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	c.edited(1)
	c.settle()
	c.mutate(func() string { return "policy" })
	service := c.service()
	service.Spec.Ports[0].Name = "other"
	if err := c.Update(t.Context(), service); err != nil {
		t.Fatal(err)
	}
	c.settle()
	if got := c.service(); got.Spec.Ports[0].Name != "http" || got.Labels["app.kubernetes.io/part-of"] != "policy" {
		t.Errorf("the Service is %+v", got)
	}
	c.requests.reset()
	time.Sleep(3 * time.Second)
	if got := c.requests.writes(); len(got) > 0 {
		t.Errorf("no peace: %v", got)
	}
	c.sound()
}

// TestWebhookThatRollsDice: each write makes something else of the object. There is a cap.
func TestWebhookThatRollsDice(t *testing.T) {
	c := newCluster(t)
	c.mutate(rand.Text)
	c.startOperator()
	c.edited(1)
	c.settle()
	c.requests.reset()
	service := c.service()
	service.Spec.Ports[0].Name = "other"
	if err := c.Update(t.Context(), service); err != nil {
		t.Fatal(err)
	}
	c.eventually("put right", func() error {
		if got := c.service().Spec.Ports[0].Name; got != "http" {
			return fmt.Errorf("the port is %s", got)
		}
		return nil
	})
	c.settle()
	if n := len(c.requests.writes()); n > 90 {
		t.Errorf("%d writes", n)
	}
}

// TestTextReplacedByHand: nobody can change an immutable ConfigMap, so people replace it.
func TestTextReplacedByHand(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	view := c.edited(1)
	c.settle()
	var text corev1.ConfigMap
	if err := c.Get(t.Context(), c.key("markdowns-book-"+view.Status.Content.Desired), &text); err != nil {
		t.Fatal(err)
	}
	c.stop() // `kubectl replace --force` deletes and creates in one breath.
	if err := c.Delete(t.Context(), &text); err != nil {
		t.Fatal(err)
	}
	other := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: text.Namespace, Name: text.Name, Labels: text.Labels, Annotations: text.Annotations, OwnerReferences: text.OwnerReferences},
		Data:       map[string]string{"README.md": "# Mine"}, Immutable: text.Immutable,
	}
	if err := c.Create(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	c.startOperator()
	c.eventually("the text is the author's again", func() error {
		var now corev1.ConfigMap
		if err := c.Get(t.Context(), client.ObjectKeyFromObject(&text), &now); err != nil {
			return err
		}
		if now.Data["README.md"] != "# 1" {
			return fmt.Errorf("it is %v", now.Data)
		}
		return nil
	})
	c.settle()
	c.sound()
}

// TestListKeyChangedWhileNobodyLooked: a port's number is its key, so the wanted port comes back beside
// the changed one, with the same name, which the API server refuses. With an edition in between this
// is an upgrade and no repair.
func TestListKeyChangedWhileNobodyLooked(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	view := c.edited(1)
	c.settle()
	c.stop()
	service := c.service()
	service.Spec.Ports[0].Port = 81
	if err := c.Update(t.Context(), service); err != nil {
		t.Fatal(err)
	}
	if err := c.Get(t.Context(), c.key("book"), view); err != nil {
		t.Fatal(err)
	}
	view.Spec.Markdowns = book("# 2")
	if err := c.Update(t.Context(), view); err != nil {
		t.Fatal(err)
	}
	c.startOperator()
	c.released(view)
	c.settle()
	if ports := c.service().Spec.Ports; len(ports) != 1 || ports[0].Port != 80 {
		t.Errorf("ports are %+v", ports)
	}
}

// TestTerminatingNamespace: children go one by one, and the operator neither fights for them nor makes
// a noise about it.
func TestTerminatingNamespace(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	c.edited(1)
	c.settle()
	if err := c.Delete(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: c.namespace}}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second) // The API server's admission reads namespaces from a cache of its own.
	c.requests.reset()
	if err := c.Delete(t.Context(), c.service()); err != nil {
		t.Fatal(err)
	}
	c.settle()
	time.Sleep(2 * time.Second)
	if writes := c.requests.writes(); len(writes) > 6 {
		t.Errorf("%d writes into a namespace that is going: %v", len(writes), writes)
	}
	if err := c.Get(t.Context(), c.key("viewer-book"), &corev1.Service{}); !apierrors.IsNotFound(err) {
		t.Errorf("the Service came back: %v", err)
	}
}

// TestDeletedAndCreatedAnew: the garbage collector has not come yet when the author creates the book
// again. Nothing of the predecessor is taken up, because it goes at any moment.
func TestDeletedAndCreatedAnew(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	old := c.edited(2)
	c.settle()
	if err := c.Delete(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	view := c.view("book", book("# Anew"))
	if err := c.Create(t.Context(), view); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * time.Second)
	if owner := metav1.GetControllerOf(c.service()); owner == nil || owner.UID != old.UID {
		t.Errorf("the predecessor's Service was taken up: %v", owner)
	}
	for key := range c.everything() {
		kind, name, _ := strings.Cut(key, " ")
		object := map[string]client.Object{
			"*v1.ConfigMap": &corev1.ConfigMap{}, "*v1.Service": &corev1.Service{}, "*v1.ServiceAccount": &corev1.ServiceAccount{},
		}[kind]
		if object == nil {
			continue
		}
		c.collect(object, name, old)
	}
	c.collect(deployment(), "viewer-book", old)
	c.released(view)
	c.settle()
	if owner := metav1.GetControllerOf(c.service()); owner == nil || owner.UID != view.UID {
		t.Errorf("the Service is %v's", owner)
	}
	c.sound()
	c.ownedByOwner(view.UID)
}

// collect deletes an object if the MarkdownView owns it, as the garbage collector does.
func (c *cluster) collect(object client.Object, name string, owner *viewv1.MarkdownView) {
	c.Helper()
	if err := c.Get(c.Context(), c.key(name), object); err != nil {
		c.Fatal(err)
	}
	if ref := metav1.GetControllerOf(object); ref == nil || ref.UID != owner.UID {
		return
	}
	uid := object.GetUID()
	if err := c.Delete(c.Context(), object, client.Preconditions{UID: &uid}); client.IgnoreNotFound(err) != nil {
		c.Fatal(err)
	}
}

func deployment() client.Object { return &appsv1.Deployment{} }

// TestUnknownFieldIsRefused: a chart's misspelt field is not dropped in silence, however its object is
// written: by an apply, or, immutable, by POST.
func TestUnknownFieldIsRefused(t *testing.T) {
	const text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra\ndatum: {}\n"
	for name, test := range map[string]struct{ template, reason, words string }{
		// The API server answers an apply with its own failure (500), so it is tried again.
		"applied": {text, viewv1.ReasonApplyFailed, ".datum: field not declared in schema"},
		"created": {text + "immutable: true\n", viewv1.ReasonRenderFailed, `unknown field "datum"`},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCluster(t)
			c.startOperator(func(s *operator.Settings) {
				s.WatchesFile = c.watches("", map[string]string{"templates/extra.yaml": test.template})
			})
			view := c.view("book", book("# One"))
			if err := c.Create(t.Context(), view); err != nil {
				t.Fatal(err)
			}
			c.eventually("the status names the field", func() error {
				if err := c.Get(t.Context(), c.key("book"), view); err != nil {
					return err
				}
				released := meta.FindStatusCondition(view.Status.Conditions, viewv1.ConditionReleased)
				if released == nil || released.Reason != test.reason || !strings.Contains(released.Message, test.words) {
					return fmt.Errorf("Released is %+v", released)
				}
				return nil
			})
		})
	}
}
