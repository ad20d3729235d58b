// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"sigs.k8s.io/yaml"

	rbacv1 "k8s.io/api/rbac/v1"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/book"
)

const root = ".."

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// sources reads docs/ as the demo publishes it: text as markdowns, the rest as assets.
func sources(t *testing.T) (markdowns map[string]string, assets map[string][]byte) {
	t.Helper()
	markdowns, assets = map[string]string{viewv1.SettingsPath: read(t, "book.toml")}, map[string][]byte{}
	files := os.DirFS("src")
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		if utf8.Valid(content) {
			markdowns[name] = string(content)
		} else {
			assets[name] = content
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return markdowns, assets
}

// The operator publishes this book in its own demo, so it keeps to the operator's own rules.
func TestTheOperatorTakesThisBook(t *testing.T) {
	markdowns, assets := sources(t)
	errors, warnings := book.Inspect(markdowns, assets)
	if diff := cmp.Diff([]book.Finding(nil), append(errors, warnings...), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if size := book.StoredBytes(markdowns, assets); size > book.MaxStoredBytes*9/10 {
		t.Errorf("the book takes %d bytes, more than nine tenths of what fits", size)
	}
}

// constants returns the values of the string constants of api/v1/names.go with the prefix.
func constants(t *testing.T, prefix string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "api", "v1", "names.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || !strings.HasPrefix(spec.Names[0].Name, prefix) {
			return true
		}
		if literal, ok := spec.Values[0].(*ast.BasicLit); ok {
			value, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, value)
		}
		return true
	})
	slices.Sort(values)
	return values
}

func TestEveryReasonHasARunbook(t *testing.T) {
	var pages []string
	files, err := filepath.Glob("src/runbooks/*.md")
	if err != nil {
		t.Fatal(err)
	}
	index := read(t, "src/runbooks/README.md")
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".md")
		if name == "README" {
			continue
		}
		pages = append(pages, name)
		text := read(t, file)
		for _, heading := range []string{"# " + name + "\n", "\n## What it means\n", "\n## What to do\n"} {
			if !strings.Contains(text, heading) {
				t.Errorf("%s lacks the heading %q", file, strings.TrimSpace(heading))
			}
		}
		if !strings.Contains(index, "]("+name+".md)") {
			t.Errorf("runbooks/README.md has no row for %s", name)
		}
	}
	if diff := cmp.Diff(constants(t, "Reason"), pages); diff != "" {
		t.Errorf("reasons of api/v1/names.go against pages of runbooks/ (-reasons +pages):\n%s", diff)
	}
}

// permission is one verb on one resource.
type permission struct{ resource, verb string }

func TestEveryVerbIsExplained(t *testing.T) {
	var role rbacv1.ClusterRole
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(root, "config", "rbac", "role.yaml"))), &role); err != nil {
		t.Fatal(err)
	}
	granted := map[permission]bool{}
	for _, rule := range role.Rules {
		for _, resource := range rule.Resources {
			for _, verb := range rule.Verbs {
				granted[permission{resource, verb}] = true
			}
		}
	}
	operators, _, _ := strings.Cut(read(t, "src/admin/permissions.md"), "## People's")
	if diff := cmp.Diff(granted, explained(operators)); diff != "" {
		t.Errorf("config/rbac/role.yaml against the table of permissions.md (-granted +explained):\n%s", diff)
	}
}

var code = regexp.MustCompile("`([a-z/]+)`")

// explained reads the rows of the permissions' table: resources in code, verbs, use. A row without
// resources speaks of those above it.
func explained(text string) map[permission]bool {
	found := map[permission]bool{}
	var resources []string
	for line := range strings.Lines(text) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.Contains(line, "---") || strings.Contains(line, "resource |") {
			continue
		}
		if names := code.FindAllStringSubmatch(cells[1], -1); len(names) > 0 {
			resources = nil
			for _, name := range names {
				resources = append(resources, name[1])
			}
		}
		for verb := range strings.SplitSeq(cells[2], ",") {
			for _, resource := range resources {
				found[permission{resource, strings.TrimSpace(verb)}] = strings.TrimSpace(cells[3]) != ""
			}
		}
	}
	return found
}

// flagDefinition finds the definition of a flag in Go code, by any of package flag's functions.
var flagDefinition = regexp.MustCompile(`flags\.[A-Z][A-Za-z0-9]*\((?:&[A-Za-z.]+, )?"([a-z-]+)"`)

func TestEveryFlagIsDocumented(t *testing.T) {
	for file, page := range map[string]string{
		"cmd/server/main.go": "src/reference/site-server.md",
		"cmd/settings.go":    "src/admin/install.md",
	} {
		source, err := os.ReadFile(filepath.Join(root, file))
		if os.IsNotExist(err) {
			t.Errorf("%s is gone; this test reads the flags from it", file)
			continue
		}
		var defined, documented []string
		for _, match := range flagDefinition.FindAllStringSubmatch(string(source), -1) {
			defined = append(defined, match[1])
		}
		for _, match := range regexp.MustCompile("(?m)^\\| `--([a-z-]+)` \\|").FindAllStringSubmatch(read(t, page), -1) {
			documented = append(documented, match[1])
		}
		slices.Sort(defined)
		slices.Sort(documented)
		if diff := cmp.Diff(defined, documented); diff != "" {
			t.Errorf("flags of %s against %s (-defined +documented):\n%s", file, page, diff)
		}
	}
}

func TestEveryDecisionIsListed(t *testing.T) {
	files, err := filepath.Glob("src/adr/0*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no decisions: %v", err)
	}
	index := read(t, "src/adr/README.md")
	for i, file := range files {
		number := strconv.Itoa(i + 1)
		if !strings.Contains(index, "| ["+number+"]("+path.Base(filepath.ToSlash(file))+") |") {
			t.Errorf("adr/README.md has no row %s for %s", number, file)
		}
		text := read(t, file)
		for _, part := range []string{"# " + number + ". ", "\n**Context.**", "\n**Decision.**"} {
			if !strings.Contains(text, part) {
				t.Errorf("%s lacks %q", file, part)
			}
		}
	}
}

var metricName = regexp.MustCompile(`["` + "`" + `](markdownview_[a-z_]+)["` + "`" + `]`)

func TestEveryMetricIsDocumented(t *testing.T) {
	find := func(files ...string) []string {
		var names []string
		for _, file := range files {
			for _, match := range metricName.FindAllStringSubmatch(read(t, file), -1) {
				names = append(names, match[1])
			}
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
	defined := find(filepath.Join(root, "internal", "metrics", "metrics.go"), filepath.Join(root, "internal", "site", "metrics.go"))
	if diff := cmp.Diff(defined, find("src/admin/metrics.md")); diff != "" {
		t.Errorf("metrics in the code against metrics.md (-defined +documented):\n%s", diff)
	}
	// What the dashboard asks for must exist; controller-runtime's own metrics do.
	dashboard := regexp.MustCompile(`markdownview_[a-z_]+`).FindAllString(read(t, filepath.Join(root, "config", "grafana", "markdown-view.json")), -1)
	for _, name := range dashboard {
		if !slices.ContainsFunc(defined, func(d string) bool { return name == d || strings.TrimSuffix(name, "_bucket") == d }) {
			t.Errorf("config/grafana/markdown-view.json asks for %s, which nobody serves", name)
		}
	}
	if len(dashboard) == 0 {
		t.Error("config/grafana/markdown-view.json asks for no metric of ours")
	}
}
