// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// MaxFindings bounds what one call reports; a last finding counts the rest.
const MaxFindings = 50

// maxErrors is where Inspect stops to look for errors. It is far above MaxFindings: those that come first
// by path and line are reported, not those that are found first.
const maxErrors = 1000

// Finding is one thing that is wrong with a book, or that will surprise its author.
type Finding struct {
	// Path is the file, as the key in spec.markdowns or spec.assets; empty for the book as a whole.
	Path string
	// Line counts from 1; 0 means the file as a whole.
	Line int
	// Column counts characters from 1; 0 means the line as a whole.
	Column int
	// Message says what is wrong and what to do about it.
	Message string
}

// String is "path:line:column: message", as compilers print it, without the parts that are unknown.
func (f Finding) String() string {
	switch {
	case f.Path == "":
		return f.Message
	case f.Line == 0:
		return fmt.Sprintf("%s: %s", printable(f.Path), f.Message)
	case f.Column == 0:
		return fmt.Sprintf("%s:%d: %s", printable(f.Path), f.Line, f.Message)
	default:
		return fmt.Sprintf("%s:%d:%d: %s", printable(f.Path), f.Line, f.Column, f.Message)
	}
}

// Check returns every reason why the book cannot be published, sorted by path and line; none means
// that mdBook will build it (preprocessors of the image aside). The arguments are spec.markdowns
// and spec.assets; neither is changed.
func Check(markdowns map[string]string, assets map[string][]byte) []Finding {
	errors, _ := Inspect(markdowns, assets)
	return errors
}

// Inspect is Check, and also returns warnings: what mdBook builds but what will surprise the
// author. A book with errors has no warnings: they would only hide what must be mended.
func Inspect(markdowns map[string]string, assets map[string][]byte) (errors, warnings []Finding) {
	in := newInspection(markdowns, assets)
	in.inspect()
	if len(in.errors) > 0 {
		return tidy(in.errors, in.full()), nil
	}
	return nil, tidy(in.warnings, false)
}

// inspection is the state of one call of Inspect.
type inspection struct {
	markdowns map[string]string
	assets    map[string][]byte
	tree      *tree
	work      work

	chapters []chapter       // the pages that SUMMARY.md links to and that exist
	included map[string]bool // files that some page includes, by path from the root
	notFound string          // the page for "not found", by path from the root

	errors   []Finding
	said     map[Finding]struct{} // the errors: an excerpt that is included twice has each of its own once
	warnings []Finding
}

func newInspection(markdowns map[string]string, assets map[string][]byte) *inspection {
	return &inspection{markdowns: markdowns, assets: assets, said: map[Finding]struct{}{}}
}

func (in *inspection) inspect() {
	in.checkSize()
	in.checkPaths()
	if len(in.errors) > 0 {
		return // The rest reads the book as a tree of files, which a bad path would not fit into.
	}
	in.tree = newTree(in.markdowns, in.assets, &in.work)
	in.checkSettings()
	in.checkSummary()
	in.checkIncludes()
	in.checkPublished()
	in.checkRecord()
}

func (in *inspection) failf(at Finding, format string, args ...any) {
	if in.full() {
		return
	}
	at.Message = fmt.Sprintf(format, args...)
	if _, said := in.said[at]; !said {
		in.said[at] = struct{}{}
		in.errors = append(in.errors, at)
	}
}

// full tells that there are so many errors that it is not worth to look for more.
func (in *inspection) full() bool { return len(in.errors) >= maxErrors }

func (in *inspection) warnf(at Finding, format string, args ...any) {
	at.Message = fmt.Sprintf(format, args...)
	in.warnings = append(in.warnings, at)
}

// tidy sorts findings, drops repetitions and bounds their number. isPart tells that there are more than were found.
func tidy(findings []Finding, isPart bool) []Finding {
	slices.SortFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	findings = slices.Compact(findings)
	if len(findings) > MaxFindings {
		rest := strconv.Itoa(len(findings) - MaxFindings)
		if isPart {
			rest = "at least " + rest
		}
		findings = append(findings[:MaxFindings:MaxFindings], Finding{
			Message: fmt.Sprintf("and %s more: mend the ones above first", rest),
		})
	}
	return findings
}

// isSettings tells whether the path is the book's mdBook settings, which lie beside src/.
func isSettings(path string) bool { return path == viewv1.SettingsPath }
