// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package release

import (
	"fmt"

	"github.com/bobuhiro11/markdown-view/internal/plan"
)

// ForeignError tells that an object of a wanted name exists and belongs to somebody else.
type ForeignError struct {
	plan.Ref
	Namespace string
	// Adopter is the value of the adoption annotation that would let the release take it over.
	Adopter string
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s %q in namespace %q exists and does not belong to this MarkdownView; rename one of the two, delete it, "+
		"or hand it over with: kubectl -n %s annotate %s %s view.bobuhiro11.net/adopt-by=%s",
		e.Kind, e.Name, e.Namespace, e.Namespace, e.Kind, e.Name, e.Adopter)
}

// WaitError tells that an object must be gone before the release can go on.
type WaitError struct {
	plan.Ref
	Namespace string
}

func (e *WaitError) Error() string {
	return fmt.Sprintf("%s %q in namespace %q is still being deleted; waiting for it to go", e.Kind, e.Name, e.Namespace)
}

// RecordTooLargeError tells that the release record would not fit into one object. Nothing was applied.
type RecordTooLargeError struct {
	// Size and Limit in bytes, compressed.
	Size, Limit int
}

func (e *RecordTooLargeError) Error() string {
	return fmt.Sprintf("the release record would take %d bytes and at most %d fit into one object; "+
		"make the book smaller: images and other files that do not compress count most", e.Size, e.Limit)
}

// RenderError tells that the chart does not render with the release's values.
type RenderError struct{ Err error }

func (e *RenderError) Error() string { return e.Err.Error() }

func (e *RenderError) Unwrap() error { return e.Err }
