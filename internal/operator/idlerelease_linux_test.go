// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator

import (
	"os"
	"regexp"
	"strconv"
	"testing"
)

// residentFile returns how much of the files that it maps the process has resident, in KiB.
func residentFile(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`RssFile:\s+(\d+) kB`).FindSubmatch(status)
	if found == nil {
		t.Skip("this kernel does not tell file pages from others")
	}
	kib, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kib
}

func TestReleaseFilePages(t *testing.T) {
	before := residentFile(t)
	if err := releaseFilePages(); err != nil {
		t.Fatal(err)
	}
	// What runs right now comes back at once; half is far more than that.
	if after := residentFile(t); after > before/2 {
		t.Errorf("%d KiB of the program's file are resident after the release, %d before", after, before)
	}
}
