// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package report keeps results, and makes the table and the plot of them.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/bobuhiro11/markdown-view/test/bench/internal/scenario"
)

// Results of one command.
type Results struct {
	// Started is RFC 3339.
	Started string
	Mode    string
	// Note is a line about the circumstances.
	Note     string
	Machine  Machine
	Versions Versions
	Runs     []scenario.Result
}

// Machine is where it ran.
type Machine struct {
	CPU    string
	Cores  int
	Memory string
	Kernel string
	Go     string
}

// Versions of what was measured.
type Versions struct{ Commit, Kubernetes, Etcd, Peer, Helm, Kwok string }

// ThisMachine describes the machine.
func ThisMachine() Machine {
	m := Machine{Cores: runtime.NumCPU(), Go: runtime.Version(), CPU: field("/proc/cpuinfo", "model name"), Memory: field("/proc/meminfo", "MemTotal")}
	var name syscall.Utsname
	if syscall.Uname(&name) == nil {
		var release []byte
		for _, c := range name.Release {
			if c == 0 {
				break
			}
			release = append(release, byte(c))
		}
		m.Kernel = string(release)
	}
	return m
}

func field(path, name string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(data)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

// VersionsOf reads the versions that the checkout at root pins.
func VersionsOf(root string) Versions {
	commit, err := exec.Command("git", "-C", root, "describe", "--always", "--dirty", "--abbrev=12").Output()
	if err != nil {
		commit = []byte("unknown")
	}
	tools := filepath.Join(root, "hack/tools")
	return Versions{
		Commit:     strings.TrimSpace(string(commit)),
		Kubernetes: pinned(filepath.Join(tools, "kubernetes/go.mod"), "k8s.io/kubernetes"),
		Etcd:       pinned(filepath.Join(tools, "etcd/go.mod"), "go.etcd.io/etcd/server/v3"),
		Kwok:       pinned(filepath.Join(tools, "kwok/go.mod"), "sigs.k8s.io/kwok"),
		Peer:       pinned(filepath.Join(root, "test/bench/go.mod"), "github.com/operator-framework/helm-operator-plugins"),
		Helm:       pinned(filepath.Join(root, "go.mod"), "helm.sh/helm/v3"),
	}
}

func pinned(gomod, module string) string {
	data, err := os.ReadFile(gomod)
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(strings.TrimPrefix(line, "require "))
		if len(fields) >= 2 && fields[0] == module && strings.HasPrefix(fields[1], "v") {
			return fields[1]
		}
	}
	return "unknown"
}

// Save writes results as JSON.
func Save(path string, results Results) error {
	data, err := json.MarshalIndent(results, "", "  ")
	if err != nil {
		return fmt.Errorf("results: %w", err)
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

// Load reads what Save wrote.
func Load(path string) (Results, error) {
	var results Results
	data, err := os.ReadFile(path)
	if err != nil {
		return results, err
	}
	if err := json.Unmarshal(data, &results); err != nil {
		return results, fmt.Errorf("%s: %w", path, err)
	}
	return results, nil
}

// Write writes table.md and objects.svg into a folder, and the table to out too.
func Write(dir string, results Results, out io.Writer) error {
	table := Table(results)
	if err := os.WriteFile(filepath.Join(dir, "table.md"), []byte(table), 0o644); err != nil {
		return err
	}
	if err := Plot(filepath.Join(dir, "objects.svg"), results); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\n%s\nResults, table and plot are in %s\n", table, dir)
	return err
}
