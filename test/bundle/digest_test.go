// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/operator-framework/api/pkg/apis/scorecard/v1alpha3"
	"github.com/operator-framework/api/pkg/operators/v1alpha1"
)

// TestReleaseNamesDigests builds a bundle by the Makefile's variables, as a release does and as the documentation
// tells those who mirror: no tag may be left where an image is pulled from. It needs operator-sdk, which
// `make bundle-validate` builds before it runs this.
func TestReleaseNamesDigests(t *testing.T) {
	bin := cmp.Or(os.Getenv("LOCALBIN"), root+"/bin")
	for _, tool := range []string{"operator-sdk", "kustomize"} {
		if _, err := os.Stat(filepath.Join(bin, tool)); err != nil {
			t.Skipf("%v; make bundle-validate builds it", err)
		}
	}
	image := func(name, digit string) string {
		return "registry.example/" + name + "@sha256:" + strings.Repeat(digit, 64)
	}
	manager, server, viewer, scorecard := image("manager", "1"), image("server", "2"), image("mdbook", "3"), image("scorecard", "4")
	built := filepath.Join(t.TempDir(), "bundle")
	build := exec.CommandContext(t.Context(), "make", "-C", root, "bundle-files", "BUNDLE_DIR="+built,
		"BUNDLE_MANAGER_IMG="+manager, "BUNDLE_SERVER_IMG="+server, "BUNDLE_VIEWER_IMG="+viewer, "SCORECARD_IMG="+scorecard)
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", build, err, output)
	}

	release := read[v1alpha1.ClusterServiceVersion](t, built+"/manifests/markdown-view.clusterserviceversion.yaml")
	var related []string
	for _, image := range release.Spec.RelatedImages {
		related = append(related, image.Image)
	}
	container := release.Spec.InstallStrategy.StrategySpec.DeploymentSpecs[0].Spec.Template.Spec.Containers[0]
	variables := map[string]string{}
	for _, env := range container.Env {
		if strings.HasPrefix(env.Name, "RELATED_IMAGE_") {
			variables[env.Name] = env.Value
		}
	}
	type facts struct {
		Related                              []string
		Variables                            map[string]string
		Manager, ContainerImage, Disconnects string
	}
	want := facts{
		Related:   []string{manager, viewer, server},
		Variables: map[string]string{"RELATED_IMAGE_SERVER": server, "RELATED_IMAGE_VIEWER": viewer},
		Manager:   manager, ContainerImage: manager, Disconnects: "true",
	}
	got := facts{
		Related: related, Variables: variables, Manager: container.Image,
		ContainerImage: release.Annotations["containerImage"], Disconnects: release.Annotations["features.operators.openshift.io/disconnected"],
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("images of a release (-want +got):\n%s", diff)
	}
	for _, stage := range read[v1alpha3.Configuration](t, built+"/tests/scorecard/config.yaml").Stages {
		ours := slices.DeleteFunc(stage.Tests, func(test v1alpha3.TestConfiguration) bool { return test.Labels["suite"] != "custom" })
		for _, test := range ours {
			if test.Image != scorecard {
				t.Errorf("the scorecard's test %s runs %s, not %s", test.Entrypoint[1], test.Image, scorecard)
			}
		}
	}
}
