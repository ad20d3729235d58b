// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator_test

import (
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/endpoints/request"
	"sigs.k8s.io/yaml"

	"github.com/bobuhiro11/markdown-view/internal/apiservertest"
)

// neverAsked are granted verbs that no request shows, and why they are granted all the same.
var neverAsked = map[string]string{
	"update markdownviews/finalizers.view.bobuhiro11.net": "checked by an admission plug-in where an owner reference blocks its owner's deletion",
	"patch events.events.k8s.io":                          "the count of an event that is told again minutes later",
}

// impliedBy are verbs that the API server wants where another one is asked for: an apply that creates needs
// both, and a cache lists where an older API server does not stream what there is through the watch.
var impliedBy = map[string]string{"create": "patch", "list": "watch"}

// asked holds the verbs that the operators of all tests asked for, as "VERB RESOURCE.GROUP".
var asked = struct {
	sync.Mutex
	verbs sets.Set[string]
}{verbs: sets.New[string]()}

var requestInfo = request.RequestInfoFactory{
	APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api"),
}

// ask notes a request's verb as the API server's authorizer would see it.
func ask(r *http.Request) {
	info, err := requestInfo.NewRequestInfo(r)
	if err != nil || !info.IsResourceRequest {
		return
	}
	asked.Lock()
	defer asked.Unlock()
	asked.verbs.Insert(verb(info.Verb, info.APIGroup, info.Resource, info.Subresource))
}

func verb(name, group, resource, subresource string) string {
	if subresource != "" {
		resource += "/" + subresource
	}
	return strings.TrimSuffix(name+" "+resource+"."+group, ".")
}

// everyVerbWasAsked compares the role that is generated from the code's markers with what the tests of this
// package made the operator ask for: a verb that it no longer needs must go. That it needs no others is
// tested by the tests that run it with these verbs alone.
func everyVerbWasAsked() error {
	for _, name := range []string{"test.run", "test.skip"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return nil // Some tests alone ask for little.
		}
	}
	data, err := os.ReadFile(filepath.Join(apiservertest.Root(), "config", "rbac", "role.yaml"))
	if err != nil {
		return err
	}
	var role rbacv1.ClusterRole
	if err := yaml.UnmarshalStrict(data, &role); err != nil {
		return fmt.Errorf("config/rbac/role.yaml: %w", err)
	}
	granted := sets.New[string]()
	for _, rule := range role.Rules {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				for _, name := range rule.Verbs {
					granted.Insert(verb(name, group, resource, ""))
				}
			}
		}
	}
	asked.Lock()
	defer asked.Unlock()
	unused := granted.Difference(asked.verbs).Difference(sets.KeySet(neverAsked))
	for needed, by := range impliedBy {
		for name := range unused {
			if resource, ok := strings.CutPrefix(name, needed+" "); ok && asked.verbs.Has(by+" "+resource) {
				unused.Delete(name)
			}
		}
	}
	excused := sets.KeySet(neverAsked).Difference(granted)
	if unused.Len() > 0 || excused.Len() > 0 {
		return fmt.Errorf("no test made the operator ask for %q: take the verbs out of internal/controller/rbac.go, or show their use; "+
			"excused, and not granted: %q", slices.Sorted(maps.Keys(unused)), slices.Sorted(maps.Keys(excused)))
	}
	return nil
}
