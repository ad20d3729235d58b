// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package config

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
)

// Reasons that many rows below share.
const (
	cached  = "informer of the cache"
	applies = "server-side apply of a child; creates it where it is missing"
)

// uses says what each verb that the operator's ServiceAccount holds is for: resource (with its group
// and subresource) -> verb -> use. A verb that is not here must not be granted; one that is here and
// not granted would fail at run time.
var uses = map[string]map[string]string{
	"markdownviews.view.bobuhiro11.net": {
		"list":  cached,
		"watch": cached,
		"patch": "the finalizer, where the release needs one",
	},
	"markdownviews.view.bobuhiro11.net/status":     {"patch": "status, one merge patch if it changed"},
	"markdownviews.view.bobuhiro11.net/finalizers": {"update": "owner references with blockOwnerDeletion (OwnerReferencesPermissionEnforcement)"},
	"configmaps": {
		"get": "live read of a release record before it is written, of a foreign object in the way", "list": cached, "watch": cached,
		"create": "content and release records", "patch": applies, "delete": "superseded content and records",
	},
	"services": {
		"get": "a foreign object in the way", "list": cached, "watch": cached,
		"create": applies, "patch": applies, "delete": "a child that the chart no longer renders",
	},
	"serviceaccounts": {
		"get": "a foreign object in the way", "list": cached, "watch": cached,
		"create": applies, "patch": applies, "delete": "a child that the chart no longer renders",
	},
	"deployments.apps": {
		"get": "a foreign object in the way", "list": cached, "watch": cached,
		"create": applies, "patch": applies, "delete": "a child that the chart no longer renders",
	},
	"poddisruptionbudgets.policy": {
		"get": "a foreign object in the way", "list": cached, "watch": cached,
		"create": applies, "patch": applies, "delete": "replicas back to 1",
	},
	"pods": {
		"list": cached, "watch": cached,
	},
	"events.events.k8s.io": {"create": "events of a MarkdownView", "patch": "the count of a repeated event"},

	// In the operator's own namespace only (a Role).
	"leases.coordination.k8s.io": {"get": "leader election", "create": "leader election", "update": "leader election"},
	"events":                     {"create": "leader election's events, still of the core API", "patch": "the count of a repeated event"},

	// The metrics endpoint.
	"tokenreviews.authentication.k8s.io":        {"create": "who reads /metrics"},
	"subjectaccessreviews.authorization.k8s.io": {"create": "whether they may"},
}

// operatorRules returns the rules of every role that is bound to the operator's ServiceAccount.
func operatorRules(t *testing.T, objects tree) []rbacv1.PolicyRule {
	t.Helper()
	const account = "markdown-view-controller-manager"
	var rules []rbacv1.PolicyRule
	for _, object := range slices.Concat(objects.of("ClusterRoleBinding"), objects.of("RoleBinding")) {
		// The two kinds of binding have the same fields.
		binding := into[rbacv1.ClusterRoleBinding](t, object)
		for _, subject := range binding.Subjects {
			if subject.Kind != rbacv1.ServiceAccountKind || subject.Name != account {
				continue
			}
			if subject.Namespace != "markdown-view-system" {
				t.Errorf("%s %s binds %s of namespace %q", object.GetKind(), binding.Name, account, subject.Namespace)
			}
			role := objects.named(t, binding.RoleRef.Kind, binding.RoleRef.Name)
			rules = append(rules, into[rbacv1.ClusterRole](t, role).Rules...)
		}
	}
	return rules
}

// granted lists resource -> verbs of rules, in the notation of uses.
func granted(rules []rbacv1.PolicyRule) map[string][]string {
	verbs := map[string][]string{}
	for _, rule := range rules {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				name, sub, _ := strings.Cut(resource, "/")
				if group != "" {
					name += "." + group
				}
				if sub != "" {
					name += "/" + sub
				}
				verbs[name] = append(verbs[name], rule.Verbs...)
			}
		}
	}
	for name := range verbs {
		slices.Sort(verbs[name])
		verbs[name] = slices.Compact(verbs[name])
	}
	return verbs
}

func TestEveryVerbHasAUse(t *testing.T) {
	want := map[string][]string{}
	for resource, verbs := range uses {
		want[resource] = slices.Sorted(maps.Keys(verbs))
		for verb, use := range verbs {
			if use == "" {
				t.Errorf("uses has no reason for %s %s", verb, resource)
			}
		}
	}
	got := granted(operatorRules(t, renderTree(t, "../../config/default")))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("verbs that the operator holds, against those that it uses (-used +held):\n%s", diff)
	}
}

func TestNoWildcardInAnyRule(t *testing.T) {
	for _, path := range []string{"../../config/default", "../../config/own-certs", uncommented(t, "secret-driver"), uncommented(t, "namespaced"), uncommented(t, "monitoring")} {
		objects := renderTree(t, path)
		for _, object := range slices.Concat(objects.of("ClusterRole"), objects.of("Role")) {
			for _, rule := range into[rbacv1.ClusterRole](t, object).Rules {
				all := slices.Concat(rule.APIGroups, rule.Resources, rule.Verbs, rule.NonResourceURLs)
				if slices.ContainsFunc(all, func(word string) bool { return strings.Contains(word, "*") }) {
					t.Errorf("%s: %s %s has a wildcard: %v", path, object.GetKind(), object.GetName(), rule)
				}
			}
		}
	}
}

func TestSecretsAreReadOnlyWhereAskedFor(t *testing.T) {
	cases := map[string]struct {
		path string
		want []string
	}{
		"Default":      {path: "../../config/default", want: nil},
		"OwnCerts":     {path: "../../config/own-certs", want: nil},
		"All":          {path: uncommented(t, "monitoring", "secret-driver", "namespaced"), want: []string{"create", "delete", "get", "list", "patch", "watch"}},
		"SecretDriver": {path: uncommented(t, "secret-driver"), want: []string{"create", "delete", "get", "list", "patch", "watch"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			objects := renderTree(t, c.path)
			var rules []rbacv1.PolicyRule
			for _, object := range slices.Concat(objects.of("ClusterRole"), objects.of("Role")) {
				rules = append(rules, into[rbacv1.ClusterRole](t, object).Rules...)
			}
			if diff := cmp.Diff(c.want, granted(rules)["secrets"]); diff != "" {
				t.Errorf("verbs on Secrets in %s (-want +got):\n%s", c.path, diff)
			}
		})
	}
}

func TestRolesForPeopleAggregate(t *testing.T) {
	objects := renderTree(t, "../../config/default")
	for role, builtin := range map[string]string{"admin": "admin", "editor": "edit", "viewer": "view"} {
		object := objects.named(t, "ClusterRole", "markdown-view-markdownview-"+role+"-role")
		if object.GetLabels()["rbac.authorization.k8s.io/aggregate-to-"+builtin] != "true" {
			t.Errorf("%s is not part of the built-in role %s", object.GetName(), builtin)
		}
	}
}
