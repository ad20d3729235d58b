// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package v1

// Names of conditions in MarkdownViewStatus.Conditions. Ready, Released and Available are always
// present once the object was seen; Reconciling and Stalled are abnormal-true: present only while
// true, as kstatus and `kubectl wait` read them.
const (
	// ConditionReady is True when the book of this generation is served by every replica.
	ConditionReady = "Ready"
	// ConditionReleased is True when the Helm release of this generation is applied and recorded.
	ConditionReleased = "Released"
	// ConditionAvailable is True while at least one replica serves a book, of whichever generation.
	ConditionAvailable = "Available"
	// ConditionReconciling is True while the operator or the cluster is still at work on this generation.
	ConditionReconciling = "Reconciling"
	// ConditionStalled is True when only a change by a person can help.
	ConditionStalled = "Stalled"
)

// Reasons of conditions. No reason literal exists outside this file.
const (
	// ReasonHealthy: every replica serves this generation's book.
	ReasonHealthy = "Healthy"
	// ReasonRollingOut: the new pods are on their way.
	ReasonRollingOut = "RollingOut"
	// ReasonRolloutTimedOut: the Deployment's progress deadline passed.
	ReasonRolloutTimedOut = "RolloutTimedOut"
	// ReasonServing: at least one replica serves a book.
	ReasonServing = "Serving"
	// ReasonNotServing: no replica serves a book.
	ReasonNotServing = "NotServing"
	// ReasonBuildFailed: mdBook refused the book; the message is mdBook's own, with file and line.
	ReasonBuildFailed = "BuildFailed"
	// ReasonInvalidBook: the book cannot be built whatever the cluster does (a missing page, a bad path).
	ReasonInvalidBook = "InvalidBook"
	// ReasonImagePullFailed: the kubelet cannot pull an image of the viewer pod.
	ReasonImagePullFailed = "ImagePullFailed"
	// ReasonPodsRefused: the API server refuses the viewer pods (quota, Pod Security).
	ReasonPodsRefused = "PodsRefused"
	// ReasonPodFailed: a viewer pod's container fails for a reason that is not the book.
	ReasonPodFailed = "PodFailed"
	// ReasonApplied: the release is applied and recorded.
	ReasonApplied = "Applied"
	// ReasonApplying: the release is being applied.
	ReasonApplying = "Applying"
	// ReasonApplyFailed: the API server did not take an object; the operator tries again.
	ReasonApplyFailed = "ApplyFailed"
	// ReasonRejected: the API server calls an object invalid; trying again cannot help.
	ReasonRejected = "Rejected"
	// ReasonForeignObject: an object of that name exists and is not ours; the message names it.
	ReasonForeignObject = "ForeignObject"
	// ReasonRenderFailed: the chart does not render with these values.
	ReasonRenderFailed = "RenderFailed"
	// ReasonRecordTooLarge: the release record would not fit into one object.
	ReasonRecordTooLarge = "RecordTooLarge"
	// ReasonPaused: the paused annotation is set; nothing is changed until it is removed.
	ReasonPaused = "Paused"
	// ReasonDeleting: the object is being deleted.
	ReasonDeleting = "Deleting"
)

// Reasons of plans: why a release is installed, upgraded, repaired or left alone.
const (
	// PlanUpToDate: everything is as wanted.
	PlanUpToDate = "UpToDate"
	// PlanNoRecord: the release was never recorded, or its record is gone.
	PlanNoRecord = "NoRecord"
	// PlanRecordChanged: somebody else wrote the newest record (helm rollback, a hand edit), or it is damaged.
	PlanRecordChanged = "RecordChanged"
	// PlanRecordNotDeployed: the newest record's status is not deployed.
	PlanRecordNotDeployed = "RecordNotDeployed"
	// PlanInputChanged: the spec, the chart, an override or the Kubernetes version changed.
	PlanInputChanged = "InputChanged"
	// PlanDrift: an object was changed or deleted by somebody else.
	PlanDrift = "Drift"
	// PlanRecordDisowned: the Helm CLI rewrote an old record: its owner reference is gone, or it is deployed again.
	PlanRecordDisowned = "RecordDisowned"
	// PlanContentDisowned: a text that pods still need has no owner reference, and would outlive its MarkdownView.
	PlanContentDisowned = "ContentDisowned"
	// PlanSurplus: an object is left that nothing needs any more.
	PlanSurplus = "Surplus"
)

// Reasons of the operator's own Upgradeable condition, which OLM reads.
const (
	// OperatorIdle: no release is being changed.
	OperatorIdle = "Idle"
	// OperatorReleasing: releases are being changed.
	OperatorReleasing = "Releasing"
)

// Reasons of events.
const (
	// EventUpdated tells that status.phase changed.
	EventUpdated = "Updated"
	// EventDriftThrottled tells that a child changes again and again and is now put right more slowly.
	EventDriftThrottled = "DriftThrottled"
	// EventReleaseFailed tells that a release could not be applied.
	EventReleaseFailed = "ReleaseFailed"
	// EventBuildFailed tells that mdBook refused the book.
	EventBuildFailed = "BuildFailed"
)

// Values of MarkdownViewStatus.Phase.
const (
	// PhaseNotReady: no replica serves a book.
	PhaseNotReady = "NotReady"
	// PhaseAvailable: some replica serves a book, but not every replica serves this generation's.
	PhaseAvailable = "Available"
	// PhaseHealthy: every replica serves this generation's book.
	PhaseHealthy = "Healthy"
)

// Field manager, labels, annotations and the finalizer.
const (
	// FieldManager owns every field that the operator applies.
	FieldManager = "markdown-view-controller"

	// LabelName, LabelInstance and LabelCreatedBy are on every child; together they select the viewer pods.
	LabelName      = "app.kubernetes.io/name"
	LabelInstance  = "app.kubernetes.io/instance"
	LabelCreatedBy = "app.kubernetes.io/created-by"
	// LabelContent names the content that a content ConfigMap holds or that a viewer pod was built from:
	// 16 hexadecimal digits.
	LabelContent = "view.bobuhiro11.net/content"

	// AnnotationAdopt, set by a person on an existing object to the name of a MarkdownView of the
	// same namespace, lets that MarkdownView take the object over.
	AnnotationAdopt = "view.bobuhiro11.net/adopt-by"
	// AnnotationPaused, "true" on a MarkdownView, stops every change to its release. Deletion still works.
	AnnotationPaused = "view.bobuhiro11.net/paused"
	// AnnotationDeletionPolicy on a MarkdownView: "Delete" (default), or "Keep" to leave the served
	// site behind when the MarkdownView is deleted.
	AnnotationDeletionPolicy = "view.bobuhiro11.net/deletion-policy"
	// DeletionPolicyKeep is the value of AnnotationDeletionPolicy that keeps the site.
	DeletionPolicyKeep = "Keep"

	// AnnotationDigest, AnnotationObjects and AnnotationSum are on a release record that the operator
	// wrote: the digest of the rendering, what was applied (JSON), and a sum over both and the payload.
	AnnotationDigest  = "view.bobuhiro11.net/digest"
	AnnotationObjects = "view.bobuhiro11.net/objects"
	AnnotationSum     = "view.bobuhiro11.net/sum"

	// Finalizer is set only while deletion needs something that owner references cannot do.
	Finalizer = "view.bobuhiro11.net/release"

	// NameMdbook is the value of LabelName.
	NameMdbook = "mdbook"
	// NameController is the value of LabelCreatedBy.
	NameController = "markdown-view-controller"
)

// Paths of spec.markdowns with a meaning of their own.
const (
	// SummaryPath is the table of contents; every book has it.
	SummaryPath = "SUMMARY.md"
	// SettingsPath is the book's mdBook settings. It is put at the book's root, beside the sources.
	SettingsPath = "book.toml"
)
