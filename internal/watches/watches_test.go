// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package watches

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	markdownview "github.com/bobuhiro11/markdown-view"
)

var kind = schema.GroupVersionKind{Group: "view.bobuhiro11.net", Version: "v1", Kind: "MarkdownView"}

// head is what every entry begins with.
const head = "- {group: view.bobuhiro11.net, version: v1, kind: MarkdownView, chart: helm-charts/markdownview"

// environment is what getenv knows in every case.
func environment(name string) string {
	return map[string]string{"IMAGE": "mdbook:v1", "MEMORY": "64Mi", "COUNT": "3"}[name]
}

func TestParse(t *testing.T) {
	minimal := Watch{
		GroupVersionKind: kind, Chart: "helm-charts/markdownview",
		MaxConcurrentReconciles: 10, OverrideValues: map[string]any{},
	}
	with := func(change func(*Watch)) []Watch {
		w := minimal
		change(&w)
		return []Watch{w}
	}
	cases := map[string]struct {
		reason string
		yaml   string
		want   []Watch
	}{
		"Minimal": {
			reason: "Group, version, kind and chart are enough; ten workers, children watched, no timer.",
			yaml:   head + "}",
			want:   []Watch{minimal},
		},
		"WholeFormatOfSDKUsers": {
			reason: "Every field of the SDK's hybrid format is read.",
			yaml: `
- group: view.bobuhiro11.net
  version: v1
  kind: MarkdownView
  chart: helm-charts/markdownview
  watchDependentResources: false
  overrideValues:
    viewer.image: $IMAGE
  reconcilePeriod: 90s
  maxConcurrentReconciles: 2
  selector:
    matchLabels: {shard: a}
    matchExpressions: [{key: tier, operator: NotIn, values: [test]}]
`,
			want: with(func(w *Watch) {
				w.WatchDependentResources = new(bool)
				w.OverrideValues = map[string]any{"viewer": map[string]any{"image": "mdbook:v1"}}
				w.ReconcilePeriod = metav1.Duration{Duration: 90 * time.Second}
				w.MaxConcurrentReconciles = 2
				w.Selector = &metav1.LabelSelector{
					MatchLabels: map[string]string{"shard": "a"},
					MatchExpressions: []metav1.LabelSelectorRequirement{
						{Key: "tier", Operator: metav1.LabelSelectorOpNotIn, Values: []string{"test"}},
					},
				}
			}),
		},
		"TwoKinds": {
			reason: "Entries stay in the order of the file.",
			yaml:   head + "}\n- {version: v1, kind: Other, chart: c}",
			want: append(with(func(*Watch) {}), Watch{
				GroupVersionKind: schema.GroupVersionKind{Version: "v1", Kind: "Other"}, Chart: "c",
				MaxConcurrentReconciles: 10, OverrideValues: map[string]any{},
			}),
		},
		"EnvironmentBothForms": {
			reason: "$NAME and ${NAME}, alone or inside other text.",
			yaml:   head + `, overrideValues: {viewer.image: "${IMAGE}-slim", viewer.resources.limits.memory: $MEMORY}}`,
			want: with(func(w *Watch) {
				w.OverrideValues = map[string]any{"viewer": map[string]any{
					"image":     "mdbook:v1-slim",
					"resources": map[string]any{"limits": map[string]any{"memory": "64Mi"}},
				}}
			}),
		},
		"TextIsReadAsBySet": {
			reason: "As after `helm install --set`, a number or boolean that comes as text gets its type.",
			yaml:   head + `, overrideValues: {replicas: $COUNT, a.b: "true", c: "null"}}`,
			want: with(func(w *Watch) {
				w.OverrideValues = map[string]any{"replicas": int64(3), "a": map[string]any{"b": true}, "c": nil}
			}),
		},
		"CommaIsEscapedAsForSet": {
			reason: "A comma would begin the next assignment, as after --set.",
			yaml:   head + `, overrideValues: {podAnnotations.motto: 'veni\, vidi'}}`,
			want: with(func(w *Watch) {
				w.OverrideValues = map[string]any{"podAnnotations": map[string]any{"motto": "veni, vidi"}}
			}),
		},
		"TreesUnderDottedKeys": {
			reason: "A dotted key is a path for maps and lists too, and environment variables count at any depth.",
			yaml:   head + `, overrideValues: {viewer: {pullPolicy: Never}, viewer.resources: {limits: {memory: $MEMORY}}, tolerations: [{key: $IMAGE}]}}`,
			want: with(func(w *Watch) {
				w.OverrideValues = map[string]any{
					"viewer": map[string]any{
						"pullPolicy": "Never", "resources": map[string]any{"limits": map[string]any{"memory": "64Mi"}},
					},
					"tolerations": []any{map[string]any{"key": "mdbook:v1"}},
				}
			}),
		},
		"DotsInsideTreesStay": {
			reason: "Only the key of an override is a path; an annotation's name below it keeps its dots.",
			yaml:   head + `, overrideValues: {podAnnotations: {"prometheus.io/scrape": "true"}}}`,
			want: with(func(w *Watch) {
				w.OverrideValues = map[string]any{"podAnnotations": map[string]any{"prometheus.io/scrape": "true"}}
			}),
		},
		"WholeNumbersStayWhole": {
			reason: "A template would print the parser's float64 of a million as 1e+06.",
			yaml:   head + `, overrideValues: {progressDeadlineSeconds: 1000000, site: {share: 0.5, parts: [2]}}}`,
			want: with(func(w *Watch) {
				w.OverrideValues = map[string]any{
					"progressDeadlineSeconds": int64(1000000),
					"site":                    map[string]any{"share": 0.5, "parts": []any{int64(2)}},
				}
			}),
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := Parse([]byte(c.yaml), environment)
			if err != nil {
				t.Fatalf("%s: %v", c.reason, err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", c.reason, diff)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	cases := map[string]struct {
		reason string
		yaml   string
		want   string
	}{
		"NoEntry":       {"An operator without a kind would idle for ever.", "", "no entry"},
		"NotAList":      {"The SDK's file is a list.", "group: g", "watches.yaml: "},
		"UnknownField":  {"A misspelt field must not be ignored.", head + ", overridevalue: {a: b}}", `unknown field "overridevalue"`},
		"FieldTwice":    {"Of two values one would be dropped without a word.", head + ", chart: other}", "already set"},
		"NoKind":        {"A kind is what is watched.", "- {group: g, version: v1, chart: c}", "entry 1 (): version and kind must be set"},
		"NoVersion":     {"Of which version, too.", "- {group: g, kind: K, chart: c}", "entry 1 (K): version and kind must be set"},
		"NoChart":       {"A kind without a chart can serve nothing.", "- {group: g, version: v1, kind: K}", "chart must be set"},
		"KindTwice":     {"Two charts for one kind would fight.", head + "}\n" + head + "}", "entry 2: view.bobuhiro11.net/v1, Kind=MarkdownView is named twice"},
		"Workers":       {"Less than one worker does nothing.", head + ", maxConcurrentReconciles: -1}", "maxConcurrentReconciles is -1; it must be at least 1"},
		"Period":        {"Time does not run backwards.", head + ", reconcilePeriod: -1s}", "reconcilePeriod is -1s; it must not be negative"},
		"PeriodUnit":    {"A number without a unit is ambiguous.", head + ", reconcilePeriod: 5}", "watches.yaml: "},
		"Selector":      {"A selector that does not parse selects nothing.", head + ", selector: {matchExpressions: [{key: a, operator: Like}]}}", "selector: "},
		"UnsetVariable": {"An empty image is found out much later.", head + ", overrideValues: {viewer.image: $NOWHERE}}", "overrideValues: viewer.image: environment variable NOWHERE is not set"},
		"UnsetInATree":  {"At any depth; the message leads there.", head + ", overrideValues: {viewer: {image: $NOWHERE}}}", "viewer: image: environment variable NOWHERE is not set"},
		"UnsetInAList":  {"In lists too.", head + ", overrideValues: {tolerations: [a, {key: $NOWHERE}]}}", "tolerations: [1]: key: environment variable NOWHERE is not set"},
		"KeyIntoText":   {"A path through a value that is no tree.", head + ", overrideValues: {a: {b: c}, a.b.c: d}}", "overrideValues: a.b.c: "},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := Parse([]byte(c.yaml), environment)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "watches.yaml: ") {
				t.Errorf("%s\ngot %v, error %v; want an error of watches.yaml with %q", c.reason, got, err, c.want)
			}
		})
	}
}

// TestOwnFile: what the operator carries with it parses, and asks for no timer.
func TestOwnFile(t *testing.T) {
	data, err := markdownview.Files.ReadFile("watches.yaml")
	if err != nil {
		t.Fatal(err)
	}
	list, err := Parse(data, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	type facts struct {
		Kind       schema.GroupVersionKind
		Chart      string
		Dependents bool
		Period     time.Duration
	}
	var got []facts
	for _, w := range list {
		got = append(got, facts{w.GroupVersionKind, w.Chart, w.DependentResources(), w.Period()})
	}
	if diff := cmp.Diff([]facts{{kind, "helm-charts/markdownview", true, 0}}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// FuzzParse: an administrator's file may be wrong in any way; it is an error then, never a panic.
func FuzzParse(f *testing.F) {
	f.Add(head + `, overrideValues: {"a.b[0]": "{x,y}", "c\\.d": "1"}}`)
	f.Add(head + `, overrideValues: {"a[99999999999]": "1"}}`)
	f.Add("- [1, 2]")
	f.Add("- {version: v1, kind: K, chart: c, overrideValues: {\"\": \"\"}}")
	f.Fuzz(func(t *testing.T, yaml string) {
		list, err := Parse([]byte(yaml), environment)
		if err == nil && len(list) == 0 {
			t.Error("neither an entry nor an error")
		}
	})
}
