// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"encoding/xml"
	"maps"
	"net/mail"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/blang/semver/v4"
	"github.com/google/go-cmp/cmp"
	"github.com/operator-framework/api/pkg/operators/v1alpha1"
	"sigs.k8s.io/yaml"
)

// These are the checks of the community catalogues' pipelines that need no cluster and no registry.

func TestFilesAreWhereAPipelineLooks(t *testing.T) {
	var got []string
	for _, pattern := range []string{"*", "metadata/*", "tests/*", "tests/scorecard/*"} {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, found...)
	}
	for i := range got {
		got[i] = strings.TrimPrefix(got[i], folder+"/")
	}
	// No metadata/dependencies.yaml: OLM v1 refuses a bundle that has one.
	want := []string{"manifests", "metadata", "tests", "metadata/annotations.yaml", "tests/scorecard", "tests/scorecard/config.yaml"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files of the bundle (-want +got):\n%s", diff)
	}
}

// TestManifestsAreOfKindsThatOLMInstalls also keeps NetworkPolicies out, which OLM would apply to
// its own pods' namespace, and anything that an OLM v1 installation refuses.
func TestManifestsAreOfKindsThatOLMInstalls(t *testing.T) {
	got := map[string][]string{}
	for _, object := range load(t).Objects {
		got[object.GetKind()] = append(got[object.GetKind()], object.GetName())
		slices.Sort(got[object.GetKind()])
		if object.GetNamespace() != "" && object.GetKind() != v1alpha1.ClusterServiceVersionKind {
			t.Errorf("%s %s names the namespace %s: OLM chooses it", object.GetKind(), object.GetName(), object.GetNamespace())
		}
	}
	want := map[string][]string{
		"ClusterServiceVersion":    {csv(t).Name},
		"CustomResourceDefinition": {"markdownviews.view.bobuhiro11.net"},
		"Service":                  {"markdown-view-controller-manager-metrics-service"},
		"ClusterRole": {
			"markdown-view-markdownview-admin-role", "markdown-view-markdownview-editor-role",
			"markdown-view-markdownview-viewer-role", "markdown-view-metrics-reader",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("manifests (-want +got):\n%s", diff)
	}
}

func TestVersionsAgree(t *testing.T) {
	bundled := csv(t)
	version := bundled.Spec.Version.Version
	if want := "markdown-view.v" + version.String(); bundled.Name != want {
		t.Errorf("the ClusterServiceVersion is named %s, not %s", bundled.Name, want)
	}
	replaced, err := semver.Parse(strings.TrimPrefix(bundled.Spec.Replaces, "markdown-view.v"))
	if err != nil || !replaced.LT(version) {
		t.Errorf("replaces %q is no earlier version than %s (%v)", bundled.Spec.Replaces, version, err)
	}
	inRange, err := semver.ParseRange(bundled.Annotations["olm.skipRange"])
	if err != nil {
		t.Fatalf("olm.skipRange: %v", err)
	}
	// A skipRange alone would leave several heads; one that holds its own version never ends.
	if !inRange(replaced) || inRange(version) {
		t.Errorf("olm.skipRange %q must hold %s and not %s", bundled.Annotations["olm.skipRange"], replaced, version)
	}
}

func TestAnnotations(t *testing.T) {
	got := maps.Clone(csv(t).Annotations)
	// Judged elsewhere, or the builder's own.
	for _, key := range []string{
		"alm-examples", "operatorframework.io/initialization-resource", "olm.skipRange", "createdAt",
		"operators.operatorframework.io/builder", "operators.operatorframework.io/project_layout",
	} {
		if got[key] == "" {
			t.Errorf("annotation %s is missing", key)
		}
		delete(got, key)
	}
	const features = "features.operators.openshift.io/"
	want := map[string]string{
		"capabilities":   "Seamless Upgrades",
		"categories":     "Developer Tools",
		"certified":      "false",
		"containerImage": csv(t).Spec.InstallStrategy.StrategySpec.DeploymentSpecs[0].Spec.Template.Spec.Containers[0].Image,
		"description":    "Publishes Markdown files as mdBook sites, one MarkdownView object a book.",
		"repository":     "https://github.com/bobuhiro11/markdown-view",
		"support":        "The markdown-view authors",
		"operatorframework.io/suggested-namespace":        "markdown-view-system",
		"operators.operatorframework.io/internal-objects": "[]",
		// The committed bundle names tags; a release names digests and says true (TestReleaseNamesDigests). That is
		// backed by TestEveryImageIsRelated and by the installation from a local registry alone.
		features + "disconnected":     "false",
		features + "fips-compliant":   "false",
		features + "proxy-aware":      "false",
		features + "tls-profiles":     "false",
		features + "token-auth-aws":   "false",
		features + "token-auth-azure": "false",
		features + "token-auth-gcp":   "false",
		features + "cnf":              "false",
		features + "cni":              "false",
		features + "csi":              "false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("annotations (-want +got):\n%s", diff)
	}
}

func TestDockerfileLabelsAreTheAnnotations(t *testing.T) {
	metadata := read[struct {
		Annotations map[string]string `json:"annotations"`
	}](t, folder+"/metadata/annotations.yaml")
	dockerfile, err := os.ReadFile(root + "/bundle.Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string]string{}
	for _, match := range regexp.MustCompile(`(?m)^LABEL ([^=]+)=(.*)$`).FindAllStringSubmatch(string(dockerfile), -1) {
		labels[match[1]] = match[2]
	}
	if diff := cmp.Diff(metadata.Annotations, labels); diff != "" {
		t.Errorf("annotations.yaml against bundle.Dockerfile's labels:\n%s", diff)
	}
	if channel := metadata.Annotations["operators.operatorframework.io.bundle.channel.default.v1"]; channel != "stable" {
		t.Errorf("the default channel is %q", channel)
	}
}

func TestEveryInstallMode(t *testing.T) {
	want := []v1alpha1.InstallMode{
		{Type: v1alpha1.InstallModeTypeOwnNamespace, Supported: true},
		{Type: v1alpha1.InstallModeTypeSingleNamespace, Supported: true},
		{Type: v1alpha1.InstallModeTypeMultiNamespace, Supported: true},
		{Type: v1alpha1.InstallModeTypeAllNamespaces, Supported: true},
	}
	if diff := cmp.Diff(want, csv(t).Spec.InstallModes); diff != "" {
		t.Errorf("install modes (-want +got):\n%s", diff)
	}
}

func TestDescriptionTellsWhatAReaderNeeds(t *testing.T) {
	spec := csv(t).Spec
	if length := utf8.RuneCountInString(spec.DisplayName); length < 3 || length > 50 {
		t.Errorf("the display name %q has %d characters, not 3 to 50", spec.DisplayName, length)
	}
	for _, heading := range []string{"### What it manages", "### Features", "### Prerequisites"} {
		if !strings.Contains(spec.Description, heading) {
			t.Errorf("the description has no part %q", heading)
		}
	}
	if spec.Maturity == "" || spec.MinKubeVersion == "" || len(spec.Keywords) == 0 {
		t.Errorf("a field that catalogues show is empty")
	}
	if spec.Cleanup.Enabled {
		t.Errorf("spec.cleanup would delete every book with the operator")
	}
}

func TestWhoIsBehindIt(t *testing.T) {
	spec := csv(t).Spec
	if utf8.RuneCountInString(spec.Provider.Name) < 3 || len(spec.Links) == 0 || len(spec.Maintainers) == 0 {
		t.Errorf("provider %q, %d links, %d maintainers", spec.Provider.Name, len(spec.Links), len(spec.Maintainers))
	}
	for _, maintainer := range spec.Maintainers {
		if _, err := mail.ParseAddress(maintainer.Email); err != nil || maintainer.Name == "" {
			t.Errorf("maintainer %q: the address %q: %v", maintainer.Name, maintainer.Email, err)
		}
	}
	for _, link := range spec.Links {
		if target, err := url.Parse(link.URL); err != nil || target.Scheme != "https" || link.Name == "" {
			t.Errorf("link %q to %q: %v", link.Name, link.URL, err)
		}
	}
}

func TestCreatedAtIsADate(t *testing.T) {
	created := csv(t).Annotations["createdAt"]
	if _, err := time.Parse(time.RFC3339, created); err != nil {
		t.Errorf("createdAt: %v; hack/make/40-bundle.mk sets it by CREATED", err)
	}
}

func TestIconIsOurSquareDrawing(t *testing.T) {
	icons := csv(t).Spec.Icon
	if len(icons) != 1 || icons[0].MediaType != "image/svg+xml" {
		t.Fatalf("icons: %d", len(icons))
	}
	source, err := os.ReadFile(root + "/config/manifests/bases/icon.svg")
	if err != nil {
		t.Fatal(err)
	}
	// []byte fields are base64 in YAML.
	var encoded struct {
		Data []byte `json:"data"`
	}
	if err := yaml.Unmarshal([]byte("data: "+icons[0].Data), &encoded); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(source), string(encoded.Data)); diff != "" {
		t.Errorf("the icon is not config/manifests/bases/icon.svg:\n%s", diff)
	}
	var drawing struct {
		Width  string `xml:"width,attr"`
		Height string `xml:"height,attr"`
	}
	if err := xml.Unmarshal(source, &drawing); err != nil || drawing.Width == "" || drawing.Width != drawing.Height {
		t.Errorf("the icon is %s by %s (%v)", drawing.Width, drawing.Height, err)
	}
}
