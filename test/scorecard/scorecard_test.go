// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/operator-framework/api/pkg/apis/scorecard/v1alpha3"
	"github.com/operator-framework/api/pkg/operators/v1alpha1"
)

const folder = "../../bundle"

func load(t *testing.T) Bundle {
	t.Helper()
	bundle, err := LoadBundle(folder)
	if err != nil {
		t.Fatal(err)
	}
	return bundle
}

func TestTheBundlePasses(t *testing.T) {
	for _, name := range []string{"descriptors", "permissions"} {
		want := v1alpha3.TestStatus{Results: []v1alpha3.TestResult{{Name: name, State: v1alpha3.PassState}}}
		if diff := cmp.Diff(want, Run(t.Context(), []string{name}, folder)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestRunCannotBegin(t *testing.T) {
	cases := map[string]struct {
		args   []string
		folder string
		want   string
	}{
		"UnknownTest": {args: []string{"speed"}, folder: folder, want: `no test named "speed"; there are book-lifecycle, descriptors, examples, metrics-and-events, permissions`},
		"NoArgument":  {folder: folder, want: `no test named ""`},
		"NoBundle":    {args: []string{"descriptors"}, folder: t.TempDir(), want: "unable to find a csv"},
		"NoCluster":   {args: []string{"examples"}, folder: folder, want: ""},
	}
	t.Setenv("KUBECONFIG", "/nowhere")
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			result := Run(t.Context(), c.args, c.folder).Results[0]
			if result.State == v1alpha3.PassState || len(result.Errors) == 0 || !strings.Contains(result.Errors[0], c.want) {
				t.Errorf("result %+v, want an error that says %q", result, c.want)
			}
		})
	}
}

func TestDescriptorFaultsAreFound(t *testing.T) {
	owned := func(bundle Bundle) *v1alpha1.CRDDescription {
		return &bundle.CSV.Spec.CustomResourceDefinitions.Owned[0]
	}
	cases := map[string]struct {
		fault func(Bundle)
		want  []string
	}{
		"FieldWithoutDescriptor": {
			fault: func(b Bundle) {
				owned(b).SpecDescriptors = slices.DeleteFunc(owned(b).SpecDescriptors, func(d v1alpha1.SpecDescriptor) bool { return d.Path == "assets" })
			},
			want: []string{"spec.assets has no descriptor"},
		},
		"DescriptorWithoutField": {
			fault: func(b Bundle) {
				owned(b).StatusDescriptors = append(owned(b).StatusDescriptors, v1alpha1.StatusDescriptor{Path: "mood"})
			},
			want: []string{"the descriptor of status.mood describes no field"},
		},
		"VersionWithoutCRD": {
			fault: func(b Bundle) { owned(b).Version = "v2" },
			want:  []string{"the bundle has no CRD markdownviews.view.bobuhiro11.net with version v2, which the ClusterServiceVersion owns"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			bundle := load(t)
			c.fault(bundle)
			if diff := cmp.Diff(c.want, bundle.Descriptors()); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}
