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
	"os/exec"
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
	Properties []struct {
		Type string `json:"type"`
	} `json:"properties"`
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
		for _, property := range bundle.Properties {
			// Catalogues for OpenShift 4.17 and later must not have it: it made them too large to load.
			if property.Type == "olm.bundle.object" {
				t.Errorf("%s carries its manifests as olm.bundle.object", bundle.Name)
			}
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

// TestChannelsAgree: a bundle's own annotation names the channels that the catalogue has it in. hack/bundle.sh asks
// hack/catalog.sh for them, whatever the version; the committed bundle is what came of it.
func TestChannelsAgree(t *testing.T) {
	for _, entry := range channels(t)["candidate"].Entries {
		printed, err := exec.CommandContext(t.Context(), root+"/hack/catalog.sh", "channels", version(t, entry.Name).String()).Output()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(channelsOf(t, entry.Name), strings.Split(strings.TrimSpace(string(printed)), ",")); diff != "" {
			t.Errorf("channels of %s (-catalogue +bundle):\n%s", entry.Name, diff)
		}
	}
	var metadata struct {
		Annotations map[string]string `json:"annotations"`
	}
	decode(t, root+"/bundle/metadata/annotations.yaml", &metadata)
	const label = "operators.operatorframework.io.bundle.channel"
	if diff := cmp.Diff(channelsOf(t, head(t).Name), strings.Split(metadata.Annotations[label+"s.v1"], ",")); diff != "" {
		t.Errorf("channels of the committed bundle (-catalogue +bundle):\n%s", diff)
	}
	if want, got := blobs(t)["olm.package"][0].DefaultChannel, metadata.Annotations[label+".default.v1"]; want != got {
		t.Errorf("the catalogue's default channel is %s, the committed bundle's %s", want, got)
	}
}

// channelsOf lists the channels that have a version.
func channelsOf(t *testing.T, name string) []string {
	t.Helper()
	var found []string
	for channel, blob := range channels(t) {
		if slices.ContainsFunc(blob.Entries, func(entry edge) bool { return entry.Name == name }) {
			found = append(found, channel)
		}
	}
	slices.Sort(found)
	return found
}

// decode reads a YAML file; a field that the type does not have is an error.
func decode(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := sigsyaml.UnmarshalStrict(data, into); err != nil {
		t.Fatalf("%s: %v", path, err)
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
