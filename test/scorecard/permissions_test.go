// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
)

func TestTooWideRulesAreFound(t *testing.T) {
	rule := func(group, resource string, verbs ...string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{APIGroups: []string{group}, Resources: []string{resource}, Verbs: verbs}
	}
	const (
		useless = ", but the operator has no use for it there"
		there   = " is granted where the OperatorGroup says"
		wide    = " is granted cluster-wide, whatever the OperatorGroup says"
	)
	cases := map[string]struct {
		namespaced, cluster []rbacv1.PolicyRule
		want                []string
	}{
		"Needed": {
			namespaced: []rbacv1.PolicyRule{rule("apps", "deployments", "get", "list", "watch", "create", "patch", "delete"), rule("", "pods", "list")},
			cluster:    []rbacv1.PolicyRule{rule("authentication.k8s.io", "tokenreviews", "create")},
		},
		"WildcardVerb": {
			namespaced: []rbacv1.PolicyRule{rule("apps", "deployments", "*")},
			want:       []string{"a wildcard: [*] of [deployments] in [apps]"},
		},
		"WildcardSubresource": {
			namespaced: []rbacv1.PolicyRule{rule("", "pods/*", "get")},
			want:       []string{"a wildcard: [get] of [pods/*] in []"},
		},
		"WildcardGroup": {
			cluster: []rbacv1.PolicyRule{rule("*", "tokenreviews", "create")},
			want:    []string{"a wildcard: [create] of [tokenreviews] in [*]"},
		},
		"PathsOutsideTheAPI": {
			cluster: []rbacv1.PolicyRule{{NonResourceURLs: []string{"/metrics"}, Verbs: []string{"get"}}},
			want:    []string{"[get] of the paths [/metrics] are granted, but the operator asks for nothing outside the API"},
		},
		"Secrets": {
			namespaced: []rbacv1.PolicyRule{rule("", "secrets", "get")},
			want:       []string{`get of secrets in group ""` + there + useless},
		},
		"WhatTheChartCannotRender": {
			namespaced: []rbacv1.PolicyRule{rule("apps", "statefulsets", "create", "delete")},
			want:       []string{`create of statefulsets in group "apps"` + there + useless, `delete of statefulsets in group "apps"` + there + useless},
		},
		"SameNameInAnotherGroup": {
			namespaced: []rbacv1.PolicyRule{rule("serving.knative.dev", "services", "create")},
			want:       []string{`create of services in group "serving.knative.dev"` + there + useless},
		},
		"VerbThatNothingCalls": {
			namespaced: []rbacv1.PolicyRule{rule("", "pods", "list", "delete")},
			want:       []string{`delete of pods in group ""` + there + ", but it uses [list watch] only (why a rollout does not finish)"},
		},
		"ChartKindReplaced": {
			namespaced: []rbacv1.PolicyRule{rule("apps", "deployments", "update", "patch")},
			want: []string{`update of deployments in group "apps"` + there +
				", but it uses [get list watch create patch delete] only (server-side apply of what the chart renders)"},
		},
		"Exec": {
			namespaced: []rbacv1.PolicyRule{rule("", "pods/exec", "create")},
			want:       []string{`create of pods/exec in group ""` + there + useless},
		},
		"EscalatesRoles": {
			cluster: []rbacv1.PolicyRule{rule("rbac.authorization.k8s.io", "clusterroles", "escalate", "bind")},
			want: []string{
				`escalate of clusterroles in group "rbac.authorization.k8s.io"` + wide + useless,
				`bind of clusterroles in group "rbac.authorization.k8s.io"` + wide + useless,
			},
		},
		"Nodes": {
			cluster: []rbacv1.PolicyRule{rule("", "nodes", "get")},
			want:    []string{`get of nodes in group ""` + wide + useless},
		},
		"ClusterWide": {
			cluster: []rbacv1.PolicyRule{rule("", "pods", "list")},
			want:    []string{`list of pods in group ""` + wide + useless},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			bundle := load(t)
			strategy := &bundle.CSV.Spec.InstallStrategy.StrategySpec
			strategy.Permissions[0].Rules, strategy.ClusterPermissions[0].Rules = c.namespaced, c.cluster
			if diff := cmp.Diff(c.want, bundle.Permissions()); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}
