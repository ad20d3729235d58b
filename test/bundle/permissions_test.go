// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/operator-framework/api/pkg/operators/v1alpha1"
	rbacv1 "k8s.io/api/rbac/v1"
)

// grant is one verb on one resource, or on one path outside the API.
type grant struct{ Group, Resource, Verb string }

func compare(a, b grant) int {
	return slices.Compare([]string{a.Group, a.Resource, a.Verb}, []string{b.Group, b.Resource, b.Verb})
}

// grants lists each verb of some rules once.
func grants(rules []rbacv1.PolicyRule) []grant {
	var found []grant
	for _, rule := range rules {
		for _, verb := range rule.Verbs {
			for _, group := range rule.APIGroups {
				for _, resource := range rule.Resources {
					found = append(found, grant{group, resource, verb})
				}
			}
		}
	}
	slices.SortFunc(found, compare)
	return slices.Compact(found)
}

func rulesOf(permissions []v1alpha1.StrategyDeploymentPermissions) []rbacv1.PolicyRule {
	var rules []rbacv1.PolicyRule
	for _, permission := range permissions {
		rules = append(rules, permission.Rules...)
	}
	return rules
}

// TestPermissionsAreThoseOfConfig derives what the bundle may grant from the roles of config/, the
// first of which is generated from the code's markers: nothing is typed twice.
func TestPermissionsAreThoseOfConfig(t *testing.T) {
	role := func(file string) []rbacv1.PolicyRule {
		return read[rbacv1.ClusterRole](t, root+"/config/rbac/"+file).Rules
	}
	strategy := csv(t).Spec.InstallStrategy.StrategySpec
	cases := map[string]struct {
		want []rbacv1.PolicyRule
		got  []v1alpha1.StrategyDeploymentPermissions
	}{
		// In the OperatorGroup's namespaces, which are all of them only where it says so.
		"Namespaced": {
			want: slices.Concat(role("role.yaml"), role("leader_election_role.yaml")),
			got:  strategy.Permissions,
		},
		// Reviews of tokens and of access are of no namespace.
		"Cluster": {want: role("metrics_auth_role.yaml"), got: strategy.ClusterPermissions},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(grants(c.want), grants(rulesOf(c.got))); diff != "" {
				t.Errorf("permissions (-config +bundle):\n%s", diff)
			}
			for _, permission := range c.got {
				if permission.ServiceAccountName != "markdown-view-controller-manager" {
					t.Errorf("permissions for the ServiceAccount %q", permission.ServiceAccountName)
				}
			}
		})
	}
}

func TestNoWildcardAndNoSecrets(t *testing.T) {
	strategy := csv(t).Spec.InstallStrategy.StrategySpec
	for _, rule := range rulesOf(slices.Concat(strategy.Permissions, strategy.ClusterPermissions)) {
		all := slices.Concat(rule.APIGroups, rule.Resources, rule.Verbs, rule.NonResourceURLs)
		if slices.Contains(all, "*") || slices.Contains(rule.Resources, "secrets") {
			t.Errorf("too wide a rule: %v", rule)
		}
	}
}
