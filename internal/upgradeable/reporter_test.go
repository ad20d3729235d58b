// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package upgradeable

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/operator-framework/operator-lib/conditions"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
)

// told is a condition that notes what it is told and when, in seconds since start.
type told struct {
	conditions.Condition
	start time.Time
	log   []string
	fail  int // that many writes fail first
}

func (c *told) Set(_ context.Context, status metav1.ConditionStatus, _ ...conditions.Option) error {
	at := time.Since(c.start).Round(100 * time.Millisecond)
	if c.fail > 0 {
		c.fail--
		c.log = append(c.log, fmt.Sprintf("%s failed", at))
		return errors.New("the API server is away")
	}
	c.log = append(c.log, fmt.Sprintf("%s %s", at, status))
	return nil
}

func TestReporter(t *testing.T) {
	const edit = 60 * time.Millisecond
	change := func(g *Gate, d time.Duration) {
		g.InFlight(1)
		time.Sleep(d)
		g.InFlight(-1)
	}
	cases := map[string]struct {
		reason string
		fail   int
		run    func(*Gate)
		want   []string
	}{
		"Idle": {
			reason: "An idle operator tells once, at its start, and then makes no request.",
			run:    func(*Gate) { time.Sleep(24 * time.Hour) },
			want:   []string{"0s True"},
		},
		"Edits": {
			reason: "Edits all day long, one a second, cost no request and never hold an upgrade back.",
			run: func(g *Gate) {
				for range 3600 {
					change(g, edit)
					time.Sleep(time.Second)
				}
			},
			want: []string{"0s True"},
		},
		"Wave": {
			reason: "Changes that overlap are one stretch: False once it is noticed, True once it settled.",
			run: func(g *Gate) {
				g.InFlight(1)
				for range 100 {
					change(g, edit)
				}
				g.InFlight(-1)
				time.Sleep(time.Minute)
			},
			want: []string{"0s True", "300ms False", "9s True"},
		},
		"TwoWaves": {
			reason: "A second stretch before the first one settled does not let an upgrade in between.",
			run: func(g *Gate) {
				change(g, time.Second)
				time.Sleep(2 * time.Second)
				change(g, time.Second)
				time.Sleep(time.Minute)
			},
			want: []string{"0s True", "300ms False", "7s True"},
		},
		"EditsAfterAWave": {
			reason: "Edits do not keep the operator from settling.",
			run: func(g *Gate) {
				change(g, time.Second)
				for range 60 {
					change(g, edit)
					time.Sleep(time.Second)
				}
			},
			want: []string{"0s True", "300ms False", "4s True"},
		},
		"Away": {
			reason: "A write that fails is tried again, and is no reason to end.",
			fail:   2,
			run:    func(*Gate) { time.Sleep(time.Minute) },
			want:   []string{"0s failed", "5s failed", "10s True"},
		},
		"Ending": {
			reason: "A manager that ends in mid-change takes its False back: perhaps no other follows.",
			run: func(g *Gate) {
				g.InFlight(1)
				time.Sleep(time.Second)
			},
			want: []string{"0s True", "300ms False", "1s True"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				condition := &told{start: time.Now(), fail: tc.fail}
				reporter := NewReporter(NewGate(clock.RealClock{}), condition)
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error, 1)
				go func() { ended <- reporter.Start(ctx) }()
				synctest.Wait()
				tc.run(reporter.Gate)
				synctest.Wait()
				cancel()
				if err := <-ended; err != nil {
					t.Errorf("Start: %v", err)
				}
				if diff := cmp.Diff(tc.want, condition.log); diff != "" {
					t.Errorf("%s\n-want +got:\n%s", tc.reason, diff)
				}
			})
		})
	}
}

func TestFromEnvironment(t *testing.T) {
	t.Run("OutsideOLM", func(t *testing.T) {
		t.Setenv(NameVariable, "")
		reporter, err := FromEnvironment(nil, NewGate(clock.RealClock{}))
		if reporter != nil || err != nil {
			t.Errorf("without %s there is nothing to report to, and nothing to fail: got %v, %v", NameVariable, reporter, err)
		}
	})
	t.Run("OutsideAPod", func(t *testing.T) {
		t.Setenv(NameVariable, "markdown-view.v0.1.0")
		// No request is made: nobody listens there.
		_, err := FromEnvironment(&rest.Config{Host: "https://127.0.0.1:1"}, NewGate(clock.RealClock{}))
		if err == nil || !strings.Contains(err.Error(), "OperatorCondition markdown-view.v0.1.0: ") {
			t.Errorf("a name without a namespace gives %v; want an error that names the OperatorCondition", err)
		}
	})
}
