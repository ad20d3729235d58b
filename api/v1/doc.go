// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package v1 is the API of markdown-view: the MarkdownView type, the rules its schema enforces,
// and every name that a client may see (conditions, reasons, labels, annotations, events).
//
// It imports nothing but k8s.io/apimachinery, so that another program can depend on it alone.
//
// +kubebuilder:object:generate=true
// +groupName=view.bobuhiro11.net
package v1
