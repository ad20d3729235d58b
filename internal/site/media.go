// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package site

import (
	"crypto/sha256"
	"encoding/hex"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strings"
)

// mediaTypes are the types of what books consist of. Package mime alone is not enough: it reads
// the machine's own tables, so its answer in an image made from scratch differs from that on a
// laptop.
var mediaTypes = map[string]string{
	".avif":        "image/avif",
	".css":         "text/css; charset=utf-8",
	".csv":         "text/csv; charset=utf-8",
	".gif":         "image/gif",
	".htm":         "text/html; charset=utf-8",
	".html":        "text/html; charset=utf-8",
	".ico":         "image/x-icon",
	".jpeg":        "image/jpeg",
	".jpg":         "image/jpeg",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".map":         "application/json",
	".md":          "text/markdown; charset=utf-8",
	".mjs":         "text/javascript; charset=utf-8",
	".mp4":         "video/mp4",
	".otf":         "font/otf",
	".pdf":         "application/pdf",
	".png":         "image/png",
	".rs":          "text/plain; charset=utf-8",
	".svg":         "image/svg+xml",
	".toml":        "text/plain; charset=utf-8",
	".ttf":         "font/ttf",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webm":        "video/webm",
	".webmanifest": "application/manifest+json",
	".webp":        "image/webp",
	".woff":        "font/woff",
	".woff2":       "font/woff2",
	".xml":         "text/xml; charset=utf-8",
	".yaml":        "text/plain; charset=utf-8",
	".yml":         "text/plain; charset=utf-8",
}

// mediaType is the Content-Type of the file name, whose first bytes are head (up to 512).
func mediaType(name string, head []byte) string {
	extension := strings.ToLower(path.Ext(name))
	if known, ok := mediaTypes[extension]; ok {
		return known
	}
	if known := mime.TypeByExtension(extension); known != "" {
		return known
	}
	sniffed := http.DetectContentType(head)
	if strings.HasPrefix(sniffed, "text/html") {
		// A file that is not called a page must not become one, and run scripts, by what it holds.
		return "text/plain; charset=utf-8"
	}
	return sniffed
}

// compressible tells whether files of that Content-Type get smaller by compression. Images, fonts
// and videos are compressed already.
func compressible(contentType string) bool {
	base, _, _ := strings.Cut(contentType, ";")
	switch base {
	case "application/json", "application/manifest+json", "application/wasm", "application/xml",
		"image/svg+xml", "font/ttf", "font/otf", "image/x-icon", "image/bmp":
		return true
	}
	return strings.HasPrefix(base, "text/")
}

// fingerprint finds the eight hexadecimal digits that mdBook puts before the first dot of a file's
// name: css/general-2459343d.css, clipboard-1626706a.min.js.
var fingerprint = regexp.MustCompile(`^[^.]*-([0-9a-f]{8})\.`)

// hasOwnHash tells whether the file's name contains the hash of its content, so that another
// content can never come under that name. The digits alone prove nothing: a person may have typed
// them, and mdBook computes them before it writes the names of other files into the content
// (fonts/fonts-<hash>.css keeps its name when a font changes).
func hasOwnHash(name string, sum [sha256.Size]byte) bool {
	match := fingerprint.FindStringSubmatch(path.Base(name))
	return match != nil && match[1] == hex.EncodeToString(sum[:4])
}
