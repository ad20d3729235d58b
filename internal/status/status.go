// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package status turns what was found into a MarkdownView's status and events.
//
// It is pure, and the only place where conditions, Ready among them, are set. Each condition has a
// function of its own, which must not read anything but the Facts.
package status

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/health"
)

// Release is how the release of this generation stands.
type Release struct {
	// Done tells that it is applied and recorded.
	Done bool
	// Stalled tells that only a change by a person can help.
	Stalled bool
	// Reason is a condition reason of package v1; Message is for a person.
	Reason, Message string
	// Name, Revision, ChartVersion and Digest of the release, as recorded.
	Name, ChartVersion, Digest string
	Revision                   int
	// RecordSum of the newest record that is known to be the operator's own.
	RecordSum string
}

// Facts are everything that a status says something about.
type Facts struct {
	View *viewv1.MarkdownView
	Now  metav1.Time
	// Content is the hash of the content that the spec asks for.
	Content string
	Release Release
	Health  health.Health
}

// Of returns the status that the facts add up to. Times of conditions that did not change are kept.
func Of(f Facts) viewv1.MarkdownViewStatus {
	old := f.View.Status
	out := viewv1.MarkdownViewStatus{
		Phase:              phase(f),
		ObservedGeneration: f.View.Generation,
		Replicas:           f.Health.Replicas,
		ReadyReplicas:      f.Health.AvailableReplicas,
		Selector:           Selector(f.View.Name),
		URL:                fmt.Sprintf("http://viewer-%s.%s.svc", f.View.Name, f.View.Namespace),
		Content:            content(f),
		Release:            release(f),
	}
	for _, condition := range old.Conditions {
		out.Conditions = append(out.Conditions, *condition.DeepCopy())
	}
	set(&out, f, viewv1.ConditionReleased, released(f), true)
	set(&out, f, viewv1.ConditionAvailable, available(f), true)
	set(&out, f, viewv1.ConditionReady, ready(f), true)
	set(&out, f, viewv1.ConditionReconciling, reconciling(f), false)
	set(&out, f, viewv1.ConditionStalled, stalled(f), false)
	return out
}

// Selector selects the viewer pods of the MarkdownView of that name.
func Selector(name string) string {
	return fmt.Sprintf("%s=%s,%s=%s,%s=%s", viewv1.LabelCreatedBy, viewv1.NameController,
		viewv1.LabelInstance, name, viewv1.LabelName, viewv1.NameMdbook)
}

// phase tells of the replicas; Healthy also means that they serve this generation's book.
func phase(f Facts) string {
	switch {
	case f.Release.Done && f.Health.RolledOut:
		return viewv1.PhaseHealthy
	case f.Health.AvailableReplicas > 0:
		return viewv1.PhaseAvailable
	default:
		return viewv1.PhaseNotReady
	}
}

func content(f Facts) *viewv1.ContentStatus {
	out := &viewv1.ContentStatus{Desired: f.Content}
	if old := f.View.Status.Content; old != nil {
		out.Served = old.Served
	}
	if f.Release.Done && f.Health.RolledOut {
		out.Served = f.Content
	}
	return out
}

func release(f Facts) *viewv1.ReleaseStatus {
	if f.Release.Revision == 0 {
		return nil
	}
	return &viewv1.ReleaseStatus{
		Name: f.Release.Name, Revision: f.Release.Revision, ChartVersion: f.Release.ChartVersion, Digest: f.Release.Digest,
		RecordSum: f.Release.RecordSum,
	}
}

// verdict is a condition without its times.
type verdict struct {
	holds           bool
	reason, message string
}

func released(f Facts) verdict {
	return verdict{f.Release.Done, f.Release.Reason, f.Release.Message}
}

func available(f Facts) verdict {
	if f.Health.AvailableReplicas > 0 {
		return verdict{true, viewv1.ReasonServing, fmt.Sprintf("%d of %d replicas serve a book.", f.Health.AvailableReplicas, f.Health.Desired)}
	}
	return verdict{false, viewv1.ReasonNotServing, "No replica serves a book."}
}

func ready(f Facts) verdict {
	if !f.Release.Done {
		return verdict{false, f.Release.Reason, f.Release.Message}
	}
	return verdict{f.Health.RolledOut, f.Health.Reason, f.Health.Message}
}

func stalled(f Facts) verdict {
	if f.Release.Done {
		return verdict{f.Health.Stalled, f.Health.Reason, f.Health.Message}
	}
	return verdict{f.Release.Stalled, f.Release.Reason, f.Release.Message}
}

func reconciling(f Facts) verdict {
	r := ready(f)
	return verdict{!r.holds && !stalled(f).holds && f.Release.Reason != viewv1.ReasonPaused, r.reason, r.message}
}

// maxMessage bounds a condition's message, in bytes. The API server's limit is 32 KiB, and it writes the
// whole of a refused object into its own errors; a status that it refuses would never be written.
const maxMessage = 4 << 10

// set puts a condition in place. One that is not always shown is removed where it does not hold.
func set(status *viewv1.MarkdownViewStatus, f Facts, kind string, v verdict, always bool) {
	if !v.holds && !always {
		meta.RemoveStatusCondition(&status.Conditions, kind)
		return
	}
	value := metav1.ConditionFalse
	if v.holds {
		value = metav1.ConditionTrue
	}
	meta.SetStatusCondition(&status.Conditions, metav1.Condition{
		Type: kind, Status: value, Reason: v.reason, Message: short(printable(v.message), maxMessage),
		ObservedGeneration: f.View.Generation, LastTransitionTime: f.Now, // Kept where the status does not change.
	})
}
