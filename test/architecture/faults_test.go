// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// faults are the fifteen faults of the tutorial's operator, and for each the tests that fail when it
// is put back: file, then function. hack/mutate.sh puts them back.
var faults = map[string][][2]string{
	"01 a removed file stays": {{"internal/operator/faults_test.go", "TestRemovedFileLeaves"}},
	"02 an edit does not roll the Deployment; a failed build is seen nowhere": {
		{"internal/operator/release_test.go", "TestEditReplacesContentAndKeepsHistoryShort"},
		{"internal/health/health_test.go", "TestOf"}, {"internal/status/events_test.go", "TestEvents"},
		{"test/e2e/lifecycle_test.go", "TestBrokenEdit"},
	},
	"03 gauges outlive their object and miss after a restart": {{"internal/operator/faults_test.go", "TestGaugesFollowTheObject"}},
	"04 status and its times are written on every pass; errors read as OK": {
		{"internal/status/status_test.go", "TestOfIsStable"}, {"internal/status/status_test.go", "TestTransitionTimes"},
		{"internal/controller/statuswriter_test.go", "TestStatusIsWrittenOnce"}, {"internal/controller/reconciler_test.go", "TestSettledPassIsSilent"},
		{"internal/controller/errors_test.go", "TestClassify"},
	},
	"05 one of three replicas is as good as three": {{"internal/health/health_test.go", "TestOf"}, {"internal/status/status_test.go", "TestOf"}},
	"06 folders and other alphabets fail": {
		{"internal/values/layout_test.go", "TestKey"}, {"internal/values/layout_test.go", "FuzzKey"},
		{"internal/render/render_test.go", "TestObjectsAreGolden"}, {"api/v1/schema_test.go", "TestSchemaAccepts"},
	},
	"07 links are not checked; missing pages are created": {
		{"internal/book/check_test.go", "TestSummary"}, {"internal/webhook/v1/admission_test.go", "TestRefused"},
		{"internal/render/render_test.go", "TestObjectsAreGolden"}, // MDBOOK_BUILD__CREATE_MISSING
	},
	"08 pages include the container's files": {{"internal/book/check_test.go", "TestIncludes"}, {"internal/render/render_test.go", "TestPodsReachNothing"}},
	"09 only text, and nothing over 1 MiB": {
		{"internal/values/values_test.go", "TestContentValues"}, {"internal/values/layout_test.go", "TestLayout"},
		{"internal/operator/distrust_test.go", "TestRecordTooLarge"},
	},
	"10 long and dotted names": {{"api/v1/schema_test.go", "TestSchemaRefuses"}, {"internal/render/mark_test.go", "TestReleaseName"}},
	"11 replicas 0; a foreign object is seized": {
		{"api/v1/schema_test.go", "TestSchemaRefuses"}, {"internal/render/render_test.go", "TestSchemaRefuses"},
		{"internal/plan/plan_test.go", "TestChanges"}, {"internal/render/mark_test.go", "TestRelationOf"},
		{"internal/operator/distrust_test.go", "TestForeignObjectInTheWay"}, {"internal/operator/distrust_test.go", "TestForeignObjectSurvivesUninstall"},
	},
	"12 replicas fight an autoscaler": {
		{"internal/operator/faults_test.go", "TestAutoscalerKeepsItsReplicas"}, {"internal/plan/plan_test.go", "TestDecide"},
		{"internal/live/strip_test.go", "TestScaled"},
	},
	"13 latest, root, a writable image, a preview server": {
		{"internal/render/render_test.go", "TestPodsAreRestricted"}, {"test/config/workload_test.go", "TestImagesArePinned"},
		{"internal/render/render_test.go", "TestObjectsAreGolden"},
	},
	"14 caches hold the whole cluster":            {{"internal/live/strip_test.go", "TestStrip"}, {"internal/live/cache_test.go", "TestCachesHoldOnlyOurs"}},
	"15 a status that is text stops the informer": {{"api/v1/stored_status_test.go", "TestStatusOfTheTutorialsType"}},
}

func TestEveryFaultHasItsTests(t *testing.T) {
	if len(faults) != 15 {
		t.Errorf("%d faults are listed, the tutorial has 15", len(faults))
	}
	for fault, tests := range faults {
		for _, test := range tests {
			if !declares(t, filepath.Join("..", "..", test[0]), test[1]) {
				t.Errorf("fault %s: %s has no %s", fault, test[0], test[1])
			}
		}
	}
}

func declares(t *testing.T, file, function string) bool {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return false
	}
	for _, declaration := range parsed.Decls {
		if f, ok := declaration.(*ast.FuncDecl); ok && f.Name.Name == function {
			return true
		}
	}
	return false
}
