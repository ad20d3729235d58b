// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package release

import (
	"compress/gzip"
	"encoding/base64"
	"io"
	"strings"
)

// maxInflated bounds a decoded record, in bytes: several times what the largest book that passes
// admission makes, values and manifest together.
const maxInflated = 16 << 20

// inflatesWithin tells whether a record's payload, base64 of gzip as Helm writes it, decodes to at
// most limit bytes. It holds no more than a buffer of it. A payload that does not decode is within:
// Helm's decoder says what is wrong with it.
func inflatesWithin(payload string, limit int64) bool {
	reader, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(payload)))
	if err != nil {
		return true
	}
	n, _ := io.Copy(io.Discard, io.LimitReader(reader, limit+1))
	return n <= limit
}
