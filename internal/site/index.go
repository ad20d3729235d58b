// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package site

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

const (
	indexPage    = "index.html"
	notFoundPage = "404.html"
	readmePage   = "README.html"
	pageSuffix   = ".html"
	// alternateFolder is where mdBook puts the pages when a book's settings name more than one
	// output: each gets a folder of its own then.
	alternateFolder = "html"
)

// Site is the index of one built book. It is safe for concurrent use: nothing in it changes.
type Site struct {
	root  *os.Root
	files map[string]*file
	// Stats sums the index up.
	Stats Stats
}

// Stats sums an index up, for logs and metrics.
type Stats struct {
	// Files is the number of files that can be asked for.
	Files int
	// Skipped is the number of symbolic links, dotfiles and special files that are not served.
	Skipped int
	// Bytes is the size of all files by content coding: identity (on disk), gzip and zstd (in memory).
	Bytes map[string]int64
}

// Open indexes the folder, which must hold a built book (an index.html) and must not change while
// it is served. Its errors name the folder or file and say what to do.
func Open(folder string) (*Site, error) {
	root, err := openBook(folder)
	if err != nil {
		return nil, err
	}
	s := &Site{root: root, files: map[string]*file{}, Stats: Stats{Bytes: map[string]int64{}}}
	compress, err := newCompressors()
	if err == nil {
		err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
			return s.visit(name, entry, err, compress)
		})
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("index the book in %s: %w", folder, err), root.Close())
	}
	return s, nil
}

// Close releases the folder. Requests still being answered may fail.
func (s *Site) Close() error {
	return s.root.Close()
}

// openBook opens the folder that holds index.html: the given one, or html/ in it.
func openBook(folder string) (*os.Root, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("open the book's folder: %w; --root must name a folder that this user can read", err)
	}
	if _, err := root.Stat(indexPage); err == nil {
		return root, nil
	}
	inner, err := root.OpenRoot(alternateFolder)
	if err == nil {
		if _, err = inner.Stat(indexPage); err == nil {
			return inner, root.Close()
		}
		err = errors.Join(err, inner.Close())
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return nil, errors.Join(
		fmt.Errorf("%s has neither %s nor %s/%s: build the book into it first, as `mdbook build --dest-dir %s` does",
			folder, indexPage, alternateFolder, indexPage, folder), err, root.Close())
}

// visit adds one entry of the folder to the index.
func (s *Site) visit(name string, entry fs.DirEntry, err error, compress *compressors) error {
	switch {
	case err != nil:
		return err
	case name == ".":
		return nil
	case strings.HasPrefix(entry.Name(), "."):
		s.Stats.Skipped++
		if entry.IsDir() {
			return fs.SkipDir
		}
		return nil
	case entry.IsDir():
		return nil
	case !entry.Type().IsRegular():
		s.Stats.Skipped++
		return nil
	}
	f, err := readFile(s.root, name, compress)
	if err != nil {
		return err
	}
	s.files[name] = f
	s.Stats.Files++
	s.Stats.Bytes[codingIdentity] += f.size
	for _, form := range f.forms {
		s.Stats.Bytes[form.coding] += int64(len(form.content))
	}
	return nil
}

// open opens the plain form of a file. It fails if the file is no longer the one that was indexed,
// because its headers would then lie.
func (s *Site) open(f *file) (io.ReadSeekCloser, error) {
	opened, err := s.root.Open(f.name)
	if err != nil {
		return nil, err
	}
	info, err := opened.Stat()
	if err == nil && (info.Size() != f.size || !info.ModTime().Equal(f.modified)) {
		err = fmt.Errorf("%s has changed since the book was indexed; restart the server", f.name)
	}
	if err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	return opened, nil
}
