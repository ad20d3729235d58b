// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/bobuhiro11/markdown-view/internal/apiservertest"
	"github.com/bobuhiro11/markdown-view/internal/operator"
)

// another starts one more operator in the same namespace and returns its requests.
func (c *cluster) another(change ...func(*operator.Settings)) *requestLog {
	c.Helper()
	first, stopFirst := c.requests, c.stop
	c.requests = &requestLog{}
	c.startOperator(change...)
	requests := c.requests
	c.requests, c.stop = first, stopFirst
	return requests
}

func selector(shard string) string {
	return fmt.Sprintf("  selector:\n    matchLabels:\n      shard: %s\n", shard)
}

// TestShards: two operators with disjoint selectors, each with a lease of its own. An object is served
// by exactly one of them, also after it moved.
func TestShards(t *testing.T) {
	c := newCluster(t)
	shard := func(name string) func(*operator.Settings) {
		return func(s *operator.Settings) {
			s.WatchesFile = c.watches(selector(name), nil)
			s.LeaderElect, s.LeaseName, s.LeaseNamespace = true, "shards", c.namespace
		}
	}
	c.startOperator(shard("a"))
	other := c.another(shard("b"))
	for _, name := range []string{"a", "b"} {
		view := c.view("book-"+name, book("# "+name))
		view.Labels = map[string]string{"shard": name}
		if err := c.Create(t.Context(), view); err != nil {
			t.Fatal(err)
		}
		c.released(view)
	}
	c.settle()
	for log, own := range map[*requestLog]string{c.requests: "book-a", other: "book-b"} {
		for _, write := range log.writes() {
			if strings.Contains(write, "book-") && !strings.Contains(write, own) {
				t.Errorf("the operator of %s wrote %s", own, write)
			}
		}
	}
	var leases coordinationv1.LeaseList
	if err := c.List(t.Context(), &leases, client.InNamespace(c.namespace)); err != nil {
		t.Fatal(err)
	}
	if len(leases.Items) != 2 {
		t.Errorf("%d leases, want one a shard", len(leases.Items))
	}

	c.requests.reset()
	other.reset()
	moved := c.view("book-a", nil)
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(moved), moved); err != nil {
		t.Fatal(err)
	}
	moved.Labels = map[string]string{"shard": "b"}
	moved.Spec.Markdowns = book("# Moved")
	if err := c.Update(t.Context(), moved); err != nil {
		t.Fatal(err)
	}
	c.released(moved)
	c.settle()
	if writes := c.requests.writes(); len(writes) > 0 {
		t.Errorf("the old shard's operator wrote %v", writes)
	}
	if n := len(other.writes()); n > 8 {
		t.Errorf("the new shard's operator needed %d writes: %v", n, other.writes())
	}
}

// TestTwoOperatorsWithoutLeaderElection: they do the same work, and come to rest.
func TestTwoOperatorsWithoutLeaderElection(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	other := c.another()
	view := c.edited(6)
	quiet := func() int {
		c.settle()
		return c.requests.count() + other.count()
	}
	before := quiet()
	for range 3 {
		if after := quiet(); after != before {
			before = after
			continue
		}
		break
	}
	c.requests.reset()
	other.reset()
	time.Sleep(2 * time.Second)
	if n := c.requests.count() + other.count(); n > 0 {
		t.Errorf("they still ask: %v %v", c.requests.list(), other.list())
	}
	c.sound()
	c.released(view)
	if view.Status.Release.Revision > 8 {
		t.Errorf("six editions took %d revisions", view.Status.Release.Revision)
	}
}

// TestTwoVersionsFightSlowly: two operators that want different things (different default images, as
// after an upgrade that left the old one running) undo each other, at the rate of any other drift.
func TestTwoVersionsFightSlowly(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	view := c.edited(1)
	c.settle()
	c.requests.reset()
	other := c.another(func(s *operator.Settings) { s.ServerImage = "server:other" })
	time.Sleep(6 * time.Second)
	before := len(c.requests.writes()) + len(other.writes())
	time.Sleep(5 * time.Second)
	after := len(c.requests.writes()) + len(other.writes())
	if after-before > 20 {
		t.Errorf("%d writes in five seconds: the fight has no cap", after-before)
	}
	if before > 400 {
		t.Errorf("%d writes before the cap", before)
	}
	var record corev1.ConfigMapList
	if err := c.List(t.Context(), &record, client.InNamespace(c.namespace), client.MatchingLabels{"owner": "helm"}); err != nil {
		t.Fatal(err)
	}
	if len(record.Items) > 4 {
		t.Errorf("%d records of %s", len(record.Items), view.Name)
	}
}

// namespacedRules are the rules of the kustomize component for an operator of some namespaces.
func namespacedRules(t *testing.T) []rbacv1.PolicyRule {
	t.Helper()
	var role rbacv1.Role
	data, err := os.ReadFile(filepath.Join(apiservertest.Root(), "config", "rbac", "role.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, &role); err != nil {
		t.Fatal(err)
	}
	return role.Rules
}

// TestWatchNamespaces: with WATCH_NAMESPACE the caches are narrow, and Roles in those namespaces are
// all the permission that the operator needs.
func TestWatchNamespaces(t *testing.T) {
	for name, test := range map[string]struct{ watched, unwatched int }{
		"one namespace": {1, 1}, "two namespaces": {2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCluster(t)
			var watched []*cluster
			var names []string
			user := "operator-of-" + c.namespace
			for range test.watched {
				one := newCluster(t)
				one.allow(user, namespacedRules(t))
				watched, names = append(watched, one), append(names, one.namespace)
			}
			unwatched := newCluster(t)
			c.user = user
			c.startOperator(func(s *operator.Settings) { s.Namespaces = names })
			for _, one := range watched {
				view := one.view("book", book("# Hello"))
				if err := one.Create(t.Context(), view); err != nil {
					t.Fatal(err)
				}
				one.released(view)
				view.Spec.Markdowns = book("# Again")
				if err := one.Update(t.Context(), view); err != nil {
					t.Fatal(err)
				}
				one.released(view)
			}
			ignored := unwatched.view("book", book("# Hello"))
			if err := unwatched.Create(t.Context(), ignored); err != nil {
				t.Fatal(err)
			}
			c.settle()
			if err := unwatched.Get(t.Context(), client.ObjectKeyFromObject(ignored), ignored); err != nil || len(ignored.Status.Conditions) > 0 {
				t.Errorf("an unwatched namespace's object was reconciled: %+v %v", ignored.Status, err)
			}
			c.stop()
			for _, request := range c.requests.all {
				if !strings.Contains(request, "/namespaces/") && request != "GET /version" {
					t.Errorf("a request for the whole cluster: %s", request)
				}
				if strings.Contains(request, "/namespaces/"+unwatched.namespace+"/") {
					t.Errorf("a request about an unwatched namespace: %s", request)
				}
			}
			if refused := c.requests.refused; len(refused) > 0 {
				t.Errorf("refused: %v", refused)
			}
		})
	}
}

// allow gives a user rights in the namespace.
func (c *cluster) allow(user string, rules []rbacv1.PolicyRule) {
	c.Helper()
	for _, object := range []client.Object{
		&rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: "operator"}, Rules: rules},
		&rbacv1.RoleBinding{
			ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: "operator"},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "operator"},
			Subjects:   []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: user}},
		},
	} {
		if err := c.Create(c.Context(), object); err != nil {
			c.Fatal(err)
		}
	}
}

// TestWatchesFileAlone: an administrator who only sets values need not bring the built-in chart along.
func TestWatchesFileAlone(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	file := filepath.Join(t.TempDir(), "watches.yaml")
	text := "- group: view.bobuhiro11.net\n  version: v1\n  kind: MarkdownView\n  chart: helm-charts/markdownview\n  overrideValues: {priorityClassName: books}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c.startOperator(func(s *operator.Settings) { s.WatchesFile = file })
	c.published(book("# Hello"))
	if class := c.deploymentSpec().Template.Spec.PriorityClassName; class != "books" {
		t.Errorf("the pods' priority class is %q, want that of the file, books", class)
	}
}
