// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"path"
	"strings"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// sourceDir is the folder under the book's root that holds all of a book but its settings.
const sourceDir = "src"

// tree is the book as mdBook's file system shows it. Paths are relative to the book's root.
type tree struct {
	files map[string]string
	dirs  map[string]bool
}

func newTree(markdowns map[string]string, assets map[string][]byte) *tree {
	t := &tree{files: map[string]string{}, dirs: map[string]bool{"": true, sourceDir: true}}
	for p, text := range markdowns {
		t.add(rootPath(p), text)
	}
	for p, bytes := range assets {
		t.add(rootPath(p), string(bytes))
	}
	return t
}

func (t *tree) add(p, content string) {
	t.files[p] = content
	for dir := path.Dir(p); dir != "." && !t.dirs[dir]; dir = path.Dir(dir) {
		t.dirs[dir] = true
	}
}

// rootPath is where a key of spec.markdowns or spec.assets lies under the book's root.
func rootPath(key string) string {
	if isSettings(key) {
		return viewv1.SettingsPath
	}
	return sourceDir + "/" + key
}

// keyOf is the reverse of rootPath.
func keyOf(rootPath string) string { return strings.TrimPrefix(rootPath, sourceDir+"/") }

// whereabouts is how a path that an author wrote lies to the book.
type whereabouts int

const (
	found    whereabouts = iota // a file of the book
	folder                      // a folder of the book
	missing                     // within the book, but nothing is there
	outside                     // leaves the book's root
	absolute                    // begins at the container's root
)

// resolve walks from dir along target as the kernel would, and returns what is there and its path
// from the root. A ".." behind a folder that does not exist leads nowhere, as on a real disk.
func (t *tree) resolve(dir, target string) (string, whereabouts) {
	if strings.HasPrefix(target, "/") {
		return target, absolute
	}
	at, lost := dir, false
	for part := range strings.SplitSeq(target, "/") {
		switch part {
		case "", ".":
		case "..":
			if at == "" {
				return target, outside
			}
			lost = lost || !t.dirs[at]
			at = strings.TrimPrefix(path.Dir("/"+at), "/")
		default:
			lost = lost || !t.dirs[at]
			at = strings.TrimPrefix(at+"/"+part, "/")
		}
	}
	_, isFile := t.files[at]
	switch {
	case lost || isFile && strings.HasSuffix(target, "/"):
		return at, missing
	case isFile:
		return at, found
	case t.dirs[at]:
		return at, folder
	default:
		return at, missing
	}
}
