// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"testing"

	"github.com/operator-framework/api/pkg/validation"
	"github.com/operator-framework/api/pkg/validation/errors"
	validator "github.com/operator-framework/api/pkg/validation/interfaces"
)

// TestValidators runs the library's validators, which are newer than those built into operator-sdk;
// a warning counts, because catalogues' pipelines refuse it.
func TestValidators(t *testing.T) {
	validators := map[string]validator.Validator{
		"Bundle":         validation.BundleValidator,
		"CSV":            validation.ClusterServiceVersionValidator,
		"CRD":            validation.CustomResourceDefinitionValidator,
		"OperatorHub":    validation.OperatorHubV2Validator,
		"Capabilities":   validation.StandardCapabilitiesValidator,
		"Categories":     validation.StandardCategoriesValidator,
		"Object":         validation.ObjectValidator,
		"DeprecatedAPIs": validation.AlphaDeprecatedAPIsValidator,
		"GoodPractices":  validation.GoodPracticesValidator,
		// Both are deprecated, and the community's pipeline runs the second to this day.
		"Community":      validation.CommunityOperatorValidator,
		"OperatorHubOld": validation.OperatorHubValidator, //nolint:staticcheck // deprecated, as above
	}
	bundle := load(t)
	objects := bundle.ObjectsToValidate()
	for _, object := range bundle.Objects {
		objects = append(objects, object)
	}
	objects = append(objects, map[string]string{"k8s-version": "1.37"})
	for name, check := range validators {
		t.Run(name, func(t *testing.T) {
			for _, result := range check.Validate(objects...) {
				for _, problem := range result.Errors {
					t.Errorf("%s: %s", result.Name, problem.Error())
				}
				for _, problem := range result.Warnings {
					// Of the validator itself, whatever the bundle.
					if problem.Type == errors.ErrorDeprecatedValidator {
						continue
					}
					t.Errorf("%s: %s", result.Name, problem.Error())
				}
			}
		})
	}
}
