// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Command scorecard is the image of this operator's own scorecard tests. The scorecard runs it once a
// test, in a pod, with the test's name as the argument and the bundle in /bundle; it prints one
// TestStatus as JSON and nothing else.
//
// The SDK's tests pass a bundle whose examples are empty; these publish a book.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/operator-framework/api/pkg/apis/scorecard/v1alpha3"
)

// patience bounds a test, so that it says what it waited for before the scorecard's own
// --wait-time (300 s in `make scorecard`) ends it without a word.
const patience = 4 * time.Minute

// test is one of the scorecard's tests: it returns what is wrong, or nothing.
type test func(ctx context.Context, bundle Bundle) []string

// tests by the name that config/scorecard gives them.
func tests() map[string]test {
	return map[string]test{
		"descriptors":        func(_ context.Context, bundle Bundle) []string { return bundle.Descriptors() },
		"permissions":        func(_ context.Context, bundle Bundle) []string { return bundle.Permissions() },
		"examples":           inCluster(Examples),
		"book-lifecycle":     inCluster(BookLifecycle),
		"metrics-and-events": inCluster(MetricsAndEvents),
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The scorecard mounts the bundle there.
	status := Run(ctx, os.Args[1:], "/bundle")
	stop()
	if err := json.NewEncoder(os.Stdout).Encode(status); err != nil {
		fmt.Fprintln(os.Stderr, "scorecard: print the result:", err)
		os.Exit(1)
	}
}

// Run runs the test that args name on the bundle in folder. A test that can't begin has the state
// error, which the scorecard counts apart from fail.
func Run(ctx context.Context, args []string, folder string) v1alpha3.TestStatus {
	name := strings.Join(args, " ")
	result := v1alpha3.TestResult{Name: name, State: v1alpha3.PassState}
	run, known := tests()[name]
	bundle, err := LoadBundle(folder)
	switch {
	case !known:
		result.State = v1alpha3.ErrorState
		result.Errors = []string{fmt.Sprintf("no test named %q; there are %s", name, strings.Join(slices.Sorted(maps.Keys(tests())), ", "))}
	case err != nil:
		result.State = v1alpha3.ErrorState
		result.Errors = []string{err.Error()}
	default:
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		if problems := run(ctx, bundle); len(problems) > 0 {
			result.State, result.Errors = v1alpha3.FailState, problems
		}
	}
	return v1alpha3.TestStatus{Results: []v1alpha3.TestResult{result}}
}
