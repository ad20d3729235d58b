// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

const (
	// MaxPathCharacters bounds a path, MaxNameBytes one part of it (Linux's NAME_MAX).
	MaxPathCharacters = 512
	MaxNameBytes      = 255
)

// invisible are characters that no reader can see or that turn the text around them: soft hyphen,
// directional marks, zero-width space, separators, embeddings, isolates, byte order mark,
// interlinear marks, the replacement character (U+FFFD, what is left of text that was not UTF-8)
// U+FFFE and U+FFFF, which YAML cannot carry, and tags. Joiners (U+200C, U+200D) are not among them: Persian words and emoji need them.
// The rule in the schema has the same list.
var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x00AD, Hi: 0x00AD, Stride: 1}, {Lo: 0x061C, Hi: 0x061C, Stride: 1},
		{Lo: 0x180E, Hi: 0x180E, Stride: 1}, {Lo: 0x200B, Hi: 0x200B, Stride: 1},
		{Lo: 0x200E, Hi: 0x200F, Stride: 1}, {Lo: 0x2028, Hi: 0x202E, Stride: 1},
		{Lo: 0x2060, Hi: 0x206F, Stride: 1}, {Lo: 0xFEFF, Hi: 0xFEFF, Stride: 1},
		{Lo: 0xFFF9, Hi: 0xFFFF, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0xE0000, Hi: 0xE007F, Stride: 1}},
}

// PathProblem says why a path cannot be one of the book's, or returns "". It is the schema's rule
// (with bytes where CEL has only characters), for where no schema was asked.
func PathProblem(p string) string {
	if !utf8.ValidString(p) {
		return "the path is not valid UTF-8"
	}
	if n := utf8.RuneCountInString(p); n < 1 || n > MaxPathCharacters {
		return fmt.Sprintf("the path has %d characters; it must have 1 to %d", n, MaxPathCharacters)
	}
	for _, r := range p {
		switch {
		case r == '\\':
			return "the path holds a backslash: folders are separated by /"
		case unicode.Is(unicode.Cc, r):
			return fmt.Sprintf("the path holds the control character %U", r)
		case unicode.Is(invisible, r):
			return fmt.Sprintf("the path holds %U, which nobody can see: remove it", r)
		}
	}
	if strings.HasPrefix(p, "/") {
		return "the path begins with /: it must be relative to the book"
	}
	for part := range strings.SplitSeq(p, "/") {
		if problem := partProblem(part); problem != "" {
			return problem
		}
	}
	return ""
}

func partProblem(part string) string {
	switch {
	case part == "":
		return "the path has an empty part: write one / between folders and none at the end"
	case part == ".":
		return "the path has a part '.': leave it out"
	case strings.HasPrefix(part, ".."):
		return "the path has a part that begins with '..': it must stay within the book, and the kubelet keeps such names for itself"
	case len(part) > MaxNameBytes:
		return fmt.Sprintf("the path has a part of %d bytes; a file name has at most %d", len(part), MaxNameBytes)
	}
	return ""
}

func (in *inspection) checkPaths() {
	if _, ok := in.markdowns[viewv1.SummaryPath]; !ok {
		in.failf(Finding{Path: viewv1.SummaryPath}, "markdowns must have SUMMARY.md.")
	}
	all := slices.Concat(slices.Collect(maps.Keys(in.markdowns)), slices.Collect(maps.Keys(in.assets)))
	slices.Sort(all)
	for _, p := range all {
		if problem := PathProblem(p); problem != "" {
			in.failf(Finding{Path: p}, "%s", problem)
		}
	}
	if _, ok := in.assets[viewv1.SettingsPath]; ok {
		in.failf(Finding{Path: viewv1.SettingsPath}, "the settings are text: move them from assets to markdowns")
	}
	in.checkTwice(all)
	in.checkFolders(all)
	in.checkLookalikes(slices.Compact(all))
}

// checkTwice expects sorted paths.
func (in *inspection) checkTwice(sorted []string) {
	for i := 1; i < len(sorted); i++ {
		if sorted[i] == sorted[i-1] {
			in.failf(Finding{Path: sorted[i]}, "the path is in both markdowns and assets: keep one of them")
		}
	}
}

// checkFolders finds files that another path uses as a folder.
func (in *inspection) checkFolders(paths []string) {
	isFile := make(map[string]bool, len(paths))
	for _, p := range paths {
		isFile[p] = true
	}
	for _, p := range paths {
		if in.full() {
			return
		}
		for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
			if isFile[dir] {
				in.failf(Finding{Path: dir}, "the path is a file, and also a folder of %s: rename one of them", printable(p))
			}
		}
	}
}

// checkLookalikes finds paths that a reader cannot tell apart. Equal but for composition (NFC, NFD)
// or joiners is an error: a link would hit one of them by chance. Equal but for case is a warning:
// it works on the server, and not on the laptop of a colleague.
func (in *inspection) checkLookalikes(paths []string) {
	joiners := strings.NewReplacer("\u200c", "", "\u200d", "")
	fold := cases.Fold()
	same, folded := map[string]string{}, map[string]string{}
	for _, p := range paths {
		key := joiners.Replace(norm.NFC.String(p))
		if first, ok := same[key]; ok {
			in.failf(Finding{Path: p}, "the path, %s, looks the same as %s: rename one of them", strconv.QuoteToASCII(p), strconv.QuoteToASCII(first))
			continue
		}
		same[key] = p
		lower := fold.String(key)
		if first, ok := folded[lower]; ok {
			in.warnf(Finding{Path: p}, "the path differs from %s by case only, which many file systems cannot hold", printable(first))
			continue
		}
		folded[lower] = p
	}
}

// printable is the path as it is where every character can be seen, else quoted.
func printable(p string) string {
	for _, r := range p {
		if !unicode.IsPrint(r) && !unicode.Is(unicode.Join_Control, r) || r == '\uFFFD' {
			return strconv.QuoteToASCII(p)
		}
	}
	return p
}
