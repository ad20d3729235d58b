// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestDeadline: an answer that never comes ends a request, but not a watch, and an answer that comes is
// read to its end.
func TestDeadline(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/silent":
			<-r.Context().Done()
		case "/slow":
			time.Sleep(200 * time.Millisecond)
		}
		_, _ = io.WriteString(w, "answer")
	}))
	defer server.Close()
	for name, c := range map[string]struct {
		path    string
		timeout time.Duration
		want    error
	}{
		"Answer":        {path: "/", timeout: time.Minute},
		"Silence":       {path: "/silent", timeout: 50 * time.Millisecond, want: errNoAnswer},
		"WatchMayTake":  {path: "/slow?watch=true", timeout: 50 * time.Millisecond},
		"ReadsMayNot":   {path: "/slow", timeout: 50 * time.Millisecond, want: errNoAnswer},
		"WatchIsNoPath": {path: "/silent?fieldSelector=watch", timeout: 50 * time.Millisecond, want: errNoAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			client := &http.Client{Transport: withDeadline(c.timeout)(http.DefaultTransport)}
			response, err := client.Get(server.URL + c.path)
			if !errors.Is(err, c.want) {
				t.Fatalf("error is %v, want %v", err, c.want)
			}
			if err != nil {
				return
			}
			defer response.Body.Close()
			if body, err := io.ReadAll(response.Body); err != nil || string(body) != "answer" {
				t.Errorf("body is %q, %v", body, err)
			}
		})
	}
}

// TestLeaseName: one lease a shard; the order in which a selector is written makes no shard.
func TestLeaseName(t *testing.T) {
	labels := func(pairs ...string) *metav1.LabelSelector {
		selector := &metav1.LabelSelector{MatchLabels: map[string]string{}}
		for i := 0; i < len(pairs); i += 2 {
			selector.MatchLabels[pairs[i]] = pairs[i+1]
		}
		return selector
	}
	if got := leaseName("lease", nil); got != "lease" {
		t.Errorf("without a selector the lease is %s", got)
	}
	if got := leaseName("lease", labels()); got != "lease" {
		t.Errorf("with an empty selector the lease is %s", got)
	}
	a, b := leaseName("lease", labels("shard", "a")), leaseName("lease", labels("shard", "b"))
	if a == b || a == "lease" {
		t.Errorf("the leases of two shards are %s and %s", a, b)
	}
	if one, two := leaseName("lease", labels("x", "1", "y", "2")), leaseName("lease", labels("y", "2", "x", "1")); one != two {
		t.Errorf("the same selector has leases %s and %s", one, two)
	}
}
