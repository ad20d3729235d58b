// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package catalog holds the tests of the file-based catalogue: from every version there is a way to
// the newest, each channel has one head, and the files for the community catalogues say the same.
package catalog

import (
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/blang/semver/v4"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/yaml"
	sigsyaml "sigs.k8s.io/yaml"
)

const (
	root    = "../.."
	folder  = root + "/catalog"
	pkgName = "markdown-view"
)

// blob is one document of a file-based catalogue; which fields are set depends on its schema.
type blob struct {
	Schema         string `json:"schema"`
	Name           string `json:"name"`
	Package        string `json:"package"`
	DefaultChannel string `json:"defaultChannel"`
	Image          string `json:"image"`
	Entries        []edge `json:"entries"`
	RelatedImages  []struct {
		Image string `json:"image"`
	} `json:"relatedImages"`
}

// edge is a version in a channel.
type edge struct {
	Name      string   `json:"name"`
	Replaces  string   `json:"replaces,omitempty"`
	Skips     []string `json:"skips,omitempty"`
	SkipRange string   `json:"skipRange,omitempty"`
}

// blobs reads the rendered catalogue and returns its documents by schema.
func blobs(t *testing.T) map[string][]blob {
	t.Helper()
	file, err := os.Open(folder + "/markdown-view/catalog.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	documents := yaml.NewYAMLOrJSONDecoder(file, 4096)
	found := map[string][]blob{}
	for {
		var document blob
		err := documents.Decode(&document)
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		found[document.Schema] = append(found[document.Schema], document)
	}
}

func channels(t *testing.T) map[string]blob {
	t.Helper()
	found := map[string]blob{}
	for _, channel := range blobs(t)["olm.channel"] {
		found[channel.Name] = channel
	}
	return found
}

func version(t *testing.T, name string) semver.Version {
	t.Helper()
	parsed, err := semver.Parse(strings.TrimPrefix(name, pkgName+".v"))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return parsed
}

func TestPackage(t *testing.T) {
	packages := blobs(t)["olm.package"]
	if len(packages) != 1 || packages[0].Name != pkgName || packages[0].DefaultChannel != "stable" {
		t.Errorf("packages: %+v", packages)
	}
	if diff := cmp.Diff([]string{"candidate", "stable"}, slices.Sorted(maps.Keys(channels(t)))); diff != "" {
		t.Errorf("channels (-want +got):\n%s", diff)
	}
}

// TestEveryChannelHasOneHead guards against a skipRange without replaces, which leaves several.
func TestEveryChannelHasOneHead(t *testing.T) {
	for name, channel := range channels(t) {
		replaced := map[string]bool{}
		for _, entry := range channel.Entries {
			replaced[entry.Replaces] = true
		}
		var heads []string
		for _, entry := range channel.Entries {
			if !replaced[entry.Name] {
				heads = append(heads, entry.Name)
			}
		}
		if len(heads) != 1 {
			t.Errorf("channel %s has the heads %v", name, heads)
		}
	}
}

// TestEveryVersionReachesTheHead walks both kinds of edges, and finds one that goes down.
func TestEveryVersionReachesTheHead(t *testing.T) {
	for name, channel := range channels(t) {
		head := slices.MaxFunc(channel.Entries, func(a, b edge) int { return version(t, a.Name).Compare(version(t, b.Name)) })
		inRange := func(semver.Version) bool { return false }
		if head.SkipRange != "" {
			inRange = semver.MustParseRange(head.SkipRange)
		}
		for _, entry := range channel.Entries {
			if entry.Replaces != "" && !version(t, entry.Replaces).LT(version(t, entry.Name)) {
				t.Errorf("channel %s: %s replaces the later %s", name, entry.Name, entry.Replaces)
			}
			if entry.Name != head.Name && !inRange(version(t, entry.Name)) {
				t.Errorf("channel %s: %s can't go to %s in one step", name, entry.Name, head.Name)
			}
			if entry.Name != head.Name && !slices.ContainsFunc(channel.Entries, func(next edge) bool { return next.Replaces == entry.Name }) {
				t.Errorf("channel %s: nothing replaces %s", name, entry.Name)
			}
		}
		if inRange(version(t, head.Name)) {
			t.Errorf("channel %s: the range of %s holds itself", name, head.Name)
		}
	}
}

func TestEveryEntryHasItsBundle(t *testing.T) {
	bundles := map[string]blob{}
	for _, bundle := range blobs(t)["olm.bundle"] {
		bundles[bundle.Name] = bundle
		if want := "ghcr.io/bobuhiro11/markdown-view-bundle:v" + version(t, bundle.Name).String(); bundle.Image != want {
			t.Errorf("%s is %s, not %s", bundle.Name, bundle.Image, want)
		}
		if len(bundle.RelatedImages) < 4 {
			t.Errorf("%s names %d images: the bundle's, the manager's, the server's and mdBook's are needed to mirror it", bundle.Name, len(bundle.RelatedImages))
		}
	}
	if len(bundles) < 3 {
		t.Errorf("the catalogue has %d versions", len(bundles))
	}
	for name, channel := range channels(t) {
		for _, entry := range channel.Entries {
			if _, found := bundles[entry.Name]; !found {
				t.Errorf("channel %s: %s has no bundle", name, entry.Name)
			}
		}
	}
}

// TestStableFollowsCandidate: a version is in candidate before it is in stable, by the same edges.
func TestStableFollowsCandidate(t *testing.T) {
	candidate := channels(t)["candidate"].Entries
	for _, entry := range channels(t)["stable"].Entries {
		i := slices.IndexFunc(candidate, func(other edge) bool { return other.Name == entry.Name })
		if i < 0 {
			t.Errorf("%s is in stable, but never was in candidate", entry.Name)
			continue
		}
		if diff := cmp.Diff(candidate[i], entry); diff != "" {
			t.Errorf("%s (-candidate +stable):\n%s", entry.Name, diff)
		}
	}
}

// head is the newest version of candidate: the committed bundle, and what is to be submitted.
func head(t *testing.T) edge {
	t.Helper()
	return slices.MaxFunc(channels(t)["candidate"].Entries, func(a, b edge) int { return version(t, a.Name).Compare(version(t, b.Name)) })
}

func TestHeadIsTheCommittedBundle(t *testing.T) {
	data, err := os.ReadFile(root + "/bundle/manifests/markdown-view.clusterserviceversion.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var csv struct {
		Metadata struct {
			Name        string            `json:"name"`
			Annotations map[string]string `json:"annotations"`
		} `json:"metadata"`
		Spec struct {
			Replaces string `json:"replaces"`
		} `json:"spec"`
	}
	if err := sigsyaml.Unmarshal(data, &csv); err != nil {
		t.Fatal(err)
	}
	got := edge{Name: csv.Metadata.Name, Replaces: csv.Spec.Replaces, SkipRange: csv.Metadata.Annotations["olm.skipRange"]}
	if diff := cmp.Diff(head(t), got); diff != "" {
		t.Errorf("newest entry of candidate against bundle/ (-catalogue +bundle):\n%s", diff)
	}
}

func TestCommunityFilesSayTheSame(t *testing.T) {
	data, err := os.ReadFile(folder + "/community/release-config.yaml")
	if err != nil {
		t.Fatal(err)
	}
	type template struct {
		TemplateName string   `json:"template_name"`
		Channels     []string `json:"channels"`
		Replaces     string   `json:"replaces"`
		SkipRange    string   `json:"skipRange"`
	}
	var config struct {
		CatalogTemplates []template `json:"catalog_templates"`
	}
	if err := sigsyaml.UnmarshalStrict(data, &config); err != nil {
		t.Fatal(err)
	}
	newest := head(t)
	want := []template{{TemplateName: "basic.yaml", Channels: []string{"candidate"}, Replaces: newest.Replaces, SkipRange: newest.SkipRange}}
	if diff := cmp.Diff(want, config.CatalogTemplates); diff != "" {
		t.Errorf("release-config.yaml (-want +got):\n%s", diff)
	}
}
