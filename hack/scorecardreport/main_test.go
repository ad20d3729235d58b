// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRun(t *testing.T) {
	const (
		good    = `<testsuite name="good"><testcase name="good"></testcase></testsuite>`
		bad     = `<testsuite name="bad"><testcase name="bad"><system-out>log</system-out><failure type="failure">one&#xA;two</failure></testcase></testsuite>`
		mistake = `<testsuite name="mistake"><testcase name="mistake"><error type="error">no cluster</error></testcase></testsuite>`
		silent  = `<testsuite name="silent"></testsuite>`
	)
	cases := map[string]struct {
		suites, want, err string
	}{
		"AllPass": {suites: good, want: "ok   good\n1 passed, 0 failed\n"},
		"AFailureTellsWhy": {
			suites: good + bad, err: "1 of the scorecard's tests failed",
			want: "ok   good\nFAIL bad\n     one\n     two\n     log\n1 passed, 1 failed\n",
		},
		"AnErrorIsAFailure": {
			suites: mistake, err: "1 of the scorecard's tests failed",
			want: "FAIL mistake\n     no cluster\n0 passed, 1 failed\n",
		},
		"APodWithoutAResultIsAFailure": {
			suites: silent, err: "1 of the scorecard's tests failed",
			want: "FAIL silent\n     the test's pod gave no result\n0 passed, 1 failed\n",
		},
		"NoTestIsAFailure": {want: "0 passed, 0 failed\n", err: "no test ran"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "report.xml")
			if err := os.WriteFile(path, []byte(`<testsuites name="scorecard">`+c.suites+`</testsuites>`), 0o600); err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			err := run(path, &out)
			if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("error %v, want one that says %q", err, c.err)
			}
			if diff := cmp.Diff(c.want, out.String()); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
		})
	}
}
