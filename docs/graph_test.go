// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// versionInGraph is a version's box in the drawing; the text's height tells the channel.
var versionInGraph = regexp.MustCompile(`<text class="t" x="\d+" y="(\d+)">(v[0-9.]+)</text>`)

// The drawing of the upgrade graph shows the channels of the catalogue.
func TestUpgradeGraph(t *testing.T) {
	rows := map[string]string{"61": "candidate", "141": "stable"}
	drawn := map[string][]string{}
	for _, match := range versionInGraph.FindAllStringSubmatch(read(t, "src/images/upgrade-graph.svg"), -1) {
		drawn[rows[match[1]]] = append(drawn[rows[match[1]]], match[2])
	}
	var template struct {
		Entries []struct {
			Schema, Name string
			Entries      []struct{ Name, Replaces string }
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(root, "catalog", "template.yaml"))), &template); err != nil {
		t.Fatal(err)
	}
	offered := map[string][]string{}
	for _, channel := range template.Entries {
		if channel.Schema != "olm.channel" {
			continue
		}
		for i, entry := range channel.Entries {
			offered[channel.Name] = append(offered[channel.Name], strings.TrimPrefix(entry.Name, "markdown-view."))
			if i > 0 && entry.Replaces != channel.Entries[i-1].Name {
				t.Errorf("channel %s: %s replaces %q; the drawing shows that it replaces %s", channel.Name, entry.Name, entry.Replaces, channel.Entries[i-1].Name)
			}
		}
	}
	if diff := cmp.Diff(offered, drawn); diff != "" {
		t.Errorf("catalog/template.yaml against the drawing (-offered +drawn):\n%s", diff)
	}
}

var (
	testNamed   = regexp.MustCompile("`(Test[A-Za-z]+)`")
	testDefined = regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9_]+)\(`)
)

// A page that names a test as the proof of something names one that exists.
func TestNamedTestsExist(t *testing.T) {
	defined := map[string]bool{}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		for _, match := range testDefined.FindAllStringSubmatch(read(t, name), -1) {
			defined[match[1]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, file := range pages(t) {
		for _, match := range testNamed.FindAllStringSubmatch(read(t, file), -1) {
			named++
			if !defined[match[1]] {
				t.Errorf("%s names %s, which does not exist", file, match[1])
			}
		}
	}
	if named < 10 {
		t.Errorf("only %d names of tests were found: the test reads the wrong files", named)
	}
}
