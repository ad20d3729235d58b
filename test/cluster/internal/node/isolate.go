// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package node

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/bobuhiro11/markdown-view/test/cluster/internal/layout"
)

// Namespaces are the clone flags of the node's first process.
const Namespaces = syscall.CLONE_NEWPID | syscall.CLONE_NEWNS | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS

// Hidden are the machine's folders in whose place the node has its own. The cluster's state and
// programs must lie elsewhere.
var Hidden = []string{"/run", "/var/run", "/var/lib", "/var/log"}

// kernelSettings are what the kubelet wants of the whole machine. The node shows it files that hold
// these values, so that it finds them right and leaves the machine's own alone.
var kernelSettings = map[string]string{
	"vm/overcommit_memory":      "1",
	"vm/panic_on_oom":           "0",
	"kernel/panic":              "10",
	"kernel/panic_on_oops":      "1",
	"kernel/keys/root_maxkeys":  "1000000",
	"kernel/keys/root_maxbytes": "25000000",
}

// isolate gives the node its own /proc, /run, /var/lib and /var/log, host name and loopback.
func isolate(cluster layout.Cluster, run func(argv ...string) error) error {
	if err := syscall.Sethostname([]byte(cluster.Name)); err != nil {
		return fmt.Errorf("set the node's host name: %w", err)
	}
	mounts := []struct {
		source, target, kind string
		flags                uintptr
	}{
		// Private first, or the machine would see what follows; shared then, as the kubelet's mounts must reach pods.
		{"none", "/", "", syscall.MS_REC | syscall.MS_PRIVATE},
		{"none", "/", "", syscall.MS_REC | syscall.MS_SHARED},
		{"proc", "/proc", "proc", syscall.MS_NOSUID | syscall.MS_NODEV | syscall.MS_NOEXEC},
		{"tmpfs", "/run", "tmpfs", syscall.MS_NOSUID | syscall.MS_NODEV},
		{filepath.Join(cluster.Dir, "lib"), "/var/lib", "", syscall.MS_BIND},
		{filepath.Join(cluster.Dir, "varlog"), "/var/log", "", syscall.MS_BIND},
	}
	for _, m := range mounts {
		if err := syscall.Mount(m.source, m.target, m.kind, m.flags, ""); err != nil {
			return fmt.Errorf("mount %s on %s: %w", m.source, m.target, err)
		}
	}
	for _, dir := range []string{"/run/tmp", "/run/home"} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	if err := shieldKernelSettings(); err != nil {
		return err
	}
	return network(run)
}

func shieldKernelSettings() error {
	for name, value := range kernelSettings {
		shield := "/run/kernel-settings/" + strings.ReplaceAll(name, "/", ".")
		if err := os.MkdirAll(filepath.Dir(shield), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(shield, []byte(value+"\n"), 0o600); err != nil {
			return err
		}
		if err := syscall.Mount(shield, "/proc/sys/"+name, "", syscall.MS_BIND, ""); err != nil {
			return fmt.Errorf("shield the machine's setting %s: %w", name, err)
		}
	}
	return nil
}

// network brings the loopback up and holds the node's address on it: an address there answers as
// well as one on a card, and no kernel module is asked for.
func network(run func(argv ...string) error) error {
	if err := run("ip", "link", "set", "lo", "up"); err != nil {
		return err
	}
	if err := run("ip", "address", "add", nodeIP+"/32", "dev", "lo"); err != nil {
		return err
	}
	// The node's own calls to Services (a webhook's, say) need a route, or they end before kube-proxy's rules turn them.
	if err := run("ip", "route", "add", serviceCIDR, "dev", "lo", "src", nodeIP); err != nil {
		return err
	}
	// Pods reach each other and Services by the node's routes.
	return os.WriteFile("/proc/sys/net/ipv4/ip_forward", []byte("1"), 0o600)
}
