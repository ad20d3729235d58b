// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package scenario

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bobuhiro11/markdown-view/test/bench/internal/audit"
)

// TestApplied: an object is applied with its first status after its first record, whatever keeps it.
func TestApplied(t *testing.T) {
	at := func(second int) time.Time { return time.Unix(int64(second), 0) }
	status := func(second int, name string, code int) audit.Entry {
		return audit.Entry{User: user, Verb: "patch", Resource: "markdownviews", Subresource: "status", Namespace: "a", Name: name, Code: code, Answered: at(second)}
	}
	record := func(second int, resource, name, verb string) audit.Entry {
		return audit.Entry{User: user, Verb: verb, Resource: resource, Namespace: "a", Name: name, Code: 201, Answered: at(second)}
	}
	j := journal{entries: []audit.Entry{
		status(1, "early", 200), record(2, "configmaps", "sh.helm.release.v1.early.v1", "create"), status(3, "early", 200), status(4, "early", 200),
		record(2, "secrets", "sh.helm.release.v1.secret.v1", "create"), status(5, "secret", 200),
		record(2, "configmaps", "sh.helm.release.v1.refused.v1", "create"), status(6, "refused", 422),
		record(2, "configmaps", "sh.helm.release.v1.second.v2", "create"), status(7, "second", 200),
		record(2, "configmaps", "sh.helm.release.v1.read.v1", "get"), status(8, "read", 200),
	}}
	want := map[string]time.Time{"a/early": at(3), "a/secret": at(5)}
	if diff := cmp.Diff(want, j.applied()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestRepairs(t *testing.T) {
	at := func(ms int) time.Time { return time.Unix(0, 0).Add(time.Duration(ms) * time.Millisecond) }
	write := func(ms int, who, name string) audit.Entry {
		return audit.Entry{User: who, Verb: "patch", Resource: "services", Namespace: "a", Name: name, Code: 200, Answered: at(ms)}
	}
	r := run{log: &journal{entries: []audit.Entry{
		write(1, user, "before"), write(10, "driver", "x"), write(25, user, "x"), write(90, user, "x"), write(30, "driver", "never"),
	}}}
	if diff := cmp.Diff([]float64{15}, r.repairs(at(5), []string{"a/x", "a/never"})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
