// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package olm

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const pageFile = "../../docs/src/admin/olm.md"

var block = regexp.MustCompile("(?ms)^( *)<!-- olm-e2e: ([a-z-]+) -->\n *```sh\n(.*?)^ *```$")

func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(pageFile)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// commands are what the page tells a person to type, by the name in the comment above each block.
func commands(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, match := range block.FindAllStringSubmatch(page(t), -1) {
		indent, name, text := match[1], match[2], match[3]
		found[name] = regexp.MustCompile("(?m)^"+indent).ReplaceAllString(text, "")
	}
	return found
}

// used are the blocks that the end-to-end test runs.
var used = []string{
	"approve", "books-images", "catalogue", "channel", "install", "mirror", "no-copies", "override", "remove-books", "succeeded",
	"uninstall",
}

func TestEveryCommandOfThePageIsRun(t *testing.T) {
	var found []string
	for name := range commands(t) {
		found = append(found, name)
	}
	slices.Sort(found)
	if !slices.Equal(found, used) {
		t.Errorf("blocks of %s: %v; run by the end-to-end test: %v", pageFile, found, used)
	}
	// The one block that is not run is `make bundle`: see below.
	marked, all := strings.Count(page(t), "<!-- olm-e2e:"), strings.Count(page(t), "```sh")
	if marked != len(found) || all != marked+1 {
		t.Errorf("%s has %d shell blocks, %d of them marked, %d found", pageFile, all, marked, len(found))
	}
}

// TestMakeBundleTakesDigests: the one block that cannot be run has digests to fill in. What make would
// run hands each of them on.
func TestMakeBundleTakesDigests(t *testing.T) {
	found := regexp.MustCompile("(?s)```sh\nmake (bundle .*?)```").FindStringSubmatch(page(t))
	if found == nil {
		t.Fatalf("%s has no block of `make bundle`", pageFile)
	}
	would, err := exec.CommandContext(t.Context(), "bash", "-c", "make --dry-run --directory ../.. "+found[1]).CombinedOutput()
	if err != nil {
		t.Fatalf("make --dry-run %s: %v\n%s", found[1], err, would)
	}
	images := regexp.MustCompile(`BUNDLE_(?:MANAGER_)?(\w+)=(\S+@sha256:\S+)`).FindAllStringSubmatch(found[1], -1)
	if len(images) != 3 {
		t.Errorf("the block names %d images by digest, want those of the manager, the server and mdBook: %v", len(images), images)
	}
	for _, image := range images {
		if want := image[1] + "='" + image[2] + "'"; !strings.Contains(string(would), want) {
			t.Errorf("make bundle would not run anything with %s", want)
		}
	}
}
