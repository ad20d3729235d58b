// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package values

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

const (
	// ConfigMapCapacity is the number of bytes of file contents that one ConfigMap is given. The API
	// server's own limit is 1 MiB; the rest is room for names, labels and managed fields.
	ConfigMapCapacity = 900 << 10

	// sourceDir is the folder of the projected volume that holds the book's sources.
	sourceDir = "src/"

	maxKeyLength = 253
)

// Content is a book's files, laid out over ConfigMaps.
type Content struct {
	// Hash names the content: 16 hexadecimal digits that change with any path or byte.
	Hash string
	// Parts are the ConfigMaps, in order; the first holds the first paths in byte order.
	Parts []Part
	// Settings tells that the book brings a book.toml.
	Settings bool
}

// Part is one ConfigMap.
type Part struct {
	Name  string
	Files []File
	size  int
}

// File is one file of a Part.
type File struct {
	// Key in the ConfigMap: the path itself where that is a valid key.
	Key string
	// Path in the viewer pod's source volume.
	Path string
	// Text is the content; Binary tells that it must be stored as bytes.
	Text   string
	Binary bool
}

// Layout lays the files of the book of MarkdownView name out over as few ConfigMaps as their size allows.
// The result depends on the paths and bytes only.
func Layout(name string, markdowns map[string]string, assets map[string][]byte) Content {
	files := make([]File, 0, len(markdowns)+len(assets))
	for path, text := range markdowns {
		files = append(files, file(path, text))
	}
	for path, bytes := range assets {
		files = append(files, file(path, string(bytes)))
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })

	_, settings := markdowns[viewv1.SettingsPath]
	content := Content{Hash: hash(files), Settings: settings}
	for _, f := range files {
		last := len(content.Parts) - 1
		if last < 0 || content.Parts[last].size+len(f.Text) > ConfigMapCapacity {
			content.Parts = append(content.Parts, Part{Name: partName(name, content.Hash, len(content.Parts))})
			last++
		}
		content.Parts[last].Files = append(content.Parts[last].Files, f)
		content.Parts[last].size += len(f.Text)
	}
	return content
}

func partName(name, hash string, index int) string {
	if index == 0 {
		return fmt.Sprintf("markdowns-%s-%s", name, hash)
	}
	return fmt.Sprintf("markdowns-%s-%s-%d", name, hash, index)
}

// file does not ask whether the path came from markdowns or from assets: a file that moves from one to
// the other is the same content, of the same name, and content of one name can never change.
func file(path, text string) File {
	target := sourceDir + path
	if path == viewv1.SettingsPath {
		target = path
	}
	return File{Key: key(path), Path: target, Text: text, Binary: !printable(text)}
}

// layoutVersion is part of every hash. It changes whenever Layout lays the same files out otherwise:
// the ConfigMaps of an older operator cannot be changed, so they must not have the new ones' names.
const layoutVersion = "1"

// hash covers lengths as well as bytes, so that no two lists of files run together into one.
func hash(files []File) string {
	sum := sha256.New()
	var length [8]byte
	write := func(s string) {
		binary.BigEndian.PutUint64(length[:], uint64(len(s)))
		sum.Write(length[:])
		sum.Write([]byte(s))
	}
	write(layoutVersion)
	for _, f := range files {
		write(f.Path)
		write(f.Text)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// key returns the ConfigMap key of a path. A ConfigMap key holds only letters, digits, '-', '_' and
// '.', so any other byte is written as _hh (and '_' itself as _5f), which keeps keys of different
// paths different. A path whose key would be too long gets its hash instead.
func key(path string) string {
	var out strings.Builder
	for i := range len(path) {
		switch c := path[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '.' && i > 0:
			out.WriteByte(c)
		default:
			fmt.Fprintf(&out, "_%02x", c)
		}
	}
	if out.Len() > maxKeyLength {
		sum := sha256.Sum256([]byte(path))
		return "__" + hex.EncodeToString(sum[:])
	}
	return out.String()
}

// printable tells whether YAML can carry the text. What it cannot (DEL, C1 controls, a byte order
// mark, broken UTF-8) is stored as bytes, which carry everything.
func printable(text string) bool {
	if !utf8.ValidString(text) {
		return false
	}
	for _, r := range text {
		if r == '\n' || r == '\r' || r == '\t' {
			continue
		}
		if r == 0xFEFF || r == 0xFFFE || r == 0xFFFF || unicode.IsControl(r) {
			return false
		}
	}
	return true
}

// values returns the content as the chart's .Values.content.
func (c Content) values() map[string]any {
	parts := make([]any, 0, len(c.Parts))
	for _, part := range c.Parts {
		data, binaryData, items := map[string]any{}, map[string]any{}, []any{}
		for _, f := range part.Files {
			if f.Binary {
				binaryData[f.Key] = base64.StdEncoding.EncodeToString([]byte(f.Text))
			} else {
				data[f.Key] = f.Text
			}
			items = append(items, map[string]any{"key": f.Key, "path": f.Path})
		}
		parts = append(parts, map[string]any{"name": part.Name, "data": data, "binaryData": binaryData, "items": items})
	}
	return map[string]any{"hash": c.Hash, "settings": c.Settings, "configMaps": parts}
}
