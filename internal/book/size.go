// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package book

import (
	"compress/flate"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

const (
	// MaxFileBytes is the most that one file may hold. A file is one key of a ConfigMap, and
	// the API server refuses a ConfigMap of more than 1 MiB.
	MaxFileBytes = 1_000_000

	// MaxStoredBytes is the most that spec.markdowns and spec.assets may take as stored JSON. etcd
	// refuses a request of 1.5 MiB; the rest is for annotations (256 KiB), managed fields and status.
	MaxStoredBytes = 1_310_720

	// The parsers of Markdown and TOML take a time that grows with the square of some texts' size. The next
	// ones bound what they are given; they are far above any book's, whose files are 2,048 at most.

	// MaxSummaryBytes and MaxSummaryLines bound SUMMARY.md, MaxSummaryLineBytes each line of it.
	MaxSummaryBytes     = 256 << 10
	MaxSummaryLines     = 10_000
	MaxSummaryLineBytes = 4096

	// MaxSummaryIndent bounds what may stand before an entry: spaces, and the marks of lists and quotes.
	MaxSummaryIndent = 100

	// MaxSettingsBytes bounds book.toml.
	MaxSettingsBytes = 64 << 10

	// RecordRoomBytes is how much of a book that does not compress Helm's record of its release holds for
	// certain: the record is one ConfigMap, as base64 of gzip. docs/src/reference/limits.md promises it.
	RecordRoomBytes = 700 << 10
)

// StoredBytes is what the book takes as the JSON that the API server stores. That is more than its
// files: base64 adds a third, each of < > & becomes six bytes, and the API server records every
// path a second time in the object's managed fields.
func StoredBytes(markdowns map[string]string, assets map[string][]byte) int {
	total := 0
	for path, text := range markdowns {
		total += jsonBytes(path)*2 + jsonBytes(text) + 8
	}
	for path, bytes := range assets {
		total += jsonBytes(path)*2 + (len(bytes)+2)/3*4 + 8
	}
	return total
}

func jsonBytes(s string) int {
	encoded, err := json.Marshal(s)
	if err != nil {
		return len(s) // cannot happen: a string always has a JSON form
	}
	return len(encoded)
}

func (in *inspection) checkSize() {
	for _, path := range slices.Sorted(maps.Keys(in.markdowns)) {
		in.checkFileSize(path, len(in.markdowns[path]))
	}
	for _, path := range slices.Sorted(maps.Keys(in.assets)) {
		in.checkFileSize(path, len(in.assets[path]))
	}
	if stored := StoredBytes(in.markdowns, in.assets); stored > MaxStoredBytes {
		in.failf(Finding{}, "the book takes %d bytes as stored JSON (each of < > & takes 6, an asset a third more than its size); "+
			"the limit is %d: split the book, or serve large files from elsewhere", stored, MaxStoredBytes)
	}
}

// checkRecord warns of a book that admission takes and whose release may not be recorded. Whether it is
// depends on the rest of the record, so it is no error.
func (in *inspection) checkRecord() {
	if size := compressedBytes(in.tree.files); size > RecordRoomBytes {
		in.warnf(Finding{}, "the book takes %d KiB even when compressed; above %d KiB Helm's record of it may be too large, "+
			"and it would not be published: make images smaller, or serve them from elsewhere", size>>10, RecordRoomBytes>>10)
	}
}

// compressedBytes is about what the files take in Helm's record. It compresses only where that can matter.
func compressedBytes(files map[string]string) int {
	total := 0
	for _, content := range files {
		total += len(content)
	}
	if total <= RecordRoomBytes {
		return total
	}
	var compressed counter
	compressor, err := flate.NewWriter(&compressed, flate.BestSpeed)
	if err != nil {
		return total // cannot happen: the level is a known one
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		_, _ = io.WriteString(compressor, files[path]) // a counter takes everything
	}
	_ = compressor.Close()
	return int(compressed)
}

// counter is a writer that keeps only how much was written.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

func (in *inspection) checkFileSize(path string, size int) {
	if size > MaxFileBytes {
		in.failf(Finding{Path: path}, "the file has %d bytes, the limit is %d: split it, or serve it from elsewhere", size, MaxFileBytes)
	}
}

// checkSummarySize tells whether the table of contents may be parsed.
func (in *inspection) checkSummarySize(source string) bool {
	if len(source) > MaxSummaryBytes {
		in.failf(Finding{Path: viewv1.SummaryPath}, "the table of contents has %d bytes, the limit is %d: split the book", len(source), MaxSummaryBytes)
		return false
	}
	if lines := strings.Count(source, "\n") + 1; lines > MaxSummaryLines {
		in.failf(Finding{Path: viewv1.SummaryPath}, "the table of contents has %d lines, the limit is %d: split the book", lines, MaxSummaryLines)
		return false
	}
	number := 0
	for line := range strings.SplitSeq(source, "\n") {
		number++
		at := Finding{Path: viewv1.SummaryPath, Line: number}
		if len(line) > MaxSummaryLineBytes {
			in.failf(at, "the line has %d bytes, the limit is %d: write one chapter a line", len(line), MaxSummaryLineBytes)
			return false
		}
		if indent := indentOf(line); indent > MaxSummaryIndent {
			in.failf(at, "%d spaces and marks stand before the entry, the limit is %d: nest the chapters less deep", indent, MaxSummaryIndent)
			return false
		}
	}
	return true
}

// indentOf counts what may nest an entry of a list or a quote. A blank line and a rule, which are made of
// the same characters, nest nothing.
func indentOf(line string) int {
	for _, mark := range []string{"-", "*"} {
		if marks := strings.Count(line, mark); (marks == 0 || marks > 2) && strings.Trim(line, " \t\r"+mark) == "" {
			return 0
		}
	}
	return len(line) - len(strings.TrimLeft(line, " \t>-+*0123456789.)"))
}

// checkSettingsSize tells whether the settings may be parsed.
func (in *inspection) checkSettingsSize(source string) bool {
	if len(source) > MaxSettingsBytes {
		in.failf(Finding{Path: viewv1.SettingsPath}, "the settings have %d bytes, the limit is %d: remove what mdBook does not need",
			len(source), MaxSettingsBytes)
		return false
	}
	return true
}
