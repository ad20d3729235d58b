// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package v1

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/book"
)

const (
	defaultReplicas int32 = 1
	minReplicas     int32 = 1
	maxReplicas     int32 = 5

	// maxWarnings bounds the lines that kubectl prints behind an accepted object.
	maxWarnings = 10

	// mutatePath is where the API server asks the defaulting webhook; the marker below has it too.
	mutatePath = "/mutate-view-bobuhiro11-net-v1-markdownview"
)

// +kubebuilder:webhook:path=/mutate-view-bobuhiro11-net-v1-markdownview,mutating=true,failurePolicy=fail,sideEffects=None,groups=view.bobuhiro11.net,resources=markdownviews,verbs=create;update,versions=v1,name=mmarkdownview.kb.io,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/validate-view-bobuhiro11-net-v1-markdownview,mutating=false,failurePolicy=fail,sideEffects=None,groups=view.bobuhiro11.net,resources=markdownviews,verbs=create;update,versions=v1,name=vmarkdownview.kb.io,admissionReviewVersions=v1

// SetupWithManager registers both webhooks with the manager's webhook server. defaultImage is the
// image that builds a book whose spec.viewerImage is empty; it is only named to the author.
func SetupWithManager(mgr ctrl.Manager, defaultImage string) error {
	defaulting := admission.WithDefaulter(mgr.GetScheme(), defaulter{})
	defaulting.Handler = tolerant{defaulting.Handler}
	mgr.GetWebhookServer().Register(mutatePath, defaulting)
	err := ctrl.NewWebhookManagedBy(mgr, &viewv1.MarkdownView{}).
		WithValidator(validator{defaultImage: defaultImage}).
		Complete()
	if err != nil {
		return fmt.Errorf("register the webhooks of MarkdownView: %w", err)
	}
	return nil
}

// tolerant lets an object through that does not fit the Go types. The API server asks the schema
// next, which refuses it in words that name the field and the type, the same as without a webhook.
type tolerant struct {
	admission.Handler
}

// Handle passes the answer on, unless it says that the object could not be read.
func (t tolerant) Handle(ctx context.Context, request admission.Request) admission.Response {
	response := t.Handler.Handle(ctx, request)
	if !response.Allowed && response.Result != nil && response.Result.Code == http.StatusBadRequest {
		return admission.Allowed("")
	}
	return response
}

// defaulter sets what the author left out. spec.viewerImage stays empty on purpose: a default that
// was written into the object would outlive the operator that chose it (docs/src/adr).
type defaulter struct{}

// Default never fails. An object without a book is left alone: the schema refuses it, and should
// speak of the field that is missing, not of one that was filled in.
func (defaulter) Default(_ context.Context, view *viewv1.MarkdownView) error {
	if view.Spec.Replicas == nil && view.Spec.Markdowns != nil {
		replicas := defaultReplicas
		view.Spec.Replicas = &replicas
	}
	return nil
}

// validator refuses MarkdownViews that could not be published, with an Invalid error (422) that
// names the field, so that kubectl prints one line for each thing to mend.
type validator struct {
	defaultImage string
}

// ValidateCreate judges the whole object.
func (v validator) ValidateCreate(_ context.Context, view *viewv1.MarkdownView) (admission.Warnings, error) {
	bookErrors, warnings := judgeBook(&view.Spec)
	warnings = append(v.imageWarnings(view.Spec.ViewerImage), warnings...)
	return warnings, invalid(view, append(judgeReplicas(view.Spec.Replicas), bookErrors...))
}

// ValidateUpdate judges what changed. A book that was let in by an older operator must not keep
// its author from scaling it, nor the operator from removing a finalizer.
func (v validator) ValidateUpdate(_ context.Context, old, view *viewv1.MarkdownView) (admission.Warnings, error) {
	if view.DeletionTimestamp != nil {
		return nil, nil
	}
	errs := judgeReplicas(view.Spec.Replicas)
	var warnings admission.Warnings
	if old.Spec.ViewerImage != view.Spec.ViewerImage {
		warnings = v.imageWarnings(view.Spec.ViewerImage)
	}
	if !sameBook(&old.Spec, &view.Spec) {
		bookErrors, bookWarnings := judgeBook(&view.Spec)
		errs, warnings = append(errs, bookErrors...), append(warnings, bookWarnings...)
	}
	return warnings, invalid(view, errs)
}

// ValidateDelete is never called: the webhook is not registered for deletions.
func (validator) ValidateDelete(context.Context, *viewv1.MarkdownView) (admission.Warnings, error) {
	return nil, nil
}

func sameBook(a, b *viewv1.MarkdownViewSpec) bool {
	return maps.Equal(a.Markdowns, b.Markdowns) && maps.Equal(a.Assets, b.Assets)
}

// invalid is nil without errors.
func invalid(view *viewv1.MarkdownView, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	kind := viewv1.GroupVersion.WithKind("MarkdownView").GroupKind()
	name := view.Name
	if name == "" {
		name = view.GenerateName
	}
	return apierrors.NewInvalid(kind, name, errs)
}

var specPath = field.NewPath("spec")

// judgeReplicas repeats the schema's rule, for a cluster whose schema is older than the operator.
func judgeReplicas(replicas *int32) field.ErrorList {
	if replicas == nil || *replicas >= minReplicas && *replicas <= maxReplicas {
		return nil
	}
	return field.ErrorList{field.Invalid(specPath.Child("replicas"), *replicas, "replicas must be in the range of 1 to 5.")}
}

// judgeBook turns the findings of the book into errors of the fields that hold the files.
func judgeBook(spec *viewv1.MarkdownViewSpec) (field.ErrorList, admission.Warnings) {
	markdowns := specPath.Child("markdowns")
	if _, ok := spec.Markdowns[viewv1.SummaryPath]; !ok {
		return field.ErrorList{field.Required(markdowns, "markdowns must have SUMMARY.md.")}, nil
	}
	findings, surprises := book.Inspect(spec.Markdowns, spec.AssetBytes())
	var errs field.ErrorList
	for _, finding := range findings {
		at := markdowns
		if _, isAsset := spec.Assets[finding.Path]; isAsset {
			at = specPath.Child("assets")
		}
		// The value would be the whole text of the file.
		errs = append(errs, field.Invalid(at, field.OmitValueType{}, finding.String()))
	}
	var warnings admission.Warnings
	for i, surprise := range surprises {
		if i == maxWarnings {
			warnings = append(warnings, fmt.Sprintf("and %d more warnings", len(surprises)-maxWarnings))
			break
		}
		warnings = append(warnings, surprise.String())
	}
	return errs, warnings
}

// imageWarnings tells about an image whose content may change under the same name.
func (v validator) imageWarnings(image string) admission.Warnings {
	if image == "" || strings.Contains(image, "@") {
		return nil
	}
	name := image[strings.LastIndexByte(image, '/')+1:]
	if _, tag, ok := strings.Cut(name, ":"); ok && tag != "latest" {
		return nil
	}
	return admission.Warnings{fmt.Sprintf("spec.viewerImage: %s may be another image tomorrow: "+
		"name a version, or leave the field empty for %s", image, v.defaultImage)}
}
