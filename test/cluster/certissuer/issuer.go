// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// injectAnnotation is cert-manager's: its value names a Certificate as namespace/name.
const injectAnnotation = "cert-manager.io/inject-ca-from"

// issuer reconciles Certificates. It writes Secrets, webhook configurations and the Certificates' status.
type issuer struct {
	client client.Client
	now    func() time.Time
}

// askedFor maps an object to the Certificate whose CA it asks for.
func askedFor(_ context.Context, object client.Object) []reconcile.Request {
	namespace, name, ok := strings.Cut(object.GetAnnotations()[injectAnnotation], "/")
	if !ok {
		return nil
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: namespace, Name: name}}}
}

// Reconcile keeps the Secret of one Certificate, and the bundles of those who ask for its CA.
func (i *issuer) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	certificate := kind(certificateKind)
	if err := i.client.Get(ctx, request.NamespacedName, certificate); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if err := i.checkIssuer(ctx, certificate); err != nil {
		return reconcile.Result{}, err
	}
	bundle, err := i.keepSecret(ctx, certificate)
	if err != nil {
		return reconcile.Result{}, err
	}
	for _, gvk := range injectedKinds {
		if err := i.inject(ctx, gvk, request.NamespacedName, bundle); err != nil {
			return reconcile.Result{}, err
		}
	}
	return reconcile.Result{RequeueAfter: validity - renewal}, i.markReady(ctx, certificate)
}

// checkIssuer refuses what this program can't do: any issuer but a selfSigned one.
func (i *issuer) checkIssuer(ctx context.Context, certificate *unstructured.Unstructured) error {
	name, _, _ := unstructured.NestedString(certificate.Object, "spec", "issuerRef", "name")
	kindName, _, _ := unstructured.NestedString(certificate.Object, "spec", "issuerRef", "kind")
	if kindName == "" {
		kindName = "Issuer"
	}
	found := kind(schema.GroupVersionKind{Group: certificateKind.Group, Version: certificateKind.Version, Kind: kindName})
	key := types.NamespacedName{Namespace: certificate.GetNamespace(), Name: name}
	if kindName == "ClusterIssuer" {
		key.Namespace = ""
	}
	if err := i.client.Get(ctx, key, found); err != nil {
		return fmt.Errorf("find the %s of Certificate %s: %w", kindName, client.ObjectKeyFromObject(certificate), err)
	}
	if _, ok, _ := unstructured.NestedMap(found.Object, "spec", "selfSigned"); !ok {
		return reconcile.TerminalError(fmt.Errorf("%s %s is not selfSigned, which is all that this program can do: install cert-manager", kindName, key))
	}
	return nil
}

// keepSecret returns the CA of the certificate's Secret, which it writes where it is absent, for
// other names, or near its end.
func (i *issuer) keepSecret(ctx context.Context, certificate *unstructured.Unstructured) ([]byte, error) {
	names, _, err := unstructured.NestedStringSlice(certificate.Object, "spec", "dnsNames")
	if err != nil {
		return nil, fmt.Errorf("read spec.dnsNames: %w", err)
	}
	name, _, _ := unstructured.NestedString(certificate.Object, "spec", "secretName")
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: certificate.GetNamespace(), Name: name}}
	err = i.client.Get(ctx, client.ObjectKeyFromObject(secret), secret)
	if client.IgnoreNotFound(err) != nil {
		return nil, err
	}
	if err == nil && stillGood(secret.Data[corev1.TLSCertKey], names, i.now()) {
		return secret.Data["ca.crt"], nil
	}
	cert, key, err := selfSigned(names, i.now())
	if err != nil {
		return nil, err
	}
	_, err = controllerutil.CreateOrUpdate(ctx, i.client, secret, func() error {
		secret.Type = corev1.SecretTypeTLS
		secret.Data = map[string][]byte{corev1.TLSCertKey: cert, corev1.TLSPrivateKeyKey: key, "ca.crt": cert}
		return controllerutil.SetControllerReference(certificate, secret, i.client.Scheme())
	})
	return cert, err
}

// inject writes bundle into every webhook of the objects of a kind that ask for the Certificate's CA.
func (i *issuer) inject(ctx context.Context, gvk schema.GroupVersionKind, certificate types.NamespacedName, bundle []byte) error {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(gvk)
	if err := i.client.List(ctx, list); err != nil {
		return fmt.Errorf("list %s: %w", gvk.Kind, err)
	}
	encoded := base64.StdEncoding.EncodeToString(bundle)
	for index := range list.Items {
		object := &list.Items[index]
		if object.GetAnnotations()[injectAnnotation] != certificate.String() {
			continue
		}
		before := object.DeepCopy()
		webhooks, _, err := unstructured.NestedSlice(object.Object, "webhooks")
		if err != nil {
			return fmt.Errorf("read the webhooks of %s: %w", object.GetName(), err)
		}
		for _, webhook := range webhooks {
			fields, ok := webhook.(map[string]any)
			if !ok {
				return fmt.Errorf("a webhook of %s is no object", object.GetName())
			}
			if err := unstructured.SetNestedField(fields, encoded, "clientConfig", "caBundle"); err != nil {
				return fmt.Errorf("set the CA bundle of %s: %w", object.GetName(), err)
			}
		}
		if err := unstructured.SetNestedSlice(object.Object, webhooks, "webhooks"); err != nil {
			return fmt.Errorf("set the webhooks of %s: %w", object.GetName(), err)
		}
		if err := i.client.Patch(ctx, object, client.MergeFrom(before)); err != nil {
			return fmt.Errorf("write the CA bundle of %s: %w", object.GetName(), err)
		}
	}
	return nil
}

func (i *issuer) markReady(ctx context.Context, certificate *unstructured.Unstructured) error {
	if conditions, _, _ := unstructured.NestedSlice(certificate.Object, "status", "conditions"); len(conditions) > 0 {
		return nil
	}
	before := certificate.DeepCopy()
	ready := map[string]any{
		"type": "Ready", "status": "True", "reason": "Ready", "message": "Certificate is up to date and has not expired",
		"lastTransitionTime": i.now().UTC().Format(time.RFC3339), "observedGeneration": certificate.GetGeneration(),
	}
	if err := unstructured.SetNestedSlice(certificate.Object, []any{ready}, "status", "conditions"); err != nil {
		return fmt.Errorf("set the Ready condition: %w", err)
	}
	err := i.client.Status().Patch(ctx, certificate, client.MergeFrom(before))
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

var _ reconcile.Reconciler = (*issuer)(nil)
