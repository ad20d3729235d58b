// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build e2e && linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// clusterName is one that nobody else uses, another checkout's test neither, so that a cluster that is
// up meanwhile is no matter.
var clusterName = nameOfCheckout()

func nameOfCheckout() string {
	folder, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("leaves-nothing-%08x", crc32.ChecksumIEEE([]byte(folder)))
}

// TestLeavesNothing brings a cluster up, or interrupts that at some moment, takes it down, and
// compares what the machine holds with what it held before.
func TestLeavesNothing(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("a node needs root")
	}
	tests := map[string]struct {
		signal syscall.Signal // sent to `cluster up` after the wait; 0 lets it finish
		after  time.Duration
	}{
		"brought up":                  {},
		"interrupted at once":         {signal: syscall.SIGINT, after: 20 * time.Millisecond},
		"interrupted, components run": {signal: syscall.SIGINT, after: 2 * time.Second},
		"interrupted, a pod starts":   {signal: syscall.SIGTERM, after: 9 * time.Second},
		"killed at once":              {signal: syscall.SIGKILL, after: 20 * time.Millisecond},
		"killed, components run":      {signal: syscall.SIGKILL, after: 4 * time.Second},
		"killed, a pod starts":        {signal: syscall.SIGKILL, after: 9 * time.Second},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			before := machine(t)
			up := exec.Command("../../hack/cluster.sh", "up")
			// The script is one process group, as a terminal's Ctrl-C reaches it.
			up.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			up.Env = append(os.Environ(), "CLUSTER_NAME="+clusterName, "KUBECONFIG=")
			var output bytes.Buffer
			up.Stdout, up.Stderr = &output, &output
			if err := up.Start(); err != nil {
				t.Fatal(err)
			}
			if test.signal != 0 {
				waitForCluster(t)
				time.Sleep(test.after)
				if err := syscall.Kill(-up.Process.Pid, test.signal); err != nil {
					t.Fatal(err)
				}
			}
			if err := up.Wait(); (err == nil) != (test.signal == 0) {
				t.Fatalf("cluster up: %v\n%s", err, output.Bytes())
			}
			if test.signal == 0 && len(more(before, machine(t))) == 0 {
				t.Fatal("a running cluster looks like none: the comparison sees nothing")
			}
			if test.signal == 0 {
				assertRestarts(t, "kube-scheduler")
			}
			if test.signal == syscall.SIGINT || test.signal == syscall.SIGTERM {
				// An interrupt that can be answered leaves nothing, without `down`.
				assertUnchanged(t, before)
			}
			down := exec.Command("../../hack/cluster.sh", "down")
			down.Env = up.Env
			if text, err := down.CombinedOutput(); err != nil {
				t.Fatalf("cluster down: %v\n%s", err, text)
			}
			assertUnchanged(t, before)
		})
	}
}

// waitForCluster returns once the cluster's folder is there: the preparations before it vary.
func waitForCluster(t *testing.T) {
	t.Helper()
	out, err := exec.Command("../../bin/cluster", "kubeconfig", "--name", clusterName).Output()
	if err != nil {
		t.Fatalf("ask for the cluster's folder: %v", err)
	}
	dir := filepath.Dir(strings.TrimSpace(string(out)))
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(dir); err == nil {
			return
		}
	}
	t.Fatalf("%s does not come to be", dir)
}

// assertRestarts kills a component of the running cluster, which must come back.
func assertRestarts(t *testing.T, component string) {
	t.Helper()
	find := func() int {
		for _, process := range processes(t) {
			path, cmdline, _ := strings.Cut(process, " ")
			if strings.Contains(strings.SplitN(cmdline, " ", 2)[0], "/bin/"+component) {
				pid, err := strconv.Atoi(filepath.Base(path))
				if err != nil {
					t.Fatal(err)
				}
				return pid
			}
		}
		return 0
	}
	before := find()
	if before == 0 {
		t.Fatalf("%s does not run", component)
	}
	if err := syscall.Kill(before, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if now := find(); now != 0 && now != before {
			return
		}
	}
	t.Errorf("%s does not come back", component)
}

func assertUnchanged(t *testing.T, before map[string][]string) {
	t.Helper()
	var left map[string][]string
	// The last of an ended process may take a moment to be reaped.
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if left = more(before, machine(t)); len(left) == 0 {
			return
		}
	}
	t.Errorf("the machine has what it had not before: %v", left)
}

// more is what now has and before had not. What others on the machine end meanwhile is no matter.
func more(before, now map[string][]string) map[string][]string {
	left := map[string][]string{}
	for kind, lines := range now {
		for _, line := range lines {
			if !slices.Contains(before[kind], line) {
				left[kind] = append(left[kind], line)
			}
		}
	}
	return left
}

// machine is all that a cluster could leave behind: processes, mounts, links, nftables tables,
// cgroups, kernel settings and files.
func machine(t *testing.T) map[string][]string {
	t.Helper()
	return map[string][]string{
		"processes": processes(t),
		"mounts":    lines(t, read(t, "/proc/self/mounts")),
		"links":     names(t, "/sys/class/net"),
		"tables":    lines(t, command(t, "nft", "list", "tables")),
		"cgroups":   named(t, "/sys/fs/cgroup", clusterName),
		"settings": lines(t, command(t, "sysctl", "vm.overcommit_memory", "vm.panic_on_oom", "kernel.panic", "kernel.panic_on_oops",
			"kernel.keys.root_maxkeys", "kernel.keys.root_maxbytes", "net.ipv4.ip_forward")),
		"run":    names(t, "/run"),
		"varlib": names(t, "/var/lib"),
		"varlog": names(t, "/var/log"),
	}
}

// processes lists what runs for the cluster, in whichever namespace: its name is in the arguments or
// the environment of every component, and in the cgroup of every pod.
func processes(t *testing.T) []string {
	t.Helper()
	var found []string
	paths, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		cmdline, _ := os.ReadFile(filepath.Join(path, "cmdline")) // an error: ended meanwhile
		environ, _ := os.ReadFile(filepath.Join(path, "environ"))
		cgroup, _ := os.ReadFile(filepath.Join(path, "cgroup"))
		if strings.Contains(string(cmdline)+string(environ)+string(cgroup), "clusters/"+clusterName) ||
			strings.Contains(string(cgroup), clusterName) {
			found = append(found, path+" "+strings.ReplaceAll(string(cmdline), "\x00", " "))
		}
	}
	return found
}

func read(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func command(t *testing.T, argv ...string) string {
	t.Helper()
	out, err := exec.Command(argv[0], argv[1:]...).Output()
	if err != nil {
		t.Fatalf("%v: %v", argv, err)
	}
	return string(out)
}

func lines(t *testing.T, text string) []string {
	t.Helper()
	split := strings.Split(strings.TrimSpace(text), "\n")
	slices.Sort(split)
	return split
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, entry := range entries {
		all = append(all, entry.Name())
	}
	return all
}

// named lists the folders below root whose name holds part.
func named(t *testing.T, root, part string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && entry.IsDir() && strings.Contains(entry.Name(), part) {
			found = append(found, path)
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
