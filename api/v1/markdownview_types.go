// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package v1

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MarkdownViewSpec is what the author of a book writes.
type MarkdownViewSpec struct {
	// Markdowns maps a path to the text of that file. A path is relative to the book's source
	// folder, uses slashes, and may hold any UTF-8 name; SUMMARY.md is required. book.toml, if
	// present, holds mdBook's settings.
	// +required
	Markdowns map[string]string `json:"markdowns"`

	// Assets maps a path to the bytes (base64 in JSON and YAML) of a file that pages use, such as an image.
	// +optional
	Assets map[string][]byte `json:"assets,omitempty"`

	// Replicas is the number of pods that serve the book, 1 to 5.
	// +optional
	Replicas *int32 `json:"replicas,omitempty"`

	// ViewerImage is an image with mdbook on its PATH, which builds the book.
	// The operator's default is used when it is empty.
	// +optional
	ViewerImage string `json:"viewerImage,omitempty"`
}

// MarkdownViewStatus is what the operator observed. Only the operator writes it.
type MarkdownViewStatus struct {
	// Phase sums the replicas up: NotReady (none serves a book), Available (some do),
	// Healthy (all serve the current book).
	// +optional
	Phase string `json:"phase,omitempty"`

	// ObservedGeneration is the generation of the spec that this status speaks of.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// Replicas is the number of viewer pods that exist.
	// +optional
	Replicas int32 `json:"replicas,omitempty"`

	// ReadyReplicas is the number of viewer pods that serve a book.
	// +optional
	ReadyReplicas int32 `json:"readyReplicas,omitempty"`

	// Selector selects the viewer pods, for the scale subresource and autoscalers.
	// +optional
	Selector string `json:"selector,omitempty"`

	// URL is the book's address inside the cluster.
	// +optional
	URL string `json:"url,omitempty"`

	// Content tells which content is wanted and which was last served by every replica.
	// +optional
	Content *ContentStatus `json:"content,omitempty"`

	// Release is the Helm release that serves the book.
	// +optional
	Release *ReleaseStatus `json:"release,omitempty"`

	// Conditions are Ready, Released, Available and, only while true, Reconciling and Stalled.
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// UnmarshalJSON reads the status object. The tutorial's operator stored a plain string here
// ("Healthy"); such a status is read as a phase, because an error would stop the informer, and
// with it every other MarkdownView of the cluster.
func (s *MarkdownViewStatus) UnmarshalJSON(data []byte) error {
	var phase string
	if json.Unmarshal(data, &phase) == nil {
		*s = MarkdownViewStatus{Phase: phase}
		return nil
	}
	type plain MarkdownViewStatus
	return json.Unmarshal(data, (*plain)(s))
}

// ContentStatus names contents by their hash, 16 hexadecimal digits.
type ContentStatus struct {
	// Desired is the content of the current spec.
	// +optional
	Desired string `json:"desired,omitempty"`
	// Served is the content that every replica served last.
	// +optional
	Served string `json:"served,omitempty"`
}

// ReleaseStatus names a Helm release.
type ReleaseStatus struct {
	// Name of the Helm release, in the MarkdownView's namespace.
	Name string `json:"name"`
	// Revision that is applied, from 1.
	Revision int `json:"revision"`
	// ChartVersion that was rendered.
	ChartVersion string `json:"chartVersion"`
	// Digest of the chart and its values: equal digests render equal objects.
	Digest string `json:"digest"`
}

// MarkdownView is a set of Markdown files, served as an mdBook site.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type MarkdownView struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// +required
	Spec MarkdownViewSpec `json:"spec"`
	// +optional
	Status MarkdownViewStatus `json:"status,omitzero"`
}

// MarkdownViewList is a list of MarkdownView.
//
// +kubebuilder:object:root=true
type MarkdownViewList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []MarkdownView `json:"items"`
}
