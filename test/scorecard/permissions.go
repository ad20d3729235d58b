// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/render"
)

// need is what the operator does with a resource, and what for.
type need struct {
	group, resource string
	verbs           []string
	use             string
}

// needs is all that the operator's code and chart can use in the namespaces that it works in.
func needs() []need {
	own := viewv1.GroupVersion.Group
	all := []need{
		{own, "markdownviews", []string{"list", "watch", "patch"}, "the cache, the finalizer"},
		{own, "markdownviews/status", []string{"patch"}, "the status, by one merge patch"},
		{own, "markdownviews/finalizers", []string{"update"}, "the API server asks for it of whoever sets blockOwnerDeletion"},
		{"", "pods", []string{"list", "watch"}, "why a rollout does not finish"},
		{"events.k8s.io", "events", []string{"create", "patch"}, "to tell people of a MarkdownView"},
		{"coordination.k8s.io", "leases", []string{"get", "create", "update"}, "leader election"},
		{"", "events", []string{"create", "patch"}, "leader election still writes the core API's"},
	}
	for _, kind := range render.Kinds() {
		all = append(all, need{
			kind.Group, kind.Resource, []string{"get", "list", "watch", "create", "patch", "delete"}, "server-side apply of what the chart renders",
		})
	}
	return all
}

// clusterNeeds are of no namespace, so that no OperatorGroup limits them.
func clusterNeeds() []need {
	return []need{
		{"authentication.k8s.io", "tokenreviews", []string{"create"}, "who reads the metrics"},
		{"authorization.k8s.io", "subjectaccessreviews", []string{"create"}, "whether they may"},
	}
}

// Permissions says which rules give more than the operator's code and chart can use: a wildcard, a path
// outside the API, a resource or a verb that nothing calls for, or a namespaced resource cluster-wide.
func (b Bundle) Permissions() []string {
	var problems []string
	strategy := b.CSV.Spec.InstallStrategy.StrategySpec
	for _, permission := range strategy.Permissions {
		for _, rule := range permission.Rules {
			problems = append(problems, tooWide(rule, needs(), "where the OperatorGroup says")...)
		}
	}
	for _, permission := range strategy.ClusterPermissions {
		for _, rule := range permission.Rules {
			problems = append(problems, tooWide(rule, clusterNeeds(), "cluster-wide, whatever the OperatorGroup says")...)
		}
	}
	return problems
}

// tooWide names each grant of a rule that is not among those allowed. where says where the rule holds.
func tooWide(rule rbacv1.PolicyRule, allowed []need, where string) []string {
	if len(rule.NonResourceURLs) > 0 {
		return []string{fmt.Sprintf("%v of the paths %v are granted, but the operator asks for nothing outside the API", rule.Verbs, rule.NonResourceURLs)}
	}
	wild := func(word string) bool { return strings.Contains(word, "*") }
	if slices.ContainsFunc(slices.Concat(rule.APIGroups, rule.Resources, rule.Verbs), wild) {
		return []string{fmt.Sprintf("a wildcard: %v of %v in %v", rule.Verbs, rule.Resources, rule.APIGroups)}
	}
	var problems []string
	for _, group := range rule.APIGroups {
		for _, resource := range rule.Resources {
			for _, verb := range rule.Verbs {
				if problem := unneeded(group, resource, verb, allowed); problem != "" {
					problems = append(problems, fmt.Sprintf("%s of %s in group %q is granted %s, but %s", verb, resource, group, where, problem))
				}
			}
		}
	}
	return problems
}

// unneeded says why nothing allowed covers a verb; "" if it is needed.
func unneeded(group, resource, verb string, allowed []need) string {
	i := slices.IndexFunc(allowed, func(n need) bool { return n.group == group && n.resource == resource })
	switch {
	case i < 0:
		return "the operator has no use for it there"
	case !slices.Contains(allowed[i].verbs, verb):
		return fmt.Sprintf("it uses %v only (%s)", allowed[i].verbs, allowed[i].use)
	default:
		return ""
	}
}
