// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// lookalikes are the files by what a reader takes them for. A book may miss thousands of files, so the
// names of those that it has are normalised once, not for each.
type lookalikes struct {
	composed map[string]string // by NFC; no two files share it, checkLookalikes sees to that
	folded   map[string]string // by NFC without case, the first of several
}

func newLookalikes(files map[string]string, w *work) *lookalikes {
	l := &lookalikes{composed: map[string]string{}, folded: map[string]string{}}
	for file := range files {
		w.look(len(file))
		form := norm.NFC.String(file)
		l.composed[form] = file
		lower := strings.Map(foldRune, form)
		if first, ok := l.folded[lower]; !ok || file < first {
			l.folded[lower] = file
		}
	}
	return l
}

// foldRune is the least of the characters that strings.EqualFold takes for equal.
func foldRune(r rune) rune {
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	return least
}

// lookalike names the file that was probably meant, for the end of a message, or is "".
func (t *tree) lookalike(missing string) string {
	if t.alike == nil {
		t.alike = newLookalikes(t.files, t.work)
	}
	t.work.look(len(missing))
	form := norm.NFC.String(missing)
	if near, ok := t.alike.composed[form]; ok {
		if near == missing {
			return " (it is there, but the link goes through a folder that is not)"
		}
		return " (there is one that looks the same but is written with other code points)"
	}
	if near, ok := t.alike.folded[strings.Map(foldRune, form)]; ok {
		return " (there is " + printable(keyOf(near)) + ")"
	}
	return ""
}
