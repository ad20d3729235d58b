// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package controller

// What the manager may do, from which config/rbac/role.yaml is generated. test/config has the table
// that says what each verb is for. Leases, tokenreviews and subjectaccessreviews are in config/rbac.
//
// +kubebuilder:rbac:groups=view.bobuhiro11.net,resources=markdownviews,verbs=list;watch;patch
// +kubebuilder:rbac:groups=view.bobuhiro11.net,resources=markdownviews/status,verbs=patch
// +kubebuilder:rbac:groups=view.bobuhiro11.net,resources=markdownviews/finalizers,verbs=update
// +kubebuilder:rbac:groups="",resources=configmaps;services;serviceaccounts,verbs=get;list;watch;create;patch;delete
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;patch;delete
// +kubebuilder:rbac:groups=policy,resources=poddisruptionbudgets,verbs=get;list;watch;create;patch;delete
// +kubebuilder:rbac:groups="",resources=pods,verbs=list;watch
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch
