// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Stand-ins that note which cluster they would have talked to. The cluster has cert-manager and no operator;
// a book is ready at once, and the forwarded port is open for as long as the demo looks at it.
const (
	fakeKubectl = `echo "kubectl $KUBECONFIG" >>"$CALLS"
[ "$1" != port-forward ] || exec sleep 6
cat >/dev/null
case "$*" in
  "config current-context") echo "${CONTEXT?}" ;;
  "get namespace markdown-view-system") exit 1 ;;
  "get namespace markdown-view-system "*) echo true ;;
  *'"Ready")].status}') echo True ;;
esac`
	fakeMake = `echo "make $KUBECONFIG" >>"$CALLS"
for word; do case $word in install|deploy|undeploy|docker-build) echo "make $word" >>"$CALLS" ;; esac; done`
	fakeGo = `case "$*" in "env GOVERSION") echo go1.99.0 ;; "run ./cmd/kubectl-mdv"*) echo "kind: MarkdownView" ;; esac`
)

// demoStage is a machine with a user of that id, kubectl and a cluster.
func demoStage(t *testing.T, uid string) *stage {
	t.Helper()
	s := newStage(t, map[string]string{
		"kubectl": fakeKubectl, "make": fakeMake, "go": fakeGo, "id": "echo " + uid, "uname": "echo Linux",
	})
	s.env["CONTEXT"] = "prod"
	s.env["IMG"], s.env["SERVER_IMG"] = "registry.example.com/controller:v1", "registry.example.com/server:v1"
	return s
}

// calls are the distinct lines that the stand-ins wrote.
func (s *stage) calls() []string {
	s.Helper()
	text, err := os.ReadFile(s.env["CALLS"])
	if err != nil && !os.IsNotExist(err) {
		s.Fatal(err)
	}
	lines := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		lines[strings.TrimSpace(line)] = true
	}
	return slices.Sorted(maps.Keys(lines))
}

// TestDemoOfTheCurrentContext: without root, or with KUBECONFIG, kubectl and every other program of the demo
// talk to the cluster that kubectl alone would, and to no other.
func TestDemoOfTheCurrentContext(t *testing.T) {
	for name, test := range map[string]struct {
		uid, kubeconfig, verb string
		made                  []string
	}{
		"up, the usual kubeconfig":       {uid: "1000", verb: "up", made: []string{"deploy", "install"}},
		"up, KUBECONFIG":                 {uid: "1000", kubeconfig: "/etc/kind", verb: "up", made: []string{"deploy", "install"}},
		"up, KUBECONFIG of two files":    {uid: "1000", kubeconfig: "/etc/kind:/etc/prod", verb: "up", made: []string{"deploy", "install"}},
		"up, root with KUBECONFIG":       {uid: "0", kubeconfig: "/etc/kind", verb: "up", made: []string{"deploy", "install"}},
		"down, the usual kubeconfig":     {uid: "1000", verb: "down", made: []string{"undeploy"}},
		"down, KUBECONFIG":               {uid: "1000", kubeconfig: "/etc/kind", verb: "down", made: []string{"undeploy"}},
		"down, root with KUBECONFIG set": {uid: "0", kubeconfig: "/etc/kind", verb: "down", made: []string{"undeploy"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := demoStage(t, test.uid)
			wanted := s.home + "/.kube/config"
			if test.kubeconfig != "" {
				s.env["KUBECONFIG"], wanted = test.kubeconfig, test.kubeconfig
			}
			status, stdout, stderr := s.run("demo.sh", test.verb)
			if status != 0 {
				t.Fatalf("exit status %d: %s", status, stderr)
			}
			want := []string{"kubectl " + wanted, "make " + wanted}
			for _, target := range test.made {
				want = append(want, "make "+target)
			}
			slices.Sort(want)
			if diff := cmp.Diff(want, s.calls()); diff != "" {
				t.Errorf("calls (-want +got):\n%s\n%s", diff, stderr)
			}
			if test.verb == "up" && stdout != "Book: http://127.0.0.1:8000/\n" {
				t.Errorf("it prints %q", stdout)
			}
		})
	}
}

// TestDemoStops: it says what is missing, and has done nothing by then.
func TestDemoStops(t *testing.T) {
	for name, test := range map[string]struct {
		uid     string
		prepare func(*stage)
		say     string
	}{
		"no kubectl": {
			uid: "1000", prepare: func(s *stage) { s.remove("kubectl") },
			say: "make demo: kubectl is missing. Install it, or run this as root on Linux, where a cluster is brought up as well.",
		},
		"no context": {uid: "1000", prepare: func(s *stage) { delete(s.env, "CONTEXT") }, say: "make demo: there is no cluster to use. Either"},
		"images that no registry has": {
			uid: "1000", prepare: func(s *stage) { delete(s.env, "IMG"); delete(s.env, "SERVER_IMG") },
			say: "make demo: the cluster prod pulls its images from a registry. Push them there and name them:",
		},
		"no Go":          {uid: "1000", prepare: func(s *stage) { s.remove("go") }, say: "hack/setup.sh: Go is missing: install "},
		"no Go, as root": {uid: "0", prepare: func(s *stage) { s.remove("go") }, say: "hack/setup.sh: Go is missing: install "},
		"root where there is no Debian": {
			uid: "0", prepare: func(*stage) {}, say: "hack/setup.sh: nft is missing (Debian has it in the package nftables)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := demoStage(t, test.uid)
			test.prepare(s)
			status, stdout, stderr := s.run("demo.sh", "up")
			if status != 1 || stdout != "" || !strings.Contains(stderr, test.say) {
				t.Errorf("exit status %d, prints %q and %q, want 1, nothing and %q", status, stdout, stderr, test.say)
			}
			for _, call := range s.calls() {
				if strings.HasPrefix(call, "make") {
					t.Errorf("it did something: %s", call)
				}
			}
		})
	}
}
