// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// deleted deletes the place's MarkdownView while request number k is on its way.
func deleted(p *place, k int) fault {
	return func(n int, _ *http.Request, forward func() (*http.Response, error)) (*http.Response, error, bool) {
		if n != k {
			return nil, nil, false
		}
		if view := p.view(); view != nil {
			p.must(client.IgnoreNotFound(kube.Delete(p.Context(), view)))
		}
		response, err := forward()
		return response, err, true
	}
}

// TestDeletedAtEveryRequest: whatever the operator is at when the MarkdownView is deleted, the same is left as
// after a deletion at rest: nothing.
func TestDeletedAtEveryRequest(t *testing.T) {
	atRest := scenarios()[slices.IndexFunc(scenarios(), func(sc scenario) bool { return sc.silent })]
	eachScenario(t, func(t *testing.T, s *shards, sc scenario, _ map[string]string, requests []string) {
		t.Helper()
		if strings.HasPrefix(sc.name, "deletion") || strings.HasPrefix(sc.name, "helm rollback") {
			// What a hand on the Helm CLI made has no owner until the operator takes it up.
			return
		}
		want, _ := s.undisturbed(t, atRest)
		eachPoint(t, len(requests), func(k int) bool {
			p := newPlace(t)
			s.prepare(p, sc)
			w := s.victim(p, sc, func(*wire) fault { return deleted(p, k) })
			defer w.cut()
			p.rest(w)
			hit := w.hit(p.namespace)
			if hit && !p.reaches(want, w) {
				t.Errorf("%s: deleted during request %d: %v", sc.name, k, last(w.seen(p.namespace), 3))
			}
			return hit
		})
	})
}
