// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package audit

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const lines = `{"stage":"ResponseComplete","requestURI":"/api/v1/namespaces/a/services/x","verb":"patch","user":{"username":"subject"},"objectRef":{"resource":"services","namespace":"a","name":"x","apiVersion":"v1"},"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-01-01T00:00:00.000001Z","stageTimestamp":"2026-01-01T00:00:00.000003Z"}
{"stage":"ResponseStarted","requestURI":"/api/v1/services?watch=true","verb":"watch","user":{"username":"subject"},"objectRef":{"resource":"services"},"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-01-01T00:00:01.000000Z","stageTimestamp":"2026-01-01T00:00:01.000000Z"}
{"stage":"ResponseComplete","requestURI":"/api/v1/services?watch=true","verb":"watch","user":{"username":"subject"},"objectRef":{"resource":"services"},"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-01-01T00:00:01.000000Z","stageTimestamp":"2026-01-01T00:00:09.000000Z"}
{"stage":"ResponseComplete","requestURI":"/version","verb":"get","user":{"username":"other"},"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-01-01T00:00:02.000000Z","stageTimestamp":"2026-01-01T00:00:02.000000Z"}
{"stage":"ResponseComplete","requestURI":"/api/v1/na`

// TestNext: a watch counts once, when it begins; a line that is not whole yet is read next time.
func TestNext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.log")
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	log := Log{Path: path}
	entries, err := log.Next()
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 1, 0, 0, 0, 1000, time.UTC)
	want := Entry{
		User: "subject", Verb: "patch", URI: "/api/v1/namespaces/a/services/x", Resource: "services", Namespace: "a", Name: "x",
		Asked: at, Answered: at.Add(2 * time.Microsecond), Code: 200,
	}
	if len(entries) != 3 {
		t.Fatalf("%d entries, want 3: %+v", len(entries), entries)
	}
	if diff := cmp.Diff(want, entries[0]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{"patch": 1, "watch": 1}, ByVerb(Of(entries, "subject"))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if n := Writes(entries); n != 1 {
		t.Errorf("%d writes, want 1", n)
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString("mespaces\",\"verb\":\"list\",\"user\":{\"username\":\"other\"}}\n"); err != nil {
		t.Fatal(err)
	}
	if entries, err := log.Next(); err != nil || len(entries) != 1 || entries[0].Verb != "list" {
		t.Errorf("after the rest of the line: %+v, %v", entries, err)
	}
}
