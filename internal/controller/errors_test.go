// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/plan"
	"github.com/bobuhiro11/markdown-view/internal/release"
	"github.com/bobuhiro11/markdown-view/internal/render"
)

// TestClassify: what each error means for the object.
func TestClassify(t *testing.T) {
	services := schema.GroupResource{Resource: "services"}
	ref := plan.Ref{Kind: "Service", Name: "viewer-book"}
	terminating := apierrors.NewForbidden(services, "viewer-book", errors.New("namespace docs is being terminated"))
	terminating.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
	invalid := func(path string) error {
		return apierrors.NewInvalid(schema.GroupKind{Kind: "Service"}, "viewer-book",
			field.ErrorList{field.Invalid(field.NewPath(path), "x", "is immutable")})
	}
	type want struct {
		Reason  string
		Stalled bool
		// After is when to look again; Retry leaves that to the queue's backoff. Neither: never.
		After time.Duration
		Retry bool
	}
	cases := map[string]struct {
		reason string
		err    error
		want   want
	}{
		"Foreign": {
			reason: "Somebody must make room, and nobody tells us when: look again, at leisure.",
			err:    &release.ForeignError{Ref: ref}, want: want{Reason: viewv1.ReasonForeignObject, Stalled: true, After: 30 * time.Second},
		},
		"Wait": {
			reason: "The garbage collector is at it.",
			err:    &release.WaitError{Ref: ref}, want: want{Reason: viewv1.ReasonApplying, After: time.Second},
		},
		"RecordTooLarge": {
			reason: "Only a smaller book helps; its edit is an event.",
			err:    &release.RecordTooLargeError{}, want: want{Reason: viewv1.ReasonRecordTooLarge, Stalled: true},
		},
		"Render": {
			reason: "Only another chart, override or spec helps.",
			err:    &release.RenderError{Err: errors.New("x")}, want: want{Reason: viewv1.ReasonRenderFailed, Stalled: true},
		},
		"NamespaceTerminating": {
			reason: "Nothing can be made in a namespace that goes, and nothing needs to be.",
			err:    terminating, want: want{Reason: viewv1.ReasonDeleting},
		},
		"Conflict": {
			reason: "The object is another one by now: look at it and decide again.",
			err:    apierrors.NewConflict(services, "viewer-book", errors.New("uid mismatch")),
			want:   want{Reason: viewv1.ReasonApplying, Retry: true},
		},
		"OtherUID": {
			reason: "The same, in the API server's other words.",
			err:    invalid("metadata.uid"), want: want{Reason: viewv1.ReasonApplying, Retry: true},
		},
		"Invalid": {
			reason: "The API server calls the object invalid; trying again at once cannot help.",
			err:    invalid("spec"), want: want{Reason: viewv1.ReasonRejected, Stalled: true, After: 5 * time.Minute},
		},
		"BadRequest": {
			reason: "An unknown field, under strict validation.",
			err:    apierrors.NewBadRequest("strict decoding error"), want: want{Reason: viewv1.ReasonRejected, Stalled: true, After: 5 * time.Minute},
		},
		"TooLarge": {
			reason: "etcd's limit.",
			err:    apierrors.NewRequestEntityTooLargeError("limit is 3145728"), want: want{Reason: viewv1.ReasonRejected, Stalled: true, After: 5 * time.Minute},
		},
		"Forbidden": {
			reason: "A missing role or an admission webhook may be mended at any time.",
			err:    apierrors.NewForbidden(services, "viewer-book", errors.New("no")), want: want{Reason: viewv1.ReasonApplyFailed, Retry: true},
		},
		"TooManyRequests": {
			reason: "An overloaded API server.",
			err:    apierrors.NewTooManyRequests("later", 1), want: want{Reason: viewv1.ReasonApplyFailed, Retry: true},
		},
		"ServerError": {
			reason: "A broken one.",
			err:    apierrors.NewInternalError(errors.New("etcd")), want: want{Reason: viewv1.ReasonApplyFailed, Retry: true},
		},
		"Timeout": {
			reason: "No answer at all: the request may or may not have been carried out.",
			err:    context.DeadlineExceeded, want: want{Reason: viewv1.ReasonApplyFailed, Retry: true},
		},
	}
	reconciler := New(Options{Engine: &release.Engine{Chart: testChart(t)}})
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			// Errors arrive wrapped.
			err := fmt.Errorf("apply Service docs/viewer-book: %w", c.err)
			got := reconciler.classify(&pass{owner: render.Owner{Name: "book"}}, err)
			found := want{Reason: got.release.Reason, Stalled: got.release.Stalled, After: got.after, Retry: got.err != nil}
			if diff := cmp.Diff(c.want, found); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", c.reason, diff)
			}
			if got.release.Done || got.release.Message != err.Error() {
				t.Errorf("%s: done %v, message %q", c.reason, got.release.Done, got.release.Message)
			}
		})
	}
	if last := consequences[len(consequences)-1]; !last.matches(nil) {
		t.Errorf("the last row, %q, does not match everything", last.name)
	}
}
