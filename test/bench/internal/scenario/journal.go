// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package scenario

import (
	"strings"
	"time"

	"github.com/bobuhiro11/markdown-view/test/bench/internal/audit"
)

// journal keeps the audit entries of a run.
type journal struct {
	log     audit.Log
	entries []audit.Entry
}

func newJournal(path string) *journal { return &journal{log: audit.Log{Path: path}} }

// read takes up what is new.
func (j *journal) read() error {
	entries, err := j.log.Next()
	j.entries = append(j.entries, entries...)
	return err
}

// since returns the program's entries that were answered after a time.
func (j *journal) since(t time.Time) (requests, watches []audit.Entry) {
	for _, e := range j.entries {
		switch {
		case e.User != user || e.Answered.Before(t):
		case e.Verb == "watch":
			watches = append(watches, e)
		default:
			requests = append(requests, e)
		}
	}
	return requests, watches
}

// applied returns when each MarkdownView's status was first written after its Helm record was, by
// namespace and name.
func (j *journal) applied() map[string]time.Time {
	recorded, done := map[string]bool{}, map[string]time.Time{}
	for _, e := range j.entries {
		if e.User != user || !e.Write() || !e.OK() {
			continue
		}
		if name, ok := recordOf(e); ok {
			recorded[e.Namespace+"/"+name] = true
		}
		key := e.Namespace + "/" + e.Name
		if e.Resource == "markdownviews" && e.Subresource == "status" && recorded[key] && done[key].IsZero() {
			done[key] = e.Answered
		}
	}
	return done
}

// recordOf returns the release whose first Helm record an entry wrote.
func recordOf(e audit.Entry) (name string, ok bool) {
	if e.Resource != "configmaps" && e.Resource != "secrets" {
		return "", false
	}
	name, ok = strings.CutPrefix(e.Name, "sh.helm.release.v1.")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(name, ".v1")
}

// firstWrite returns when the program asked for its first write after a time.
func (j *journal) firstWrite(t time.Time) time.Time {
	var first time.Time
	for _, e := range j.entries {
		if e.User == user && e.Write() && e.Resource != "leases" && e.Asked.After(t) && (first.IsZero() || e.Asked.Before(first)) {
			first = e.Asked
		}
	}
	return first
}

// last returns when the program's last request was answered.
func (j *journal) last() time.Time {
	var last time.Time
	for _, e := range j.entries {
		if e.User == user && e.Answered.After(last) {
			last = e.Answered
		}
	}
	return last
}
