// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package release

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"testing"
)

// TestInflatesWithin: a record that inflates to more than a book ever could is not decoded at all.
func TestInflatesWithin(t *testing.T) {
	zip := func(size int) string {
		var out bytes.Buffer
		writer := gzip.NewWriter(&out)
		_, _ = writer.Write(make([]byte, size))
		_ = writer.Close()
		return base64.StdEncoding.EncodeToString(out.Bytes())
	}
	for name, c := range map[string]struct {
		payload string
		want    bool
	}{
		"AtTheLimit": {zip(1000), true},
		"OneMore":    {zip(1001), false},
		"Bomb":       {zip(64 << 20), false},
		"Empty":      {"", true},
		"Garbage":    {"%%%", true},
		"Truncated":  {zip(1000)[:20], true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := inflatesWithin(c.payload, 1000); got != c.want {
				t.Errorf("inflatesWithin is %v, want %v", got, c.want)
			}
		})
	}
}
