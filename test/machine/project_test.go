// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// goLine is the Go version that a go.mod asks for.
func goLine(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^go (\S+)$`).FindSubmatch(text)
	if line == nil {
		t.Fatalf("%s has no line with a Go version", file)
	}
	return string(line[1])
}

// TestOneGoVersion: a machine is judged by go.mod's version (hack/setup.sh), and a runner installs it. A
// module that asked for more would fail there, half an hour later.
func TestOneGoVersion(t *testing.T) {
	pin := "go" + goLine(t, "../../go.mod")
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := "Go " + strings.TrimPrefix(pin, "go") + " or newer"; !strings.Contains(string(readme), want) {
		t.Errorf("README.md does not ask for %q", want)
	}
	var files []string
	for _, pattern := range []string{"../../hack/tools/*/go.mod", "../../test/*/go.mod"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 10 {
		t.Errorf("only %d modules were found: %v", len(files), files)
	}
	for _, file := range files {
		if line := "go" + goLine(t, file); version.Compare(line, pin) > 0 {
			t.Errorf("%s asks for %s, go.mod only for %s: raise go.mod's", file, line, pin)
		}
	}
}

// usual are the targets that a user of kubebuilder and the Operator SDK types without looking.
var usual = []string{
	"help", "manifests", "generate", "fmt", "vet", "test", "test-e2e", "setup-test-e2e", "cleanup-test-e2e",
	"lint", "lint-fix", "lint-config", "build", "run", "docker-build", "docker-push", "docker-buildx", "build-installer",
	"install", "uninstall", "deploy", "undeploy", "kustomize", "controller-gen", "setup-envtest", "envtest", "golangci-lint",
	"bundle", "bundle-build", "bundle-push", "catalog-build", "catalog-push", "operator-sdk", "opm",
}

// TestUsualTargets: they are there, and `make help` tells of them.
func TestUsualTargets(t *testing.T) {
	track(t, "../../Makefile")
	track(t, "../../hack/make/*.mk")
	help, err := exec.CommandContext(t.Context(), "make", "--no-print-directory", "-C", "../..", "help").Output()
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, line := range regexp.MustCompile(`(?m)^ *(?:\x1b\[36m)?([a-z0-9-]+)(?:\x1b\[0m)? +[^ ]`).FindAllSubmatch(help, -1) {
		told = append(told, string(line[1]))
	}
	for _, target := range usual {
		if !slices.Contains(told, target) {
			t.Errorf("make help does not tell of %s", target)
		}
	}
}

// TestEveryGeneratorRuns: `make generated`, and so `make verify`, comes to what every fragment adds.
func TestEveryGeneratorRuns(t *testing.T) {
	track(t, "../../Makefile")
	track(t, "../../hack/make/*.mk")
	fragments, err := filepath.Glob("../../hack/make/*.mk")
	if err != nil {
		t.Fatal(err)
	}
	var added []string
	for _, fragment := range fragments {
		text, err := os.ReadFile(fragment)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range regexp.MustCompile(`(?m)^GENERATORS \+= (.*)$`).FindAllSubmatch(text, -1) {
			added = append(added, strings.Fields(string(line[1]))...)
		}
	}
	database, err := exec.CommandContext(t.Context(), "make", "--no-print-directory", "-C", "../..", "--dry-run", "--print-data-base", "generated").Output()
	if err != nil {
		t.Fatal(err)
	}
	rule := regexp.MustCompile(`(?m)^generated: (.*)$`).FindSubmatch(database)
	if rule == nil || len(added) < 5 {
		t.Fatalf("make has the rule %q, the fragments add %v", rule, added)
	}
	run := strings.Fields(string(rule[1]))
	for _, generator := range added {
		if !slices.Contains(run, generator) {
			t.Errorf("`make generated` does not run %s", generator)
		}
	}
}
