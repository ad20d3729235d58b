// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package layout_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/bobuhiro11/markdown-view/test/cluster/internal/layout"
)

func TestNames(t *testing.T) {
	tests := map[string]bool{
		"markdown-view": true, "a": true, "e2e-1": true, strings.Repeat("a", 40): true,
		"": false, "-a": false, "a-": false, "A": false, "a_b": false, "a/b": false, "..": false, strings.Repeat("a", 41): false,
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := layout.New(name); (err == nil) != want {
				t.Errorf("New(%q): %v, want it taken: %t", name, err, want)
			}
		})
	}
}

// A record is of one process, not of whatever has its number later.
func TestRecord(t *testing.T) {
	t.Setenv("MARKDOWN_VIEW_CACHE", t.TempDir())
	cluster, err := layout.New("records")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, err := cluster.ReadRecord(); ok || err != nil {
		t.Fatalf("before it was written: %t, %v", ok, err)
	}
	if err := cluster.MakeDirs(); err != nil {
		t.Fatal(err)
	}
	// Its name is one that a naive reader of /proc/PID/stat trips over.
	link := cluster.Dir + "/sleep (1) 2"
	if err := os.Symlink("/bin/sleep", link); err != nil {
		t.Fatal(err)
	}
	sleep := exec.Command(link, "60")
	if err := sleep.Start(); err != nil {
		t.Fatal(err)
	}
	start, err := layout.StartTime(sleep.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := cluster.WriteRecord(layout.Record{PID: sleep.Process.Pid, StartTime: start}); err != nil {
		t.Fatal(err)
	}
	record, ok, err := cluster.ReadRecord()
	if !ok || err != nil || !record.Alive() {
		t.Errorf("the record of a running process: %+v, %t, %v, alive %t", record, ok, err, record.Alive())
	}
	if other := (layout.Record{PID: record.PID, StartTime: record.StartTime - 1}); other.Alive() {
		t.Error("a process that started at another time passes for the recorded one")
	}
	if err := sleep.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = sleep.Wait()
	if record.Alive() {
		t.Error("an ended process passes for a running one")
	}
}
