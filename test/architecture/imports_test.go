// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package architecture

import (
	"encoding/json"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/bobuhiro11/markdown-view/"

// pkg is what `go list` says of a package.
type pkg struct {
	ImportPath string   `json:"ImportPath"`
	Dir        string   `json:"Dir"`
	GoFiles    []string `json:"GoFiles"`
	Imports    []string `json:"Imports"`
}

// comment is the whole package comment, in one line.
func (p pkg) comment(t *testing.T) string {
	t.Helper()
	var text []string
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, strings.Fields(file.Doc.Text())...)
	}
	return strings.Join(text, " ")
}

// packages lists the project's packages below internal, cmd and api, by path from the module's root.
func packages(t *testing.T) map[string]pkg {
	t.Helper()
	command := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports", module+"internal/...", module+"cmd/...", module+"api/...")
	output, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	found := map[string]pkg{}
	for decoder := json.NewDecoder(strings.NewReader(string(output))); ; {
		var p pkg
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return found
		} else if err != nil {
			t.Fatal(err)
		}
		found[strings.TrimPrefix(p.ImportPath, module)] = p
	}
}

// flow is the direction of the data. A package may import those before it, and none after it; plan
// reads render's digests, live reads what exists for plan.
var flow = []string{
	"api/v1", "internal/book", "internal/watches", "internal/values", "internal/render", "internal/plan",
	"internal/live", "internal/release", "internal/health", "internal/status", "internal/controller", "internal/operator", "cmd",
}

func TestDataFlowsOneWay(t *testing.T) {
	all := packages(t)
	for place, name := range flow {
		p, ok := all[name]
		if !ok {
			t.Errorf("%s is in the flow and does not exist", name)
			continue
		}
		for _, imported := range p.Imports {
			at := slices.Index(flow, strings.TrimPrefix(imported, module))
			if at > place {
				t.Errorf("%s imports %s: data flows the other way", name, flow[at])
			}
		}
	}
}

// TestDecisionsDoNothing: these packages get everything as arguments, and ask nobody.
func TestDecisionsDoNothing(t *testing.T) {
	const (
		client = "k8s.io/client-go"
		runner = "sigs.k8s.io/controller-runtime"
		clock  = "k8s.io/utils/clock"
	)
	all := packages(t)
	// internal/watches expands variables by os.Expand, which asks only its argument.
	expands := map[string]string{"watches": "os"}
	for _, name := range []string{"book", "watches", "values", "render", "plan", "health", "status"} {
		for _, imported := range all["internal/"+name].Imports {
			if imported == expands[name] {
				continue
			}
			for _, forbidden := range []string{"context", "os", "net/http", "log", client, runner, clock, module + "internal/live", module + "internal/release"} {
				if imported == forbidden || strings.HasPrefix(imported, forbidden+"/") {
					t.Errorf("internal/%s imports %s: it decides, and does nothing", name, imported)
				}
			}
		}
	}
}

// TestHelmStaysInside: a move to Helm v4 must touch two packages. Two more parse plain maps by Helm's
// rules, and let no type of Helm's out.
func TestHelmStaysInside(t *testing.T) {
	plain := map[string][]string{
		"internal/values":  {"helm.sh/helm/v3/pkg/chartutil"},
		"internal/watches": {"helm.sh/helm/v3/pkg/strvals"},
	}
	for name, p := range packages(t) {
		if name == "internal/release" || name == "internal/render" {
			continue
		}
		for _, imported := range p.Imports {
			if strings.HasPrefix(imported, "helm.sh/") && !slices.Contains(plain[name], imported) {
				t.Errorf("%s imports %s: Helm stays inside internal/release and internal/render", name, imported)
			}
		}
	}
}

// TestEveryPackageSaysWhatItOwns: a newcomer must learn from the first lines what a package is for, and
// what does not belong into it.
func TestEveryPackageSaysWhatItOwns(t *testing.T) {
	for name, p := range packages(t) {
		comment := p.comment(t)
		if len(comment) < 20 {
			t.Errorf("%s has no package comment that says what it owns", name)
		}
		if strings.HasPrefix(name, "internal/") && !strings.Contains(comment, "must not") {
			t.Errorf("%s: its package comment does not say what it must not do: %s", name, comment)
		}
	}
}
