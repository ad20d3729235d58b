// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	podsecurity "k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/yaml"

	markdownview "github.com/bobuhiro11/markdown-view"
	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/values"
)

var update = flag.Bool("update", false, "rewrite the golden manifests under testdata")

const chartDir = "helm-charts/markdownview"

func ownChart(tb testing.TB) *Chart {
	tb.Helper()
	chart, err := LoadChart(markdownview.Files, chartDir)
	if err != nil {
		tb.Fatal(err)
	}
	return chart
}

func capabilities(tb testing.TB, version string) *chartutil.Capabilities {
	tb.Helper()
	c, err := Capabilities(version)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// example is the request for a book of one page, changed by each case.
type example struct {
	view      viewv1.MarkdownView
	overrides map[string]any
}

func newExample(change func(*example)) example {
	e := example{view: viewv1.MarkdownView{
		ObjectMeta: metav1.ObjectMeta{Namespace: "docs", Name: "book", UID: "11111111-2222-3333-4444-555555555555"},
		Spec:       viewv1.MarkdownViewSpec{Markdowns: map[string]string{"SUMMARY.md": "- [Home](home.md)\n", "home.md": "# Home\n"}},
	}}
	if change != nil {
		change(&e)
	}
	return e
}

func (e example) request(tb testing.TB) Request {
	tb.Helper()
	v, _ := values.For(&e.view, values.Images{Viewer: "mdbook.example/mdbook:v1", Server: "server.example/server:v1"}, e.overrides)
	return Request{Chart: ownChart(tb), Values: v, Owner: OwnerOf(&e.view), Capabilities: capabilities(tb, "v1.37.2")}
}

// examples are rendered to testdata/NAME.yaml, which are the chart's documentation as well.
var examples = map[string]func(*example){
	"one-page": nil,
	"folders": func(e *example) {
		e.view.Spec.Markdowns["guide/install.md"] = "# Install\n\n```sh\nmake deploy # {{ not a template }}\n```\n"
	},
	"utf-8": func(e *example) {
		e.view.Spec.Markdowns["日本語/はじめに.md"] = "# はじめに\n\"引用\" & <b>\n"
	},
	"settings": func(e *example) { e.view.Spec.Markdowns["book.toml"] = "[book]\ntitle = \"Handbook\"\n" },
	"assets": func(e *example) {
		e.view.Spec.Assets = map[string]viewv1.Base64{"images/dot.png": "iVBORw0KGgo="}
	},
	"three-replicas": func(e *example) { e.view.Spec.Replicas = new(int32(3)) },
	"own-image": func(e *example) {
		e.view.Spec.ViewerImage = "registry.example/team/mdbook@sha256:" + strings.Repeat("a", 64)
	},
	"overrides": func(e *example) {
		e.overrides = map[string]any{
			"viewer": map[string]any{"pullPolicy": "Always", "resources": map[string]any{"limits": map[string]any{"memory": "1Gi"}}},
			"site":   map[string]any{"sizeLimit": "1Gi"}, "progressDeadlineSeconds": int64(1000000),
			"imagePullSecrets": []any{map[string]any{"name": "registry"}}, "nodeSelector": map[string]any{"disk": "ssd"},
			"tolerations":       []any{map[string]any{"key": "docs", "operator": "Exists"}},
			"priorityClassName": "low", "runtimeClassName": "gvisor", "podAnnotations": map[string]any{"team/owner": "docs"},
			"service": map[string]any{"annotations": map[string]any{"example/lb": "internal"}},
		}
	},
}

func TestObjectsAreGolden(t *testing.T) {
	for name, change := range examples {
		t.Run(name, func(t *testing.T) {
			objects, err := Objects(newExample(change).request(t))
			if err != nil {
				t.Fatal(err)
			}
			got := manifest(t, objects)
			file := filepath.Join("testdata", name+".yaml")
			if *update {
				if err := os.WriteFile(file, got, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("%v; go test ./internal/render -update writes it", err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("if this is meant, run go test ./internal/render -update and read its diff (-want +got):\n%s", diff)
			}
		})
	}
}

func manifest(t *testing.T, objects []*unstructured.Unstructured) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, object := range objects {
		data, err := yaml.Marshal(object.Object)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "---\n%s", data)
	}
	return out.Bytes()
}

// TestTextSurvives: what the author wrote is what the ConfigMap holds, whatever it looks like to YAML,
// JSON or a template.
func TestTextSurvives(t *testing.T) {
	for name, text := range map[string]string{
		"Template":     "{{ .Values.name }} {{- fail \"no\" }} {{#include a.md}}",
		"YAML":         "---\n- a: &b |\n  *c\n# no comment\n...\n%TAG\n",
		"Quotes":       `"double" 'single' \ backslash \u0041 \n`,
		"HTML":         "<script>a && b</script>",
		"Numbers":      "0123",
		"Booleans":     "yes",
		"Empty":        "",
		"OnlyNewlines": "\n\n\n",
		"CRLF":         "a\r\nb\r",
		"Trailing":     "  a  \n\t",
		"Separators":   "a\u2028b\u2029c\u00a0d",
		"Emoji":        "👩‍💻 \U0010ffff",
		"Replacement":  "\ufffd",
		"Controls":     "\x00\x07\x1b[31m\x7f\u0085\ufeff\uffff",
		"Latin1":       "caf\xe9",
		"Long":         strings.Repeat("long line ", 20_000),
	} {
		t.Run(name, func(t *testing.T) { survives(t, text) })
	}
}

func survives(t *testing.T, text string) {
	t.Helper()
	objects, err := Objects(newExample(func(e *example) { e.view.Spec.Markdowns["home.md"] = text }).request(t))
	if err != nil {
		t.Fatal(err)
	}
	var content corev1.ConfigMap
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(objects[1].Object, &content); err != nil {
		t.Fatalf("%v: %s", err, objects[1].GetKind())
	}
	got, isText := content.Data["home.md"]
	if !isText {
		got = string(content.BinaryData["home.md"])
	}
	if got != text {
		t.Errorf("wrote %q, the ConfigMap holds %q", text, got)
	}
}

// FuzzTextSurvives: the same for any text.
func FuzzTextSurvives(f *testing.F) {
	f.Add("{{ }}")
	f.Add("\u2028\x85\xff")
	f.Fuzz(func(t *testing.T, text string) { survives(t, text) })
}

// TestPodsAreRestricted: fault 13. Every example, against the API server's own checks.
func TestPodsAreRestricted(t *testing.T) {
	checks, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	level := podsecurity.LevelVersion{Level: podsecurity.LevelRestricted, Version: podsecurity.LatestVersion()}
	for name, change := range examples {
		deployment := deploymentOf(t, newExample(change).request(t))
		template := deployment.Spec.Template
		if verdict := policy.AggregateCheckResults(checks.EvaluatePod(level, &template.ObjectMeta, &template.Spec)); !verdict.Allowed {
			t.Errorf("%s: Pod Security refuses the viewer pod: %s", name, verdict.ForbiddenDetail())
		}
		for _, container := range append(template.Spec.InitContainers, template.Spec.Containers...) {
			if context := container.SecurityContext; context == nil || context.ReadOnlyRootFilesystem == nil || !*context.ReadOnlyRootFilesystem {
				t.Errorf("%s: container %s may write to its image", name, container.Name)
			}
			if len(container.Resources.Requests) == 0 || len(container.Resources.Limits) == 0 {
				t.Errorf("%s: container %s has no requests or no limits", name, container.Name)
			}
			for _, mount := range container.VolumeMounts {
				if mount.Name == "source" && !mount.ReadOnly {
					t.Errorf("%s: container %s may write to the book's sources", name, container.Name)
				}
			}
		}
	}
}

// TestPodsReachNothing: fault 8. There is no token to include into a page, and no other secret.
func TestPodsReachNothing(t *testing.T) {
	spec := deploymentOf(t, newExample(nil).request(t)).Spec.Template.Spec
	if spec.AutomountServiceAccountToken == nil || *spec.AutomountServiceAccountToken {
		t.Error("the pod mounts a service account token")
	}
	for _, volume := range spec.Volumes {
		if volume.Projected == nil && volume.EmptyDir == nil {
			t.Errorf("volume %s is neither the book's text nor empty", volume.Name)
			continue
		}
		if volume.Projected != nil {
			for _, source := range volume.Projected.Sources {
				if source.ConfigMap == nil {
					t.Errorf("volume %s projects something that is no ConfigMap: %v", volume.Name, source)
				}
			}
		}
	}
}

func deploymentOf(t *testing.T, request Request) appsv1.Deployment {
	t.Helper()
	objects, err := Objects(request)
	if err != nil {
		t.Fatal(err)
	}
	var deployment appsv1.Deployment
	for _, object := range objects {
		if object.GetKind() == "Deployment" {
			if err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(object.Object, &deployment, true); err != nil {
				t.Fatal(err)
			}
		}
	}
	return deployment
}

func TestDigest(t *testing.T) {
	digest := func(request Request) string {
		d, err := Digest(request)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	base := digest(newExample(nil).request(t))
	if again := digest(newExample(nil).request(t)); again != base {
		t.Errorf("the same request has the digests %s and %s", base, again)
	}
	seen := map[string]string{base: "the request itself"}
	for reason, request := range map[string]Request{
		"a byte of text":     newExample(func(e *example) { e.view.Spec.Markdowns["home.md"] = "# Home" }).request(t),
		"replicas":           newExample(func(e *example) { e.view.Spec.Replicas = new(int32(2)) }).request(t),
		"the viewer's image": newExample(func(e *example) { e.view.Spec.ViewerImage = "other" }).request(t),
		"an override":        newExample(func(e *example) { e.overrides = map[string]any{"podAnnotations": map[string]any{"a": "b"}} }).request(t),
		"the name":           newExample(func(e *example) { e.view.Name = "other" }).request(t),
		"the namespace":      newExample(func(e *example) { e.view.Namespace = "other" }).request(t),
		"the UID":            newExample(func(e *example) { e.view.UID = "other" }).request(t),
		"the Kubernetes version": func() Request {
			r := newExample(nil).request(t)
			r.Capabilities = capabilities(t, "v1.38.0")
			return r
		}(),
		"the chart": func() Request {
			r := newExample(nil).request(t)
			r.Chart = loadedFrom(t, chartOf("kind: ConfigMap"))
			return r
		}(),
		"a comment in the chart": func() Request {
			r := newExample(nil).request(t)
			r.Chart = loadedFrom(t, chartOf("kind: ConfigMap # a comment"))
			return r
		}(),
	} {
		d := digest(request)
		if other, taken := seen[d]; taken {
			t.Errorf("%s and %s have the same digest: a change would be missed", reason, other)
		}
		seen[d] = reason
	}
}

// chartOf is a chart of one template.
func chartOf(template string) fstest.MapFS {
	return fstest.MapFS{
		"c/Chart.yaml":            {Data: []byte("apiVersion: v2\nname: c\nversion: 1.0.0\n")},
		"c/templates/object.yaml": {Data: []byte(template)},
	}
}

// chartOver is a chart whose subchart d has one template.
func chartOver(template string) fstest.MapFS {
	files := chartOf("")
	files["c/charts/d/Chart.yaml"] = &fstest.MapFile{Data: []byte("apiVersion: v2\nname: d\nversion: 1.0.0\n")}
	files["c/charts/d/templates/object.yaml"] = &fstest.MapFile{Data: []byte(template)}
	return files
}

func loadedFrom(t *testing.T, files fstest.MapFS) *Chart {
	t.Helper()
	chart, err := LoadChart(files, "c")
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

// TestObjectsRefuses: what a chart, an administrator's own too, may not render.
func TestObjectsRefuses(t *testing.T) {
	cases := map[string]struct{ reason, template, want string }{
		"Secret":         {"The operator has no permission on Secrets.", "apiVersion: v1\nkind: Secret\nmetadata: {name: a}", "Kind=Secret is not a kind that a chart may render"},
		"ClusterRole":    {"Nor on anything outside the namespace.", "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: a}", "Kind=ClusterRole is not a kind"},
		"OtherVersion":   {"A kind is a kind of one version.", "apiVersion: apps/v1beta1\nkind: Deployment\nmetadata: {name: a}", "apps/v1beta1, Kind=Deployment is not a kind"},
		"List":           {"A list would hide its items.", "apiVersion: v1\nkind: List\nitems: []", "Kind=List is not a kind"},
		"OtherNamespace": {"A release stays in its namespace.", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: kube-system}", "a release stays in its own, docs"},
		"NoName":         {"An object must be findable again.", "apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: a}", "ConfigMap without metadata.name"},
		"NoYAML":         {"The file is named.", "a: [", "c/templates/object.yaml"},
		"NoTemplate":     {"So is the template that does not parse.", "{{ if }}", "object.yaml"},
		"Fails":          {"A chart's own words.", `{{ fail "give me a name" }}`, "give me a name"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			request := newExample(nil).request(t)
			request.Chart = loadedFrom(t, chartOf(c.template))
			objects, err := Objects(request)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "chart c: ") {
				t.Errorf("%s\ngot %v, error %v; want an error of chart c with %q", c.reason, objects, err, c.want)
			}
		})
	}
}

func TestLoadChart(t *testing.T) {
	crd := chartOf("")
	crd["c/crds/a.yaml"] = &fstest.MapFile{Data: []byte("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}")}
	const hookTemplate = "kind: ConfigMap\nmetadata: {annotations: {\"helm.sh/hook\": pre-delete}}"
	hook := chartOf(hookTemplate)
	annotated := func(annotation string) fstest.MapFS {
		return chartOf("kind: ConfigMap\nmetadata:\n  annotations:\n    " + annotation + "\n")
	}
	cases := map[string]struct {
		reason string
		files  fstest.MapFS
		hooks  bool
		err    string
	}{
		"Plain":              {"A chart without hooks needs no finalizer.", chartOf("kind: ConfigMap"), false, ""},
		"Hooks":              {"Only Helm's own uninstall runs them, so deletion must wait for it.", hook, true, ""},
		"Below":              {"A subchart's hooks are run as well.", chartOver(hookTemplate), true, ""},
		"HookInSingleQuotes": {"YAML knows two kinds of quotes.", annotated("'helm.sh/hook': pre-delete"), true, ""},
		"HookWithoutQuotes":  {"And none.", annotated("helm.sh/hook: pre-delete"), true, ""},
		"HookBeforeASpace":   {"A colon may stand apart.", annotated("helm.sh/hook : pre-delete"), true, ""},
		"HookBuilt":          {"A template may build the key.", annotated(`{{ dict "helm.sh/hook" "pre-delete" | toYaml }}`), true, ""},
		"HookBuiltRaw":       {"From a raw string too.", annotated("{{ dict `helm.sh/hook` `pre-delete` | toYaml }}"), true, ""},
		"WeightAlone":        {"What only orders hooks makes none.", annotated("'helm.sh/hook-weight': \"1\""), false, ""},
		"PolicyAlone":        {"Nor does what deletes them.", annotated("helm.sh/hook-delete-policy: hook-succeeded"), false, ""},
		"CRDs":               {"Definitions are the bundle's.", crd, false, "custom resource definitions"},
		"NoChart":            {"The folder that watches.yaml names is not there.", fstest.MapFS{"d/x": {}}, false, "chart c: "},
		"Empty":              {"Chart.yaml is missing.", fstest.MapFS{"c/x": {}}, false, "Chart.yaml"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			chart, err := LoadChart(c.files, "c")
			switch {
			case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
				t.Errorf("%s: error %v, want %q", c.reason, err, c.err)
			case c.err == "" && err != nil:
				t.Errorf("%s: %v", c.reason, err)
			case err == nil && chart.HasHooks() != c.hooks:
				t.Errorf("%s: hooks %v", c.reason, chart.HasHooks())
			}
		})
	}
	if ownChart(t).HasHooks() {
		t.Error("the own chart has hooks, so every MarkdownView would need a finalizer")
	}
}

// TestChartIsNotShared: Helm writes into a chart and its values at every action.
func TestChartIsNotShared(t *testing.T) {
	chart := ownChart(t)
	first := chart.Copy()
	first.Metadata.Name = "changed"
	first.Values["replicas"] = 9
	first.Values["viewer"].(map[string]any)["image"] = "changed"
	second := chart.Copy()
	if second.Metadata.Name != "markdownview" || second.Values["replicas"] == 9 || second.Values["viewer"].(map[string]any)["image"] == "changed" {
		t.Error("one action's changes reach the next one's chart")
	}
	over := loadedFrom(t, chartOver(""))
	over.Copy().Dependencies()[0].Metadata.Name = "changed"
	if got := over.Copy().Dependencies()[0].Name(); got != "d" {
		t.Errorf("the subchart of the next action is %q", got)
	}
}

// TestChartLints runs Helm's own linter as `helm lint --strict` does.
func TestChartLints(t *testing.T) {
	result := lint.AllWithKubeVersion(filepath.Join("..", "..", chartDir), newExample(nil).request(t).Values, "docs", &capabilities(t, "v1.37.2").KubeVersion)
	for _, message := range result.Messages {
		if message.Severity >= support.WarningSev {
			t.Error(message)
		}
	}
}

// TestSchemaRefuses: a wrong override is refused when the chart is rendered, by name.
func TestSchemaRefuses(t *testing.T) {
	cases := map[string]struct {
		reason    string
		overrides map[string]any
		want      string
	}{
		"UnknownKey":     {"A misspelt override must not be ignored.", map[string]any{"replica": int64(1)}, "replica"},
		"UnknownSubkey":  {"At any depth.", map[string]any{"viewer": map[string]any{"images": "x"}}, "images"},
		"Replicas":       {"The contract's range.", map[string]any{"replicas": int64(6)}, "replicas"},
		"NoReplicas":     {"Fault 11: zero replicas are refused here, too.", map[string]any{"replicas": int64(0)}, "replicas"},
		"TextReplicas":   {"A number, not text.", map[string]any{"replicas": "3"}, "replicas"},
		"EmptyImage":     {"An empty image runs nothing.", map[string]any{"server": map[string]any{"image": ""}}, "image"},
		"PullPolicy":     {"Kubernetes' three words.", map[string]any{"viewer": map[string]any{"pullPolicy": "Sometimes"}}, "pullPolicy"},
		"Deadline":       {"A rollout needs some time.", map[string]any{"progressDeadlineSeconds": int64(0)}, "progressDeadlineSeconds"},
		"Tolerations":    {"A list, not a tree.", map[string]any{"tolerations": map[string]any{}}, "tolerations"},
		"AnnotationType": {"Annotations are text.", map[string]any{"podAnnotations": map[string]any{"a": int64(1)}}, "podAnnotations"},
		"TreeIsText":     {"A tree cannot be text.", map[string]any{"viewer": "image"}, "viewer"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := Objects(newExample(func(e *example) { e.overrides = c.overrides }).request(t))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, want one that names %s", c.reason, err, c.want)
			}
		})
	}
}

func TestCapabilities(t *testing.T) {
	if _, err := Capabilities("latest"); err == nil || !strings.Contains(err.Error(), `"latest"`) {
		t.Errorf("error %v, want one that quotes the version", err)
	}
}

// tenPages is the book of the benchmarks: 10 KiB in ten pages.
func tenPages(e *example) {
	for i := range 10 {
		e.view.Spec.Markdowns[fmt.Sprintf("%02d.md", i)] = strings.Repeat("Ten pages of one KiB each. ", 38)
	}
}

// BenchmarkDigest is part of every pass, of a settled object too.
func BenchmarkDigest(b *testing.B) {
	request := newExample(tenPages).request(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Digest(request); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkObjects is part of a change.
func BenchmarkObjects(b *testing.B) {
	request := newExample(tenPages).request(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Objects(request); err != nil {
			b.Fatal(err)
		}
	}
}
