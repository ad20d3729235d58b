// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The types below are the schemas of the community's pipeline (redhat-openshift-ecosystem/operator-pipelines,
// ci-schema.json and release-config-schema.json), as far as this operator uses them; what they lack is refused.

type ciConfig struct {
	Reviewers []string `json:"reviewers"`
	FBC       struct {
		Enabled                  bool      `json:"enabled"`
		VersionPromotionStrategy string    `json:"version_promotion_strategy"`
		CatalogMapping           []mapping `json:"catalog_mapping"`
	} `json:"fbc"`
}

type mapping struct {
	TemplateName string   `json:"template_name"`
	Type         string   `json:"type"`
	CatalogNames []string `json:"catalog_names"`
}

type releaseConfig struct {
	CatalogTemplates []releaseTemplate `json:"catalog_templates"`
}

type releaseTemplate struct {
	TemplateName string   `json:"template_name"`
	Channels     []string `json:"channels"`
	Replaces     string   `json:"replaces,omitempty"`
	SkipRange    string   `json:"skipRange,omitempty"`
}

type basicTemplate struct {
	Schema  string `json:"schema"`
	Entries []struct {
		Schema         string `json:"schema"`
		Name           string `json:"name"`
		DefaultChannel string `json:"defaultChannel"`
		Description    string `json:"description"`
		Icon           struct {
			Data      []byte `json:"base64data"`
			MediaType string `json:"mediatype"`
		} `json:"icon"`
	} `json:"entries"`
}

func TestCommunityCI(t *testing.T) {
	var ci ciConfig
	decode(t, folder+"/community/ci.yaml", &ci)
	if len(ci.Reviewers) == 0 {
		t.Errorf("nobody may approve a pull request")
	}
	if !ci.FBC.Enabled || !slices.Contains([]string{"never", "always", "review-needed"}, ci.FBC.VersionPromotionStrategy) {
		t.Errorf("fbc is enabled: %v, promoted: %q", ci.FBC.Enabled, ci.FBC.VersionPromotionStrategy)
	}
	var catalogues []string
	for _, mapping := range ci.FBC.CatalogMapping {
		catalogues = append(catalogues, mapping.CatalogNames...)
		var template basicTemplate
		decode(t, folder+"/community/catalog-templates/"+mapping.TemplateName, &template)
		if template.Schema != mapping.Type {
			t.Errorf("%s is %s, ci.yaml says %s", mapping.TemplateName, template.Schema, mapping.Type)
		}
	}
	for _, catalogue := range catalogues {
		// Earlier ones want manifests as olm.bundle.object, and Kubernetes 1.29 begins with v4.16.
		if !regexp.MustCompile(`^v4\.(1[7-9]|[2-9]\d)$`).MatchString(catalogue) {
			t.Errorf("the catalogue %s is none of OpenShift's, or too old", catalogue)
		}
	}
	slices.Sort(catalogues)
	if len(catalogues) == 0 || len(slices.Compact(slices.Clone(catalogues))) != len(catalogues) {
		t.Errorf("catalogues, each in one template: %v", catalogues)
	}
}

// TestCommunityTemplate: the pipeline adds channels and bundles to this, and accepts bundle images of its own
// registry only.
func TestCommunityTemplate(t *testing.T) {
	var template basicTemplate
	decode(t, folder+"/community/catalog-templates/basic.yaml", &template)
	if len(template.Entries) != 1 || template.Entries[0].Schema != "olm.package" {
		t.Fatalf("entries: %+v", template.Entries)
	}
	ours, theirs := blobs(t)["olm.package"][0], template.Entries[0]
	if theirs.Name != ours.Name || theirs.DefaultChannel != ours.DefaultChannel || theirs.Description == "" {
		t.Errorf("the package is %s, default channel %s", theirs.Name, theirs.DefaultChannel)
	}
	icon, err := os.ReadFile(root + "/config/manifests/bases/icon.svg")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(icon), string(theirs.Icon.Data)); diff != "" || theirs.Icon.MediaType != "image/svg+xml" {
		t.Errorf("the icon (%s) is not config/manifests/bases/icon.svg:\n%s", theirs.Icon.MediaType, diff)
	}
}

// TestCommunityReleases: a version enters the channels that the catalogue has it in, by the catalogue's edges, so
// that the same graph grows there, one pull request a version, oldest first.
func TestCommunityReleases(t *testing.T) {
	for i, entry := range channels(t)["candidate"].Entries {
		var config releaseConfig
		decode(t, folder+"/community/"+version(t, entry.Name).String()+"/release-config.yaml", &config)
		want := []releaseTemplate{{
			TemplateName: "basic.yaml", Channels: channelsOf(t, entry.Name), Replaces: entry.Replaces, SkipRange: entry.SkipRange,
		}}
		if diff := cmp.Diff(want, config.CatalogTemplates); diff != "" {
			t.Errorf("release-config.yaml of %s (-catalogue +community):\n%s", entry.Name, diff)
		}
		// A package's default channel must exist from the first submission on.
		if i == 0 && (entry.Replaces != "" || !slices.Contains(channelsOf(t, entry.Name), "stable")) {
			t.Errorf("%s is the first to be submitted: it replaces %q and is in %v", entry.Name, entry.Replaces, channelsOf(t, entry.Name))
		}
	}
}
