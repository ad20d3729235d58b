// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package bookdir turns a folder that `mdbook build` understands into the spec of a MarkdownView.
// It reads a file system, and must not decide anything about the book: whether it can be built is
// for internal/book and the API server to say.
package bookdir

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// sourceDir is mdBook's default for [book] src, and the only one that a MarkdownView has.
const sourceDir = "src"

// ErrNoSummary means that the folder is no book: it has no src/SUMMARY.md.
var ErrNoSummary = errors.New("no src/SUMMARY.md: this is not the root of an mdBook")

// Spec reads the book at the root of dir: book.toml where there is one, and all below src. Files
// that are UTF-8 text become markdowns, all others assets. Names that begin with a dot are left out,
// as editors and version control leave them there.
func Spec(dir fs.FS) (viewv1.MarkdownViewSpec, error) {
	spec := viewv1.MarkdownViewSpec{Markdowns: map[string]string{}}
	settings, err := fs.ReadFile(dir, viewv1.SettingsPath)
	switch {
	case err == nil:
		spec.Markdowns[viewv1.SettingsPath] = string(settings)
	case !errors.Is(err, fs.ErrNotExist):
		return viewv1.MarkdownViewSpec{}, fmt.Errorf("read the book's settings: %w", err)
	}
	if _, err := fs.Stat(dir, sourceDir+"/"+viewv1.SummaryPath); err != nil {
		return viewv1.MarkdownViewSpec{}, fmt.Errorf("%w (%w)", ErrNoSummary, err)
	}
	err = fs.WalkDir(dir, sourceDir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(entry.Name(), ".") && entry.IsDir():
			return fs.SkipDir
		case strings.HasPrefix(entry.Name(), ".") || entry.IsDir():
			return nil
		}
		content, err := fs.ReadFile(dir, path)
		if err != nil {
			return err
		}
		add(&spec, strings.TrimPrefix(path, sourceDir+"/"), content)
		return nil
	})
	if err != nil {
		return viewv1.MarkdownViewSpec{}, fmt.Errorf("read the book's sources: %w", err)
	}
	return spec, nil
}

func add(spec *viewv1.MarkdownViewSpec, path string, content []byte) {
	if utf8.Valid(content) {
		spec.Markdowns[path] = string(content)
		return
	}
	if spec.Assets == nil {
		spec.Assets = map[string]viewv1.Base64{}
	}
	spec.Assets[path] = viewv1.EncodeBase64(content)
}
