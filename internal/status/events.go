// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package status

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// Event is something that a person who describes the MarkdownView should read.
type Event struct {
	// Type is Normal or Warning.
	Type string
	// Reason is an event reason of package v1, Action the verb of it.
	Reason, Action string
	Message        string
}

// Events returns what the change from the old status to the new one is worth telling.
func Events(view *viewv1.MarkdownView, now viewv1.MarkdownViewStatus) []Event {
	var events []Event
	if view.Status.Phase != now.Phase {
		events = append(events, Event{
			Type: corev1.EventTypeNormal, Reason: viewv1.EventUpdated, Action: "Update",
			Message: fmt.Sprintf("MarkdownView(%s:%s) updated: %s", view.Namespace, view.Name, now.Phase),
		})
	}
	is := meta.FindStatusCondition(now.Conditions, viewv1.ConditionReady)
	was := meta.FindStatusCondition(view.Status.Conditions, viewv1.ConditionReady)
	if is == nil || was != nil && was.Reason == is.Reason && was.Message == is.Message {
		return events
	}
	switch is.Reason {
	case viewv1.ReasonBuildFailed, viewv1.ReasonInvalidBook:
		events = append(events, warning(viewv1.EventBuildFailed, "Build", is.Message))
	case viewv1.ReasonForeignObject, viewv1.ReasonRejected, viewv1.ReasonRenderFailed, viewv1.ReasonRecordTooLarge:
		events = append(events, warning(viewv1.EventReleaseFailed, "Release", is.Message))
	case viewv1.ReasonApplyFailed:
		// It is tried again, and each try may fail in other words: only the first is an event.
		if was == nil || was.Reason != is.Reason {
			events = append(events, warning(viewv1.EventReleaseFailed, "Release", is.Message))
		}
	}
	return events
}

func warning(reason, action, message string) Event {
	const maxNote = 1024 // The API server's limit for an event's note, in bytes.
	return Event{Type: corev1.EventTypeWarning, Reason: reason, Action: action, Message: short(printable(message), maxNote)}
}

// short cuts a message to at most limit bytes, never inside a character.
func short(message string, limit int) string {
	if len(message) <= limit {
		return message
	}
	return strings.ToValidUTF8(message[:limit-len("…")], "") + "…"
}
