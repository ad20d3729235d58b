// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"strings"
	"unicode/utf8"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// sourceDir is the folder under the book's root that holds all of a book but its settings.
const sourceDir = "src"

// maxTargetBytes is Linux's PATH_MAX without its final zero: mdBook can open no longer path, however many
// "./" it holds.
const maxTargetBytes = 4095

// tree is the book as mdBook's file system shows it. Paths are relative to the book's root.
type tree struct {
	files   map[string]string
	folders map[step]folderID
	isText  map[string]bool // of the files that were asked for
	alike   *lookalikes     // made when the first file is missing
	from    route           // to the folder of the last resolve, which is mostly that of the next
	route   route           // scratch of resolve
	work    *work
}

// folderID numbers the folders; a step leads from one into another. Folders are not found by their paths:
// to compare those, a walk through deep folders would read the way to each of them again.
type folderID int

const (
	nowhere folderID = iota // a folder that does not exist
	root
)

type step struct {
	from folderID
	name string
}

func newTree(markdowns map[string]string, assets map[string][]byte, w *work) *tree {
	t := &tree{files: map[string]string{}, folders: map[step]folderID{}, isText: map[string]bool{}, work: w}
	t.makeFolder(root, sourceDir)
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
	at := root
	for rest := p; ; {
		name, behind, more := strings.Cut(rest, "/")
		if !more {
			return
		}
		at, rest = t.makeFolder(at, name), behind
	}
}

func (t *tree) makeFolder(in folderID, name string) folderID {
	id, ok := t.folders[step{in, name}]
	if !ok {
		id = root + 1 + folderID(len(t.folders))
		t.folders[step{in, name}] = id
	}
	return id
}

// holdsText tells whether a file is text. Every line of a book may ask for a large one, so it is read once.
func (t *tree) holdsText(file string) bool {
	is, known := t.isText[file]
	if !known {
		t.work.look(len(t.files[file]))
		is = utf8.ValidString(t.files[file])
		t.isText[file] = is
	}
	return is
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

// route is the way from the root to a folder: the names, and what each of them leads to.
type route struct {
	path  string // set for a folder that another walk may begin in
	names []string
	ids   []folderID
}

func (r *route) end() folderID {
	if len(r.ids) == 0 {
		return root
	}
	return r.ids[len(r.ids)-1]
}

func (r *route) enter(t *tree, name string) {
	t.work.look(len(name))
	r.names, r.ids = append(r.names, name), append(r.ids, t.folders[step{r.end(), name}])
}

func (r *route) leave() {
	r.names, r.ids = r.names[:len(r.names)-1], r.ids[:len(r.ids)-1]
}

// start sets the scratch route to the folder dir.
func (t *tree) start(dir string) *route {
	if t.from.path != dir {
		t.from = route{path: dir}
		if dir != "" {
			for name := range strings.SplitSeq(dir, "/") {
				t.from.enter(t, name)
			}
		}
	}
	t.route.names = append(t.route.names[:0], t.from.names...)
	t.route.ids = append(t.route.ids[:0], t.from.ids...)
	return &t.route
}

// resolve walks from dir along target as the kernel would, and returns what is there and its path
// from the root. A ".." behind a folder that does not exist leads nowhere, as on a real disk.
func (t *tree) resolve(dir, target string) (string, whereabouts) {
	if strings.HasPrefix(target, "/") {
		return target, absolute
	}
	if len(target) > maxTargetBytes {
		return shorten(target), missing
	}
	at, lost := t.start(dir), false
	for part := range strings.SplitSeq(target, "/") {
		switch part {
		case "", ".":
		case "..":
			if len(at.names) == 0 {
				return target, outside
			}
			lost = lost || at.end() == nowhere
			at.leave()
		default:
			lost = lost || at.end() == nowhere
			at.enter(t, part)
		}
	}
	end := strings.Join(at.names, "/")
	t.work.look(len(end))
	if lost {
		return end, missing
	}
	return end, t.at(end, at.end(), strings.HasSuffix(target, "/"))
}

// at tells what a path is that leads through nothing but folders; only a folder may have a slash behind it.
func (t *tree) at(path string, id folderID, slash bool) whereabouts {
	switch _, isFile := t.files[path]; {
	case isFile && !slash:
		return found
	case !isFile && id != nowhere:
		return folder
	default:
		return missing
	}
}
