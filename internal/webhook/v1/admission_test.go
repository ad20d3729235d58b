// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package v1_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bobuhiro11/markdown-view/test/admission"
)

// TestRefused runs every hostile object against schema and webhooks together.
func TestRefused(t *testing.T) {
	client, err := admission.NewServer(api.Config)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range admission.RefusedObjects() {
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
			want := slices.Sorted(slices.Values(slices.Concat(c.Schema, c.Webhook)))
			if diff := cmp.Diff(want, answer.Lines); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

// TestAccepted runs every odd object that must work, with what the webhook tells its author.
func TestAccepted(t *testing.T) {
	client, err := admission.NewServer(api.Config)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range admission.AcceptedObjects() {
		t.Run(name, func(t *testing.T) {
			answer, err := client.Create(t.Context(), c.JSON("accepted"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string(nil), answer.Lines); diff != "" {
				t.Fatalf("it was refused (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.Warnings, answer.Warnings); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			if err := client.Delete(t.Context()); err != nil {
				t.Fatal(err)
			}
		})
	}
}
