// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/test/admission"
)

// stricter are the books that mdBook builds, with a hole or a leak in them, and that are refused here.
var stricter = map[string]string{
	"the same page twice": "mdBook compares ./a.md and a.md as text, and writes a.html twice",
	"out of the sources":  "mdBook writes the page outside the site",
}

// TestAgainstMdBook builds every book of the tables with the real mdBook, the program that the
// environment variable MDBOOK names (`make test-browser` sets it). What passes here must build there
// without one error, and what is refused here must either fail there too, or be an include, which
// mdBook never fails for.
func TestAgainstMdBook(t *testing.T) {
	program := os.Getenv("MDBOOK")
	if program == "" {
		t.Skip("set MDBOOK to the path of an mdbook 0.5 to compare with the real program")
	}
	for table, cases := range map[string]map[string]verdict{
		"summary": summaryCases(), "includes": includeCases(), "settings": settingsCases(), "published": publishedCases(),
	} {
		for name, c := range cases {
			if name == "a bomb" {
				continue // mdBook would fill the memory
			}
			t.Run(table+"/"+name, func(t *testing.T) {
				markdowns, assets := c.files()
				output, err := build(t, program, markdowns, assets)
				clean := err == nil && !strings.Contains(output, "ERROR")
				_, isStricter := stricter[name]
				switch {
				case len(c.errors) == 0 && !clean && !slices.ContainsFunc(c.warnings, refusesToBuild):
					t.Errorf("no error here, but mdBook says: %v\n%s", err, output)
				case len(c.errors) > 0 && table == "summary" && err == nil && !isStricter:
					t.Errorf("refused here (%s), but mdBook builds it:\n%s", c.errors, output)
				}
			})
		}
	}
}

// TestMdBookTakesOddObjects builds every odd object that admission must let in: that it is stored is
// of no use to its author if its book is not built.
func TestMdBookTakesOddObjects(t *testing.T) {
	program := os.Getenv("MDBOOK")
	if program == "" {
		t.Skip("set MDBOOK to the path of an mdbook 0.5 to compare with the real program")
	}
	withPreprocessors(t)
	for name, c := range admission.AcceptedObjects() {
		if slices.ContainsFunc(c.Warnings, refusesToBuild) {
			continue // the author is told
		}
		t.Run(name, func(t *testing.T) {
			var spec viewv1.MarkdownViewSpec
			if err := json.Unmarshal([]byte(c.Spec), &spec); err != nil {
				t.Fatal(err)
			}
			if output, err := build(t, program, spec.Markdowns, spec.AssetBytes()); err != nil || strings.Contains(output, "ERROR") {
				t.Errorf("admission takes it, but mdBook says: %v\n%.2000s", err, output)
			}
		})
	}
}

// refusesToBuild recognises the warning about settings that only the mdBook before this one knew.
func refusesToBuild(warning string) bool { return strings.Contains(warning, "refuses to build") }

// withPreprocessors puts the preprocessors that a book of the tables names onto the PATH, as an image
// of the author's would have them. They are for no renderer, so mdBook goes on without them.
func withPreprocessors(t *testing.T) {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"mdbook-toc", "mdbook-mermaid"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// build lays the book out as the operator does and runs `mdbook build`.
func build(t *testing.T, program string, markdowns map[string]string, assets map[string][]byte) (string, error) {
	t.Helper()
	root := t.TempDir()
	for path, text := range newTree(markdowns, assets, new(work)).files {
		file := filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "build", "-d", filepath.Join(root, "site"), root)
	cmd.Env = append(os.Environ(), "MDBOOK_BUILD__CREATE_MISSING=false")
	output, err := cmd.CombinedOutput()
	return string(output), err
}
