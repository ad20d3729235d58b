// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/yaml"
)

const objects = `
- apiVersion: cert-manager.io/v1
  kind: Issuer
  metadata: {name: selfsigned, namespace: system}
  spec: {selfSigned: {}}
- apiVersion: cert-manager.io/v1
  kind: Issuer
  metadata: {name: acme, namespace: system}
  spec: {acme: {}}
- apiVersion: cert-manager.io/v1
  kind: Certificate
  metadata: {name: serving, namespace: system, uid: "1"}
  spec: {dnsNames: [webhook.system.svc], secretName: webhook-cert, issuerRef: {name: selfsigned}}
- apiVersion: cert-manager.io/v1
  kind: Certificate
  metadata: {name: other, namespace: system, uid: "2"}
  spec: {dnsNames: [a.example], secretName: other-cert, issuerRef: {name: acme}}
- apiVersion: admissionregistration.k8s.io/v1
  kind: ValidatingWebhookConfiguration
  metadata: {name: ours, annotations: {cert-manager.io/inject-ca-from: system/serving}}
  webhooks: [{name: a.example, clientConfig: {}}, {name: b.example, clientConfig: {}}]
- apiVersion: admissionregistration.k8s.io/v1
  kind: ValidatingWebhookConfiguration
  metadata: {name: foreign, annotations: {cert-manager.io/inject-ca-from: system/other}}
  webhooks: [{name: c.example, clientConfig: {}}]
`

func newIssuer(t *testing.T, now time.Time) *issuer {
	t.Helper()
	var list []map[string]any
	if err := yaml.Unmarshal([]byte(objects), &list); err != nil {
		t.Fatal(err)
	}
	builder := fake.NewClientBuilder().WithScheme(clientgoscheme.Scheme).WithStatusSubresource(kind(certificateKind))
	for _, object := range list {
		builder = builder.WithObjects(&unstructured.Unstructured{Object: object})
	}
	return &issuer{client: builder.Build(), now: func() time.Time { return now }}
}

func request(name string) reconcile.Request {
	return reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "system", Name: name}}
}

func secretOf(t *testing.T, i *issuer) *corev1.Secret {
	t.Helper()
	secret := &corev1.Secret{}
	if err := i.client.Get(t.Context(), types.NamespacedName{Namespace: "system", Name: "webhook-cert"}, secret); err != nil {
		t.Fatal(err)
	}
	return secret
}

// The Secret's certificate is one that a client with the injected bundle trusts, and it is kept until
// it is near its end.
func TestIssueAndInject(t *testing.T) {
	now := time.Now()
	i := newIssuer(t, now)
	if _, err := i.Reconcile(t.Context(), request("serving")); err != nil {
		t.Fatal(err)
	}
	secret := secretOf(t, i)
	pair, err := tls.X509KeyPair(secret.Data[corev1.TLSCertKey], secret.Data[corev1.TLSPrivateKeyKey])
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"ours": 2, "foreign": 0} {
		bundles := bundlesOf(t, i, name)
		if len(bundles) != want {
			t.Fatalf("webhook configuration %s has %d bundles, want %d", name, len(bundles), want)
		}
		for _, bundle := range bundles {
			pool := x509.NewCertPool()
			pool.AppendCertsFromPEM(bundle)
			if _, err := pair.Leaf.Verify(x509.VerifyOptions{DNSName: "webhook.system.svc", Roots: pool}); err != nil {
				t.Errorf("the injected bundle: %v", err)
			}
		}
	}

	i.now = func() time.Time { return now.Add(time.Hour) }
	if _, err := i.Reconcile(t.Context(), request("serving")); err != nil {
		t.Fatal(err)
	}
	if string(secretOf(t, i).Data[corev1.TLSCertKey]) != string(secret.Data[corev1.TLSCertKey]) {
		t.Error("an hour later the certificate is another")
	}
	i.now = func() time.Time { return now.Add(validity - renewal + time.Hour) }
	if _, err := i.Reconcile(t.Context(), request("serving")); err != nil {
		t.Fatal(err)
	}
	if string(secretOf(t, i).Data[corev1.TLSCertKey]) == string(secret.Data[corev1.TLSCertKey]) {
		t.Error("near its end the certificate is not renewed")
	}
}

// What only cert-manager can do is refused, not done otherwise.
func TestOtherIssuer(t *testing.T) {
	i := newIssuer(t, time.Now())
	if _, err := i.Reconcile(t.Context(), request("other")); err == nil {
		t.Error("a Certificate of an ACME issuer is taken")
	}
}

func bundlesOf(t *testing.T, i *issuer, name string) [][]byte {
	t.Helper()
	configuration := kind(injectedKinds[1])
	if err := i.client.Get(t.Context(), client.ObjectKey{Name: name}, configuration); err != nil {
		t.Fatal(err)
	}
	webhooks, _, err := unstructured.NestedSlice(configuration.Object, "webhooks")
	if err != nil {
		t.Fatal(err)
	}
	var bundles [][]byte
	for _, webhook := range webhooks {
		fields, ok := webhook.(map[string]any)
		if !ok {
			t.Fatalf("%T is no webhook", webhook)
		}
		encoded, ok, err := unstructured.NestedString(fields, "clientConfig", "caBundle")
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		bundle, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil {
			t.Fatal(err)
		}
		bundles = append(bundles, bundle)
	}
	return bundles
}
