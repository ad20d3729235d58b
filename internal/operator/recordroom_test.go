// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator_test

import (
	"crypto/rand"
	"testing"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// TestRecordHoldsImagesOnce: a release's values hold the book as its manifest does. If the record kept
// both, half of these images would not fit. docs/src/reference/limits.md promises 700 KiB.
func TestRecordHoldsImagesOnce(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	view := c.view("book", book("# Photos"))
	noise := make([]byte, 700<<10)
	if _, err := rand.Read(noise); err != nil {
		t.Fatal(err)
	}
	view.Spec.Assets = map[string]viewv1.Base64{"photo.jpg": viewv1.EncodeBase64(noise)}
	if err := c.Create(t.Context(), view); err != nil {
		t.Fatal(err)
	}
	c.released(view)
}
