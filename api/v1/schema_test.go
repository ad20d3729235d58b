// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package v1_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bobuhiro11/markdown-view/internal/apiservertest"
	"github.com/bobuhiro11/markdown-view/test/admission"
)

var server *apiservertest.Server

func TestMain(m *testing.M) {
	apiservertest.Main(m, func(s *apiservertest.Server) error { server = s; return nil })
}

// TestSchemaRefuses runs every hostile object against the schema alone, as `make run` has it.
func TestSchemaRefuses(t *testing.T) {
	client, err := admission.NewServer(server.Config)
	if err != nil {
		t.Fatal(err)
	}
	cases := admission.RefusedObjects()
	if len(cases) < 60 {
		t.Errorf("the table has %d cases; the specification asks for at least 60", len(cases))
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			answer, err := client.Create(t.Context(), c.JSON("refused"))
			if err != nil {
				t.Fatal(err)
			}
			if answer.Created.Name != "" {
				if err := client.Delete(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(slices.Sorted(slices.Values(c.Schema)), answer.Lines); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSchemaAccepts runs every odd object that must work.
func TestSchemaAccepts(t *testing.T) {
	client, err := admission.NewServer(server.Config)
	if err != nil {
		t.Fatal(err)
	}
	cases := admission.AcceptedObjects()
	if len(cases) < 30 {
		t.Errorf("the table has %d cases; the specification asks for at least 30", len(cases))
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			answer, err := client.Create(t.Context(), c.JSON("accepted"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string(nil), answer.Lines); diff != "" {
				t.Fatalf("it was refused (-want +got):\n%s", diff)
			}
			if r := answer.Created.Spec.Replicas; r == nil || *r < 1 {
				t.Errorf("spec.replicas is %v, want the default", r)
			}
			if err := client.Delete(t.Context()); err != nil {
				t.Fatal(err)
			}
		})
	}
}
