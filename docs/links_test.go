// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// pages are the Markdown files that people read: the book, and those at the root of the repository.
func pages(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir("src", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(name) == ".md" {
			files = append(files, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// parse reads a page as the Markdown that GitHub and mdBook both understand.
func parse(source []byte) ast.Node {
	return goldmark.New(goldmark.WithExtensions(extension.Table, extension.Linkify)).Parser().Parse(text.NewReader(source))
}

// outline is what links of a page point to, and what it offers to others.
type outline struct {
	links   []string
	anchors map[string]bool
}

func outlineOf(t *testing.T, file string) outline {
	t.Helper()
	source := []byte(read(t, file))
	page := outline{anchors: map[string]bool{}}
	err := ast.Walk(parse(source), func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := node.(type) {
		case *ast.Link:
			page.links = append(page.links, string(n.Destination))
		case *ast.Image:
			page.links = append(page.links, string(n.Destination))
		case *ast.Heading:
			page.anchors[anchor(plainText(n, source))] = true
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func plainText(node ast.Node, source []byte) string {
	var b strings.Builder
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		if leaf, ok := child.(*ast.Text); ok {
			b.Write(leaf.Segment.Value(source))
			continue
		}
		b.WriteString(plainText(child, source))
	}
	return b.String()
}

// anchor is the id that mdBook and GitHub give to a heading.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, heading)
}

func TestLinksLeadSomewhere(t *testing.T) {
	checked := 0
	for _, file := range pages(t) {
		for _, link := range outlineOf(t, file).links {
			if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
				continue
			}
			checked++
			target, fragment, _ := strings.Cut(link, "#")
			there := file
			if target != "" {
				there = filepath.Join(filepath.Dir(file), filepath.FromSlash(target))
			}
			if _, err := os.Stat(there); err != nil {
				t.Errorf("%s: the link %s leads nowhere", file, link)
				continue
			}
			if fragment != "" && !outlineOf(t, there).anchors[fragment] {
				t.Errorf("%s: %s has no heading for the link %s", file, there, link)
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d links were checked: the test reads the wrong files", checked)
	}
}

// makeCommand finds `make target…` in the code of a page.
var makeCommand = regexp.MustCompile(`(?m)(?:^|[$&;(] ?)make((?: +[A-Za-z0-9_.=/:"-]+)+)`)

var makeTarget = regexp.MustCompile(`(?m)^([a-z][a-z0-9-]*):`)

// Every make target that the documentation tells people to use exists.
func TestMakeCommandsExist(t *testing.T) {
	known := map[string]bool{}
	makefiles, err := filepath.Glob(filepath.Join(root, "hack", "make", "*.mk"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(makefiles, filepath.Join(root, "Makefile")) {
		for _, match := range makeTarget.FindAllStringSubmatch(read(t, file), -1) {
			known[match[1]] = true
		}
	}
	used := 0
	for _, file := range pages(t) {
		for _, snippet := range codeOf(t, file) {
			for _, match := range makeCommand.FindAllStringSubmatch(snippet, -1) {
				for word := range strings.FieldsSeq(match[1]) {
					if strings.ContainsAny(word, "=/") || strings.HasPrefix(word, "-") {
						continue
					}
					used++
					if !known[word] {
						t.Errorf("%s: there is no target for `make %s`", file, word)
					}
				}
			}
		}
	}
	if used < 10 {
		t.Errorf("only %d uses of make were found: the test reads the wrong files", used)
	}
}

// codeOf returns the code blocks and code spans of a page.
func codeOf(t *testing.T, file string) []string {
	t.Helper()
	source := []byte(read(t, file))
	var found []string
	err := ast.Walk(parse(source), func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := node.(type) {
		case *ast.FencedCodeBlock:
			found = append(found, strings.ReplaceAll(string(n.Lines().Value(source)), "\\\n", " "))
		case *ast.CodeSpan:
			found = append(found, plainText(n, source))
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
