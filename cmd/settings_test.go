// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bobuhiro11/markdown-view/internal/operator"
)

func TestParseSettings(t *testing.T) {
	defaults := func(change func(*operator.Settings)) operator.Settings {
		s := operator.Settings{
			MetricsAddr: ":8443", SecureMetrics: true, ProbeAddr: ":8081", Webhooks: true, WebhookDrain: 5 * time.Second,
			LeaseName: "markdown-view.bobuhiro11.net", MaxHistory: 3,
			ViewerImage: defaultViewerImage, ServerImage: defaultServerImage,
		}
		change(&s)
		return s
	}
	cases := map[string]struct {
		reason string
		args   []string
		env    map[string]string
		want   operator.Settings
		err    string
	}{
		"Defaults": {want: defaults(func(*operator.Settings) {})},
		"AsDeployed": {
			reason: "config/manager sets these.",
			args:   []string{"--leader-elect", "--health-probe-bind-address=:8081", "--metrics-bind-address=:8443"},
			env: map[string]string{
				"POD_NAMESPACE": "markdown-view-system", "WATCH_NAMESPACE": "team-a, team-b,", "RELATED_IMAGE_SERVER": "server:1", "RELATED_IMAGE_VIEWER": "mdbook:1",
			},
			want: defaults(func(s *operator.Settings) {
				s.LeaderElect, s.LeaseNamespace, s.Namespaces = true, "markdown-view-system", []string{"team-a", "team-b"}
				s.ServerImage, s.ViewerImage = "server:1", "mdbook:1"
			}),
		},
		"WatchesFileOfTheEnvironment": {
			reason: "OLM passes no flags on.",
			env:    map[string]string{"WATCHES_FILE": "/etc/watches.yaml"},
			want:   defaults(func(s *operator.Settings) { s.WatchesFile = "/etc/watches.yaml" }),
		},
		"FlagOverEnvironment": {
			args: []string{"--watches-file=/mine.yaml"}, env: map[string]string{"WATCHES_FILE": "/etc/watches.yaml"},
			want: defaults(func(s *operator.Settings) { s.WatchesFile = "/mine.yaml" }),
		},
		"NoWebhooks":    {env: map[string]string{"ENABLE_WEBHOOKS": "false"}, want: defaults(func(s *operator.Settings) { s.Webhooks = false })},
		"Secrets":       {args: []string{"--helm-driver=secret"}, want: defaults(func(s *operator.Settings) { s.SecretRecords = true })},
		"UnknownDriver": {args: []string{"--helm-driver=sql"}, err: `--helm-driver is "sql"; it is configmap or secret`},
		"NoHistory":     {args: []string{"--max-history=0"}, err: "--max-history must be at least 1"},
		"NegativeDrain": {args: []string{"--webhook-drain=-1s"}, err: "--webhook-drain is -1s; it must be less than 10s, and not negative"},
		"LongDrain":     {args: []string{"--webhook-drain=10s"}, err: "--webhook-drain is 10s; it must be less than 10s, and not negative"},
		"Argument":      {args: []string{"serve"}, err: `unexpected argument "serve"; every setting is a flag`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, _, err := parseSettings(c.args, func(key string) string { return c.env[key] })
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("%s error %v, want %q", c.reason, err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}
