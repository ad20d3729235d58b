// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// stricter are the books that mdBook builds, with a hole or a leak in them, and that are refused here.
var stricter = map[string]string{
	"the same page twice": "mdBook compares ./a.md and a.md as text, and writes a.html twice",
	"out of the sources":  "mdBook writes the page outside the site",
}

// TestAgainstMdBook builds every book of the tables with the real mdBook, the program that the
// environment variable MDBOOK names (hack/tools/install mdbook makes bin/mdbook). What passes here
// must build there without one error, and what is refused here must either fail there too, or be
// an include, which mdBook never fails for.
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
				output, err := build(t, program, c)
				clean := err == nil && !strings.Contains(output, "ERROR")
				_, isStricter := stricter[name]
				switch {
				case len(c.errors) == 0 && !clean && !strings.Contains(strings.Join(c.warnings, ""), "refuses to build"):
					t.Errorf("no error here, but mdBook says: %v\n%s", err, output)
				case len(c.errors) > 0 && table == "summary" && err == nil && !isStricter:
					t.Errorf("refused here (%s), but mdBook builds it:\n%s", c.errors, output)
				}
			})
		}
	}
}

// build lays the book out as the operator does and runs `mdbook build`.
func build(t *testing.T, program string, c verdict) (string, error) {
	t.Helper()
	root := t.TempDir()
	markdowns, assets := c.files()
	for path, text := range newTree(markdowns, assets).files {
		file := filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "build", "-d", filepath.Join(root, "site"), root)
	cmd.Env = append(os.Environ(), "MDBOOK_BUILD__CREATE_MISSING=false")
	output, err := cmd.CombinedOutput()
	return string(output), err
}
