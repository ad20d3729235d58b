// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Command certissuer takes cert-manager's place in the test cluster: for each Certificate of a
// selfSigned Issuer it keeps the Secret, and for each webhook configuration or CRD that asks for it
// by cert-manager's annotation it keeps the CA bundle. docs/src/adr says why it is not cert-manager itself.
package main

import (
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/manager/signals"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

var certificateKind = schema.GroupVersionKind{Group: "cert-manager.io", Version: "v1", Kind: "Certificate"}

// injectedKinds are the kinds that may ask for a CA bundle, each with the paths of their webhook clients.
var injectedKinds = []schema.GroupVersionKind{
	{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "MutatingWebhookConfiguration"},
	{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "ValidatingWebhookConfiguration"},
}

func main() {
	// controller-runtime registers --kubeconfig on the default flag set, which its GetConfig reads.
	ctrl.SetLogger(zap.New())
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "certissuer:", err)
		os.Exit(1)
	}
}

func kind(gvk schema.GroupVersionKind) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(gvk)
	return object
}

func run() error {
	config, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("find the cluster: %w", err)
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{Metrics: metricsserver.Options{BindAddress: "0"}})
	if err != nil {
		return fmt.Errorf("set the manager up: %w", err)
	}
	issuer := &issuer{client: manager.GetClient(), now: time.Now}
	builder := ctrl.NewControllerManagedBy(manager).Named("certissuer").For(kind(certificateKind)).Owns(&corev1.Secret{})
	for _, gvk := range injectedKinds {
		builder = builder.Watches(kind(gvk), handler.EnqueueRequestsFromMapFunc(askedFor))
	}
	if err := builder.Complete(issuer); err != nil {
		return fmt.Errorf("set the controller up: %w", err)
	}
	return manager.Start(signals.SetupSignalHandler())
}
