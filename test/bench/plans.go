// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/bobuhiro11/markdown-view/test/bench/internal/scenario"
)

// plansOf returns the runs of a mode. Floor and operator alternate, so that a load that comes and
// goes on the machine meets both.
func plansOf(mode string) ([]scenario.Plan, error) {
	switch mode {
	case "full":
		return fullPlans(), nil
	case "quick":
		return []scenario.Plan{
			{Subject: scenario.Bare, Objects: 100},
			{Subject: scenario.Operator, Objects: 100, Idle: 15 * time.Second, Edits: 20, Passes: 500, Restart: true},
			{Subject: scenario.Peer, Objects: 30, Idle: 15 * time.Second},
		}, nil
	case "smoke":
		return []scenario.Plan{
			{Subject: scenario.Bare, Objects: 10},
			{Subject: scenario.BareApply, Objects: 10},
			{Subject: scenario.Operator, Objects: 10, Idle: 3 * time.Second, Edits: 3, Passes: 20, Restart: true},
			{Subject: scenario.Peer, Objects: 5, Idle: 3 * time.Second, Edits: 2, Restart: true},
		}, nil
	}
	var plans []scenario.Plan
	for text := range strings.SplitSeq(mode, ",") {
		plan, err := parsePlan(text)
		if err != nil {
			return nil, err
		}
		plans = append(plans, plan)
	}
	return plans, nil
}

func fullPlans() []scenario.Plan {
	const idle, edits = 2 * time.Minute, 200
	plain := func(s scenario.Subject, n int) scenario.Plan { return scenario.Plan{Subject: s, Objects: n} }
	whole := func(s scenario.Subject, n int) scenario.Plan {
		return scenario.Plan{Subject: s, Objects: n, Idle: idle, Edits: edits, Restart: true}
	}
	at1000 := whole(scenario.Operator, 1000)
	at1000.Passes = 10_000
	pods := func(s scenario.Subject) scenario.Plan { return scenario.Plan{Subject: s, Objects: 300, Pods: true} }
	peer := whole(scenario.Peer, 300)
	peer.Edits = 2 // Each waits behind a period's work, half a minute and longer.
	return []scenario.Plan{
		plain(scenario.Bare, 1000), at1000,
		plain(scenario.Bare, 300), whole(scenario.Operator, 300), peer,
		plain(scenario.BareApply, 1000), plain(scenario.Bare, 1000), plain(scenario.Operator, 1000),
		plain(scenario.Operator, 500), plain(scenario.Operator, 5000),
		pods(scenario.Bare), pods(scenario.Operator), pods(scenario.Peer),
		plain(scenario.Bare, 100), plain(scenario.Operator, 100), plain(scenario.Peer, 100),
		plain(scenario.Bare, 500), plain(scenario.Bare, 2000), plain(scenario.Operator, 2000), plain(scenario.Bare, 5000),
	}
}

// parsePlan reads SUBJECT:OBJECTS[:idle=DURATION][:edits=N][:passes=N][:restart][:pods].
func parsePlan(text string) (scenario.Plan, error) {
	parts := strings.Split(text, ":")
	var plan scenario.Plan
	wrong := func() (scenario.Plan, error) {
		return plan, fmt.Errorf("mode %q: want full, quick, smoke, or plans as SUBJECT:OBJECTS[:idle=120s][:edits=N][:passes=N][:restart][:pods], with commas between", text)
	}
	if len(parts) < 2 {
		return wrong()
	}
	plan.Subject = scenario.Subject(parts[0])
	var err error
	if plan.Objects, err = strconv.Atoi(parts[1]); err != nil {
		return wrong()
	}
	for _, part := range parts[2:] {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "idle":
			plan.Idle, err = time.ParseDuration(value)
		case "edits":
			plan.Edits, err = strconv.Atoi(value)
		case "passes":
			plan.Passes, err = strconv.Atoi(value)
		case "restart":
			plan.Restart = true
		case "pods":
			plan.Pods = true
		default:
			return wrong()
		}
		if err != nil {
			return wrong()
		}
	}
	return plan, nil
}
