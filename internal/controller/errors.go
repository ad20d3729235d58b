// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/release"
)

// consequence is what an error means for the object.
type consequence struct {
	name    string
	matches func(error) bool
	// reason of the Released condition.
	reason string
	// stalled: only a person can help.
	stalled bool
	// after is when to look again; with retry, the queue's backoff decides instead. Neither: never.
	after time.Duration
	retry bool
}

// consequences maps errors to what follows. The first match counts; the last one always does.
var consequences = []consequence{
	{name: "foreign object in the way", matches: is[*release.ForeignError], reason: viewv1.ReasonForeignObject,
		// Nobody tells us when it is gone or handed over.
		stalled: true, after: 30 * time.Second},
	{name: "predecessor still going", matches: is[*release.WaitError], reason: viewv1.ReasonApplying, after: time.Second},
	{name: "record too large", matches: is[*release.RecordTooLargeError], reason: viewv1.ReasonRecordTooLarge, stalled: true},
	{name: "chart does not render", matches: is[*release.RenderError], reason: viewv1.ReasonRenderFailed, stalled: true},
	{name: "namespace going", matches: namespaceTerminating, reason: viewv1.ReasonDeleting},
	{name: "changed meanwhile", matches: changedMeanwhile, reason: viewv1.ReasonApplying, retry: true},
	{name: "object invalid", matches: rejected, reason: viewv1.ReasonRejected,
		// An admission policy may be mended without an event here.
		stalled: true, after: 5 * time.Minute},
	{name: "anything else", matches: func(error) bool { return true }, reason: viewv1.ReasonApplyFailed, retry: true},
}

// classify looks an error up in the table.
func (r *Reconciler) classify(p *pass, err error) outcome {
	for _, c := range consequences {
		if !c.matches(err) {
			continue
		}
		standing := r.recorded(p, false, c.reason, err.Error())
		standing.Stalled = c.stalled
		out := outcome{release: standing, after: c.after}
		if c.retry {
			out.err = err
		}
		return out
	}
	return outcome{err: err}
}

func is[E error](err error) bool {
	var target E
	return errors.As(err, &target)
}

func namespaceTerminating(err error) bool {
	return apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause)
}

func changedMeanwhile(err error) bool {
	return apierrors.IsConflict(err) || apierrors.IsInvalid(err) && apierrors.HasStatusCause(err, metav1.CauseTypeFieldValueInvalid) && uidGuard(err)
}

// uidGuard recognises the guard of a change: the object of that name is another one by now.
func uidGuard(err error) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) || status.Status().Details == nil {
		return false
	}
	for _, cause := range status.Status().Details.Causes {
		if cause.Field == "metadata.uid" {
			return true
		}
	}
	return false
}

func rejected(err error) bool {
	return apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) || apierrors.IsRequestEntityTooLargeError(err)
}
