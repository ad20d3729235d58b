// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package audit reads the API server's audit log: who asked for what, and when it was answered. All
// counts and times of the benchmark come from there, so they are the same for every program.
package audit

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
)

// Policy records every request once it is answered, and every watch once it has begun.
const Policy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules: [{level: Metadata}]
`

// Entry is one answered request, or one watch that began.
type Entry struct {
	User, Verb string
	// Group, Resource, Subresource, Namespace and Name are empty where the path names none.
	Group, Resource, Subresource, Namespace, Name string
	// URI is the path and query.
	URI string
	// Asked and Answered are the API server's own clock.
	Asked, Answered time.Time
	// Code is the HTTP status.
	Code int
}

// Write tells whether the request may change something.
func (e Entry) Write() bool {
	switch e.Verb {
	case "get", "list", "watch":
		return false
	}
	return true
}

// OK tells whether it was answered with success.
func (e Entry) OK() bool { return e.Code >= 200 && e.Code < 300 }

type event struct {
	Stage                    string
	RequestURI, Verb         string
	User                     struct{ Username string }
	RequestReceivedTimestamp time.Time
	StageTimestamp           time.Time
	ResponseStatus           struct{ Code int }
	ObjectRef                struct{ Resource, Namespace, Name, APIGroup, Subresource string }
}

// Log reads an audit log as it grows.
type Log struct {
	Path   string
	offset int64
}

// Next returns the entries since the last call.
func (l *Log) Next() ([]Entry, error) {
	file, err := os.Open(l.Path)
	if err != nil {
		return nil, fmt.Errorf("audit log: %w", err)
	}
	defer file.Close()
	if _, err := file.Seek(l.offset, io.SeekStart); err != nil {
		return nil, fmt.Errorf("audit log: %w", err)
	}
	var entries []Entry
	for reader := bufio.NewReaderSize(file, 1<<20); ; {
		line, err := reader.ReadBytes('\n')
		if err == io.EOF {
			return entries, nil // A line that is not whole yet is read next time.
		}
		if err != nil {
			return nil, fmt.Errorf("audit log: %w", err)
		}
		l.offset += int64(len(line))
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("audit log at byte %d: %w", l.offset, err)
		}
		if counted(e) {
			entries = append(entries, entryOf(e))
		}
	}
}

// counted takes each request once: a watch when it begins, anything else when it is answered.
func counted(e event) bool {
	if e.Verb == "watch" {
		return e.Stage == "ResponseStarted"
	}
	return e.Stage == "ResponseComplete" || e.Stage == "Panic"
}

func entryOf(e event) Entry {
	return Entry{
		User: e.User.Username, Verb: e.Verb, URI: e.RequestURI, Code: e.ResponseStatus.Code,
		Group: e.ObjectRef.APIGroup, Resource: e.ObjectRef.Resource, Subresource: e.ObjectRef.Subresource,
		Namespace: e.ObjectRef.Namespace, Name: e.ObjectRef.Name,
		Asked: e.RequestReceivedTimestamp, Answered: e.StageTimestamp,
	}
}

// Of returns the entries of one user.
func Of(entries []Entry, user string) []Entry {
	var out []Entry
	for _, e := range entries {
		if e.User == user {
			out = append(out, e)
		}
	}
	return out
}

// ByVerb counts entries.
func ByVerb(entries []Entry) map[string]int {
	out := map[string]int{}
	for _, e := range entries {
		out[e.Verb]++
	}
	return out
}

// Writes counts the entries that may change something.
func Writes(entries []Entry) int {
	n := 0
	for _, e := range entries {
		if e.Write() {
			n++
		}
	}
	return n
}
