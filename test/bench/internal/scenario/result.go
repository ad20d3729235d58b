// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package scenario runs one program against one fresh cluster and measures it, phase by phase.
package scenario

// Subject is a program under measurement.
type Subject string

const (
	// Bare is the floor: objects are created by a client that only writes.
	Bare Subject = "bare"
	// BareApply is the floor by server-side apply.
	BareApply Subject = "bare-apply"
	// Peer is helm-operator-plugins.
	Peer Subject = "peer"
	// Operator is this checkout's manager.
	Operator Subject = "operator"
)

// Result of one run. Phases that were not run are nil.
type Result struct {
	Subject Subject
	Objects int
	// Pods tells that controllers, scheduler and kwok brought pods to Ready.
	Pods bool
	// Started is when the run began, RFC 3339.
	Started string
	Applied *Applied
	// Ready is the time from the first write until every pod was Ready and every status said so.
	Ready *Ready `json:",omitempty"`
	// Memory after the objects were applied and the program had come to rest.
	Memory     *Memory     `json:",omitempty"`
	Idle       *Idle       `json:",omitempty"`
	Drift      *Drift      `json:",omitempty"`
	Reconciles *Reconciles `json:",omitempty"`
	Restart    *Restart    `json:",omitempty"`
}

// Applied is the way from nothing to all objects applied, all MarkdownViews being there beforehand.
type Applied struct {
	// Startup is from the program's start to its first write, in seconds.
	Startup float64
	// Seconds from the first write to the status of the last object.
	Seconds float64
	// Requests from the first write on, an object: all (but watches), writes, and by verb.
	Requests, Writes float64
	ByVerb           map[string]float64
	// CPU of the program from its first write on, and of etcd and API server, in milliseconds an object.
	CPU, ServerCPU float64
	// Others is the CPU that the rest of the machine used meanwhile, in cores.
	Others float64
}

// PerSecond returns objects a second.
func (r Result) PerSecond() float64 { return float64(r.Objects) / r.Applied.Seconds }

// Ready is the way to pods that are Ready, with kwok.
type Ready struct {
	Seconds float64
	// Requests from the first write on, an object.
	Requests float64
}

// Memory of the program, in MiB.
type Memory struct{ Resident, Peak float64 }

// Idle is a while in which nothing changes.
type Idle struct {
	Seconds float64
	// Requests and watches begun, in all.
	Requests, Watches int
	// PerObjectMinute is requests an object a minute.
	PerObjectMinute float64
	// Cores of CPU used by the program.
	Cores float64
	// ServerCores of CPU used by etcd and API server.
	ServerCores float64
}

// Drift is edits by hand, put right.
type Drift struct {
	Edits int
	// Median, P99 and Max from the answer to the edit to the answer to the write that put it right, in
	// milliseconds by the API server's clock.
	Median, P99, Max float64
	// Requests and Writes of the program an edit.
	Requests, Writes float64
	// Unrepaired edits at the end of the wait.
	Unrepaired int
	// Samples are the latencies, in order of the edits.
	Samples []float64
}

// Reconciles are forced passes over settled objects.
type Reconciles struct {
	Passes float64
	// Requests of the program meanwhile.
	Requests int
	// CPU a pass, in milliseconds.
	CPU float64
	// Memory at rest before, right after the last pass, and at rest after; and goroutines.
	Before, Loaded, After             Memory
	GoroutinesBefore, GoroutinesAfter int
	// Samples of resident memory, in MiB, a sample a round.
	Samples []float64
}

// Restart is a stop and a start with all objects settled.
type Restart struct {
	// Seconds until every object was looked at and no pass was left.
	Seconds float64
	// Requests but watches, writes among them, and watches.
	Requests, Writes, Watches int
	// CPU of the program, in seconds.
	CPU    float64
	Memory Memory
}
