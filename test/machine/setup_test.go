// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func (s *stage) remove(program string) {
	s.Helper()
	if err := os.Remove(filepath.Join(s.bin, program)); err != nil {
		s.Fatal(err)
	}
}

// debian is a machine with all packages but those in $MISSING, and with what is in $CANDIDATES to be had.
var debian = map[string]string{
	"dpkg-query": `case " $MISSING " in *" ${!#} "*) exit 1 ;; esac; printf installed`,
	"apt-cache":  `for pair in $CANDIDATES; do [ "${pair%=*}" != "$2" ] || printf '%s:\n  Candidate: %s\n' "$2" "${pair#*=}"; done`,
	"go":         fakeGo,
	"cargo":      "echo cargo 1.95.0",
	"chromium":   "",
	"id":         "echo 1000",
}

// TestSetupCheck: what a machine lacks, in words that say what to do.
func TestSetupCheck(t *testing.T) {
	const rust = "hack/setup.sh: cargo is missing: mdBook is built by Rust 1.88 or newer, which no package of this system brings: https://rustup.rs"
	const noChromium = "hack/setup.sh: there is no Chromium (Ubuntu has none but a snap): install Google Chrome, " +
		"https://www.google.com/chrome/, or set CHROMIUM to the path of a Chromium"
	install := func(packages string) []string {
		return []string{
			"hack/setup.sh: missing Debian packages: " + packages,
			"Install them by: sudo apt-get install --no-install-recommends " + packages,
		}
	}
	all := []string{"build", "cluster", "olm", "browser", "mdbook"}
	for name, test := range map[string]struct {
		groups []string
		change map[string]string // programs; "-" removes one
		env    map[string]string
		status int
		say    []string
	}{
		"all is there":              {groups: all},
		"packages":                  {groups: all, env: map[string]string{"MISSING": "nftables jq"}, status: 1, say: install("jq nftables")},
		"a package of two groups":   {groups: all, env: map[string]string{"MISSING": "gcc"}, status: 1, say: install("gcc")},
		"a package of no group":     {groups: []string{"build"}, env: map[string]string{"MISSING": "nftables"}},
		"no Chromium":               {groups: []string{"browser"}, change: map[string]string{"chromium": "-"}, env: map[string]string{"MISSING": "chromium"}, status: 1, say: install("chromium")},
		"a Chromium of no package":  {groups: []string{"browser"}, env: map[string]string{"MISSING": "chromium"}},
		"Chrome":                    {groups: []string{"browser"}, change: map[string]string{"chromium": "-", "google-chrome": ""}, env: map[string]string{"MISSING": "chromium"}},
		"CHROMIUM":                  {groups: []string{"browser"}, change: map[string]string{"chromium": "-"}, env: map[string]string{"MISSING": "chromium", "CHROMIUM": "/bin/sh"}},
		"CHROMIUM of nothing":       {groups: []string{"browser"}, env: map[string]string{"CHROMIUM": "/nowhere"}, status: 3, say: []string{"hack/setup.sh: CHROMIUM is /nowhere, which is no program"}},
		"Ubuntu without Chromium":   {groups: []string{"browser"}, change: map[string]string{"chromium": "-"}, env: map[string]string{"MISSING": "chromium", "ID": "ubuntu"}, status: 3, say: []string{noChromium}},
		"Ubuntu with Chromium":      {groups: []string{"browser"}, env: map[string]string{"MISSING": "chromium", "ID": "ubuntu"}},
		"no Rust":                   {groups: all, change: map[string]string{"cargo": "-"}, env: map[string]string{"CANDIDATES": "cargo=1.63.0-1"}, status: 3, say: []string{rust}},
		"no Rust, and no need":      {groups: []string{"build", "cluster"}, change: map[string]string{"cargo": "-"}},
		"Debian's Rust":             {groups: []string{"mdbook"}, change: map[string]string{"cargo": "-"}, env: map[string]string{"MISSING": "cargo", "CANDIDATES": "cargo=1.91.0+dfsg-1"}, status: 1, say: install("cargo")},
		"Debian's Rust for Firefox": {groups: []string{"mdbook"}, change: map[string]string{"cargo": "-"}, env: map[string]string{"MISSING": "cargo cargo-web", "CANDIDATES": "cargo=0.66.0+ds1-1 cargo-web=1.96.0+dfsg1-1"}, status: 1, say: install("cargo-web")},
		"an old Rust": {
			groups: []string{"mdbook"}, change: map[string]string{"cargo": "echo cargo 1.63.0"}, status: 3,
			say: []string{"hack/setup.sh: cargo here is 1.63.0, and mdBook is built by Rust 1.88 or newer: https://rustup.rs"},
		},
		"a Rust that does not run": {
			groups: []string{"mdbook"}, change: map[string]string{"cargo": "exit 1"}, status: 3,
			say: []string{"hack/setup.sh: cargo here is of no version, and mdBook is built by Rust 1.88 or newer: https://rustup.rs"},
		},
		"another system": {
			groups: []string{"olm", "browser", "mdbook"}, change: map[string]string{"dpkg-query": "-", "apt-cache": "-", "chromium": "-", "cargo": "-"}, status: 3,
			say: []string{rust, "hack/setup.sh: jq is missing (Debian has it in the package jq)", noChromium},
		},
		"another system that has all": {
			groups: []string{"olm", "browser", "mdbook"}, change: map[string]string{"dpkg-query": "-", "apt-cache": "-", "jq": ""},
		},
		"no such group": {groups: []string{"kitchen"}, status: 2, say: []string{"hack/setup.sh: no group 'kitchen'; there are go, build, cluster, olm, browser and mdbook"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, debian)
			for program, text := range test.change {
				if text == "-" {
					s.remove(program)
				} else {
					s.write(filepath.Join(s.bin, program), "#!"+filepath.Join(s.bin, "bash")+"\n"+text+"\n")
				}
			}
			maps.Copy(s.env, test.env)
			if id := s.env["ID"]; id != "" {
				s.write(s.env["OS_RELEASE"], "NAME=x\nID="+id+"\n")
			}
			status, _, stderr := s.run("setup.sh", append([]string{"--check"}, test.groups...)...)
			if status != test.status {
				t.Errorf("exit status %d, want %d", status, test.status)
			}
			if diff := cmp.Diff(strings.Join(test.say, "\n"), strings.TrimSpace(stderr)); diff != "" {
				t.Errorf("it says (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSetupJudgesGo by the version that go.mod names.
func TestSetupJudgesGo(t *testing.T) {
	pin := goLine(t, "../../go.mod")
	for version, status := range map[string]int{
		"go" + pin: 0, "go1.99": 0, "go1.99rc1": 0, "go" + pin + " X:loopvar": 0, "devel go1.99-abcdef": 0,
		"go1.19.8": 3, "go1.26": 3, "go1.26.0": 3, "go1.9": 3, "": 3,
	} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, debian)
			s.write(filepath.Join(s.bin, "go"), "#!"+filepath.Join(s.bin, "bash")+"\necho '"+version+"'\n")
			got, _, stderr := s.run("setup.sh", "--check", "go")
			if got != status {
				t.Errorf("exit status %d, want %d: %s", got, status, stderr)
			}
			if want := "and go.mod asks for " + pin + " or newer: https://go.dev/doc/install"; status != 0 && !strings.Contains(stderr, want) {
				t.Errorf("it says %q, want %q in it", stderr, want)
			}
		})
	}
}

// TestE2EAsksForItsCluster: only a cluster of its own takes what a node does.
func TestE2EAsksForItsCluster(t *testing.T) {
	for name, test := range map[string]struct{ kubeconfig, packages string }{
		"its own":      {packages: "buildah chromium nftables"},
		"another's":    {kubeconfig: "/etc/kind", packages: "chromium"},
		"two contexts": {kubeconfig: "/etc/kind:/etc/prod", packages: "chromium"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, debian)
			s.remove("chromium")
			s.env["MISSING"], s.env["KUBECONFIG"] = "buildah chromium nftables", test.kubeconfig
			status, _, stderr := s.run("e2e.sh")
			want := "hack/setup.sh: missing Debian packages: " + test.packages + "\n"
			if status != 1 || !strings.HasPrefix(stderr, want) {
				t.Errorf("exit status %d, says %q, want 1 and %q", status, stderr, want)
			}
		})
	}
}
