// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

const (
	// A page is asked for again each time, and answered by 304 when its ETag still holds: an edit
	// shows at once.
	cacheRevalidate = "no-cache"
	cacheForever    = "public, max-age=31536000, immutable"

	// Files outside these sizes (bytes) are sent as they are: small ones gain nothing, and the
	// compressed forms of large ones would be held in memory.
	minCompressed = 512
	maxCompressed = 16 << 20

	// sniffed is how many first bytes of a file http.DetectContentType reads.
	sniffed = 512
)

// file is all that is known of one file of the book. The header values are slices of one element,
// ready to be put into an http.Header, which saves an allocation each.
type file struct {
	name     string
	size     int64
	modified time.Time

	etag         []string
	contentType  []string
	cacheControl []string
	policy       []string
	// forms are the compressed forms, best first; empty if compression does not make the file smaller.
	forms []form
}

// form is a file compressed.
type form struct {
	coding  string
	content []byte

	etag     []string
	encoding []string
	length   []string
}

// compressors are reused from file to file: a zstd encoder alone weighs megabytes.
type compressors struct {
	gzip *gzip.Writer
	zstd *zstd.Encoder
}

func newCompressors() (*compressors, error) {
	g, err := gzip.NewWriterLevel(io.Discard, gzip.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("make a gzip writer: %w", err)
	}
	z, err := zstd.NewWriter(io.Discard,
		zstd.WithEncoderLevel(zstd.SpeedBetterCompression),
		zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, fmt.Errorf("make a zstd encoder: %w", err)
	}
	return &compressors{gzip: g, zstd: z}, nil
}

// readFile reads the file once per thing that is to be known of it, as a stream: a file is never
// held in memory as a whole, but for its compressed forms.
func readFile(root *os.Root, name string, compress *compressors) (_ *file, err error) {
	opened, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() {
		if closing := opened.Close(); err == nil {
			err = closing
		}
	}()
	info, err := opened.Stat()
	if err != nil {
		return nil, err
	}
	sum, head, err := digest(opened)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	contentType := mediaType(name, head)
	f := &file{
		name: name, size: info.Size(), modified: info.ModTime(),
		etag:         []string{entityTag(sum)},
		contentType:  []string{contentType},
		cacheControl: []string{cacheRevalidate},
	}
	if hasOwnHash(name, sum) {
		f.cacheControl = []string{cacheForever}
	}
	if err := f.setPolicy(opened); err != nil {
		return nil, fmt.Errorf("read the scripts of %s: %w", name, err)
	}
	if compressible(contentType) && f.size >= minCompressed && f.size <= maxCompressed {
		if err := f.compress(opened, compress); err != nil {
			return nil, fmt.Errorf("compress %s: %w", name, err)
		}
	}
	return f, nil
}

// digest hashes the content and returns its first bytes.
func digest(content io.Reader) (sum [sha256.Size]byte, head []byte, err error) {
	hash := sha256.New()
	head = make([]byte, sniffed)
	n, err := io.ReadFull(content, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return sum, nil, err
	}
	hash.Write(head[:n])
	if _, err := io.Copy(hash, content); err != nil {
		return sum, nil, err
	}
	return [sha256.Size]byte(hash.Sum(nil)), head[:n], nil
}

// entityTag is a strong ETag: equal tags mean equal bytes, on every replica and after a restart.
func entityTag(sum [sha256.Size]byte) string {
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
}

func (f *file) setPolicy(content io.ReadSeeker) error {
	f.policy = []string{plainPolicy}
	base, _, _ := strings.Cut(f.contentType[0], ";")
	switch base {
	case "application/pdf":
		// A browser's viewer is a page around the file: it needs what plainPolicy forbids.
		f.policy = []string{"frame-ancestors 'self'"}
	case "image/svg+xml", "text/xml", "application/xml", "application/xhtml+xml":
		f.policy = []string{imagePolicy}
	case "text/html":
		if _, err := content.Seek(0, io.SeekStart); err != nil {
			return err
		}
		scripts, err := readScripts(content)
		if err != nil {
			return err
		}
		f.policy = []string{scripts.policy()}
	}
	return nil
}

// compress adds the compressed forms, best first, that are smaller than the file.
func (f *file) compress(content io.ReadSeeker, with *compressors) error {
	for _, c := range []struct {
		coding string
		writer interface {
			io.WriteCloser
			Reset(to io.Writer)
		}
	}{{codingZstd, with.zstd}, {codingGzip, with.gzip}} {
		if _, err := content.Seek(0, io.SeekStart); err != nil {
			return err
		}
		var out bytes.Buffer
		c.writer.Reset(&out)
		if _, err := io.Copy(c.writer, content); err != nil {
			return err
		}
		if err := c.writer.Close(); err != nil {
			return err
		}
		if int64(out.Len()) >= f.size {
			continue
		}
		// The buffer has grown by doubling: what it holds beyond its content would be kept for ever.
		kept := bytes.Clone(out.Bytes())
		f.forms = append(f.forms, form{
			coding: c.coding, content: kept,
			etag:     []string{entityTag(sha256.Sum256(kept))},
			encoding: []string{c.coding},
			length:   []string{strconv.Itoa(len(kept))},
		})
	}
	return nil
}
