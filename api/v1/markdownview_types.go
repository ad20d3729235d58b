// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package v1

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MarkdownViewSpec is what the author of a book writes.
//
// +kubebuilder:validation:XValidation:rule="!has(self.assets) || self.assets.all(p, !(p in self.markdowns))",message="a path must not be in both markdowns and assets.",fieldPath=".assets"
// +kubebuilder:validation:XValidation:rule="self.markdowns.map(p, self.markdowns[p].size()).sum() + (has(self.assets) ? self.assets.map(p, self.assets[p].size()).sum() : 0) <= 1310720",message="markdowns and assets together must stay below 1.25 MiB: split the book, or serve large files from elsewhere.",fieldPath=".markdowns"
type MarkdownViewSpec struct {
	// Markdowns are the text files of the book: path -> text.
	//
	// SUMMARY.md, the table of contents, is required; each page that it links to is another entry.
	// A path is relative to the book's source folder and uses slashes ("guide/install.md"); every
	// part of it may be any visible Unicode name of at most 255 bytes.
	// The entry book.toml, if there is one, holds mdBook's settings.
	//
	// At most 1024 files. Together with the assets the book must stay below 1.25 MiB as JSON.
	// Use `kubectl apply --server-side` for a book of more than 250 KiB.
	//
	// +kubebuilder:validation:MaxProperties=1024
	// +kubebuilder:validation:XValidation:rule="'SUMMARY.md' in self",message="markdowns must have SUMMARY.md.",reason=FieldValueRequired
	// +kubebuilder:validation:XValidation:rule=`self.all(p, !(p.size() < 1 || p.size() > 512 || p.split('/').exists(s, s.size() > 255)))`,message="a path must have 1 to 512 characters, and each part of it at most 255."
	// +kubebuilder:validation:XValidation:rule=`self.all(p, !(p.startsWith('/') || p.split('/').exists(s, s == '' || s == '.' || s.startsWith('..'))))`,message="a path must be relative to the book, without an empty part, a part '.', or a part that begins with '..'.",messageExpression=`"path '" + self.filter(p, p.startsWith('/') || p.split('/').exists(s, s == '' || s == '.' || s.startsWith('..')))[0] + "' must be relative to the book, without an empty part, a part '.', or a part that begins with '..'."`
	// +kubebuilder:validation:XValidation:rule=`self.all(p, !(p.size() <= 512 && p.matches('[\\\\\\p{Cc}\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFF\U000E0000-\U000E007F]')))`,message="a path must not hold a backslash, a control character or an invisible one."
	// +kubebuilder:validation:XValidation:rule="self.all(p, self[p].size() <= 1000000)",message="a file must have at most 1000000 bytes.",messageExpression="'file ' + self.filter(p, self[p].size() > 1000000)[0] + ' must have at most 1000000 bytes.'"
	// +operator-sdk:csv:customresourcedefinitions:type=spec,displayName="Text files",xDescriptors={"urn:alm:descriptor:com.tectonic.ui:fieldGroup:markdowns"}
	// +required
	Markdowns map[string]string `json:"markdowns"`

	// Assets are the other files of the book, such as images: path -> bytes, in base64, as
	// `base64 plan.png` prints them (spaces and line breaks do not matter).
	//
	// Paths follow the rules of markdowns, and no path may be in both. A page refers to an asset by
	// a path relative to the page, as in "![Plan](images/plan.png)". At most 1024 files.
	//
	// +kubebuilder:validation:MaxProperties=1024
	// +kubebuilder:validation:XValidation:rule=`self.all(p, !(p.size() < 1 || p.size() > 512 || p.split('/').exists(s, s.size() > 255)))`,message="a path must have 1 to 512 characters, and each part of it at most 255."
	// +kubebuilder:validation:XValidation:rule=`self.all(p, !(p.startsWith('/') || p.split('/').exists(s, s == '' || s == '.' || s.startsWith('..'))))`,message="a path must be relative to the book, without an empty part, a part '.', or a part that begins with '..'.",messageExpression=`"path '" + self.filter(p, p.startsWith('/') || p.split('/').exists(s, s == '' || s == '.' || s.startsWith('..')))[0] + "' must be relative to the book, without an empty part, a part '.', or a part that begins with '..'."`
	// +kubebuilder:validation:XValidation:rule=`self.all(p, !(p.size() <= 512 && p.matches('[\\\\\\p{Cc}\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFF\U000E0000-\U000E007F]')))`,message="a path must not hold a backslash, a control character or an invisible one."
	// +operator-sdk:csv:customresourcedefinitions:type=spec,displayName="Other files",xDescriptors={"urn:alm:descriptor:com.tectonic.ui:advanced"}
	// +optional
	Assets map[string]Base64 `json:"assets,omitempty"`

	// Replicas is the number of pods that serve the book, 1 to 5.
	//
	// +kubebuilder:default=1
	// +kubebuilder:validation:XValidation:rule="self >= 1 && self <= 5",message="replicas must be in the range of 1 to 5.",reason=FieldValueInvalid
	// +operator-sdk:csv:customresourcedefinitions:type=spec,displayName="Replicas",xDescriptors={"urn:alm:descriptor:com.tectonic.ui:podCount"}
	// +optional
	Replicas *int32 `json:"replicas,omitempty"`

	// ViewerImage is an image with mdbook on its PATH, which builds the book.
	//
	// While it is empty, the operator's own default is used, so that an upgrade of the operator
	// upgrades mdBook as well.
	//
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:XValidation:rule=`self == '' || self.matches(r'^(([a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[0-9a-fA-F:]+\])(:[0-9]+)?/)?[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*(/[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*)*(:[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,127})?(@[a-zA-Z0-9]+([+._-][a-zA-Z0-9]+)*:[0-9a-fA-F]{32,})?$')`,message="viewerImage must be an image reference, such as docker.io/peaceiris/mdbook:v0.5.2."
	// +operator-sdk:csv:customresourcedefinitions:type=spec,displayName="mdBook image",xDescriptors={"urn:alm:descriptor:com.tectonic.ui:text","urn:alm:descriptor:com.tectonic.ui:advanced"}
	// +optional
	ViewerImage string `json:"viewerImage,omitempty"`
}

// MarkdownViewStatus is what the operator observed. Only the operator writes it.
type MarkdownViewStatus struct {
	// Phase sums the replicas up: NotReady (none serves a book), Available (some do),
	// Healthy (all serve the current book).
	// +kubebuilder:validation:Enum=NotReady;Available;Healthy
	// +operator-sdk:csv:customresourcedefinitions:type=status,displayName="Phase",xDescriptors={"urn:alm:descriptor:io.kubernetes.phase"}
	// +optional
	Phase string `json:"phase,omitempty"`

	// ObservedGeneration is the generation of the spec that this status speaks of.
	// +operator-sdk:csv:customresourcedefinitions:type=status,displayName="Observed generation",xDescriptors={"urn:alm:descriptor:com.tectonic.ui:text"}
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// Replicas is the number of viewer pods that exist.
	// +operator-sdk:csv:customresourcedefinitions:type=status,displayName="Pods",xDescriptors={"urn:alm:descriptor:com.tectonic.ui:text"}
	// +optional
	Replicas int32 `json:"replicas,omitempty"`

	// ReadyReplicas is the number of viewer pods that serve a book.
	// +operator-sdk:csv:customresourcedefinitions:type=status,displayName="Pods that serve a book",xDescriptors={"urn:alm:descriptor:com.tectonic.ui:text"}
	// +optional
	ReadyReplicas int32 `json:"readyReplicas,omitempty"`

	// Selector selects the viewer pods, for the scale subresource and autoscalers.
	// +operator-sdk:csv:customresourcedefinitions:type=status,displayName="Pod selector",xDescriptors={"urn:alm:descriptor:com.tectonic.ui:text"}
	// +optional
	Selector string `json:"selector,omitempty"`

	// URL is the book's address inside the cluster.
	// +operator-sdk:csv:customresourcedefinitions:type=status,displayName="Address",xDescriptors={"urn:alm:descriptor:org.w3:link"}
	// +optional
	URL string `json:"url,omitempty"`

	// Content tells which content is wanted and which was last served by every replica.
	// +operator-sdk:csv:customresourcedefinitions:type=status,displayName="Content",xDescriptors={"urn:alm:descriptor:com.tectonic.ui:fieldGroup:content"}
	// +optional
	Content *ContentStatus `json:"content,omitempty"`

	// Release is the Helm release that serves the book.
	// +operator-sdk:csv:customresourcedefinitions:type=status,displayName="Helm release",xDescriptors={"urn:alm:descriptor:com.tectonic.ui:fieldGroup:release"}
	// +optional
	Release *ReleaseStatus `json:"release,omitempty"`

	// Conditions are Ready, Released, Available and, only while true, Reconciling and Stalled.
	// +operator-sdk:csv:customresourcedefinitions:type=status,displayName="Conditions",xDescriptors={"urn:alm:descriptor:io.kubernetes.conditions"}
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// UnmarshalJSON reads the status object. The tutorial's operator stored a plain string here
// ("Healthy"); such a status is read as empty, because an error would stop the informer, and with it
// every other MarkdownView of the cluster. The next reconcile writes a whole new status.
func (s *MarkdownViewStatus) UnmarshalJSON(data []byte) error {
	var legacy string
	if json.Unmarshal(data, &legacy) == nil {
		*s = MarkdownViewStatus{}
		return nil
	}
	type plain MarkdownViewStatus
	return json.Unmarshal(data, (*plain)(s))
}

// ContentStatus names contents by their hash, 16 hexadecimal digits.
type ContentStatus struct {
	// Desired is the content of the current spec.
	// +operator-sdk:csv:customresourcedefinitions:type=status,displayName="Wanted content",xDescriptors={"urn:alm:descriptor:com.tectonic.ui:text"}
	// +optional
	Desired string `json:"desired,omitempty"`
	// Served is the content that every replica served last.
	// +operator-sdk:csv:customresourcedefinitions:type=status,displayName="Served content",xDescriptors={"urn:alm:descriptor:com.tectonic.ui:text"}
	// +optional
	Served string `json:"served,omitempty"`
}

// ReleaseStatus names a Helm release.
type ReleaseStatus struct {
	// Name of the Helm release, in the MarkdownView's namespace.
	// +operator-sdk:csv:customresourcedefinitions:type=status,displayName="Release name",xDescriptors={"urn:alm:descriptor:com.tectonic.ui:text"}
	Name string `json:"name"`
	// Revision that is applied, from 1.
	// +operator-sdk:csv:customresourcedefinitions:type=status,displayName="Release revision",xDescriptors={"urn:alm:descriptor:com.tectonic.ui:text"}
	Revision int `json:"revision"`
	// ChartVersion that was rendered.
	// +operator-sdk:csv:customresourcedefinitions:type=status,displayName="Chart version",xDescriptors={"urn:alm:descriptor:com.tectonic.ui:text"}
	ChartVersion string `json:"chartVersion"`
	// Digest of the chart and its values: equal digests render equal objects.
	// +operator-sdk:csv:customresourcedefinitions:type=status,displayName="Release digest",xDescriptors={"urn:alm:descriptor:com.tectonic.ui:text"}
	Digest string `json:"digest"`
	// RecordSum of the release's record as the operator wrote it. Whoever may edit ConfigMaps can forge a record
	// that looks whole; this they cannot write.
	// +operator-sdk:csv:customresourcedefinitions:type=status,displayName="Record sum",xDescriptors={"urn:alm:descriptor:com.tectonic.ui:text"}
	// +optional
	RecordSum string `json:"recordSum,omitempty"`
}

// MarkdownView is a set of Markdown files, served as an mdBook site.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +operator-sdk:csv:customresourcedefinitions:displayName="Markdown View",resources={{ConfigMap,v1},{Deployment,v1},{Event,v1},{Pod,v1},{PodDisruptionBudget,v1},{Service,v1},{ServiceAccount,v1}}
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:resource:path=markdownviews,singular=markdownview,shortName=mdv,categories=all,scope=Namespaced
// +kubebuilder:printcolumn:name="Replicas",type=integer,JSONPath=`.spec.replicas`,description="How many pods are to serve the book."
// +kubebuilder:printcolumn:name="Status",type=string,JSONPath=`.status.phase`,description="NotReady: no replica serves a book. Available: some do. Healthy: all serve this one."
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="True when the current book is served by every replica."
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:printcolumn:name="URL",type=string,priority=1,JSONPath=`.status.url`,description="The book's address inside the cluster."
// +kubebuilder:printcolumn:name="Message",type=string,priority=1,JSONPath=`.status.conditions[?(@.type=="Ready")].message`,description="Why the book is, or is not, ready."
// +kubebuilder:validation:XValidation:rule="self.metadata.name.size() <= 56",message="metadata.name must have at most 56 characters: the Service viewer-<name> must fit into 63."
// +kubebuilder:validation:XValidation:rule="!self.metadata.name.contains('.')",message="metadata.name must have no dot: it becomes part of the Service's host name."
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
