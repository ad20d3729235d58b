// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package lifecycle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/bobuhiro11/markdown-view/test/cluster/internal/layout"
)

const cgroupRoot = "/sys/fs/cgroup"

// hierarchies returns the root of each cgroup hierarchy: one with cgroup v2, one a controller with v1.
func hierarchies() ([]string, error) {
	if _, err := os.Stat(filepath.Join(cgroupRoot, "cgroup.controllers")); err == nil {
		return []string{cgroupRoot}, nil
	}
	entries, err := os.ReadDir(cgroupRoot)
	if err != nil {
		return nil, fmt.Errorf("find the cgroup hierarchies: %w", err)
	}
	var roots []string
	for _, entry := range entries {
		if entry.IsDir() { // a link such as cpu -> cpu,cpuacct is no hierarchy of its own
			roots = append(roots, filepath.Join(cgroupRoot, entry.Name()))
		}
	}
	return roots, nil
}

// makeCgroup makes the group that the kubelet puts every pod into; it asks for it in each hierarchy.
func makeCgroup(cluster layout.Cluster) error {
	roots, err := hierarchies()
	if err != nil {
		return err
	}
	for _, root := range roots {
		enableControllers(root)
		if err := os.Mkdir(filepath.Join(root, cluster.CgroupName()), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("make the cluster's cgroup: %w", err)
		}
	}
	return nil
}

// enableControllers passes a cgroup v2 root's controllers on to its children. Each is tried alone,
// for a kernel may lack one; the kubelet says which it misses.
func enableControllers(root string) {
	available, err := os.ReadFile(filepath.Join(root, "cgroup.controllers"))
	if err != nil {
		return // cgroup v1
	}
	for controller := range strings.FieldsSeq(string(available)) {
		_ = os.WriteFile(filepath.Join(root, "cgroup.subtree_control"), []byte("+"+controller), 0o644)
	}
}

// removeCgroup removes the cluster's group and all below it. Its processes have been ended; the
// kernel takes a moment to let go of the last of them.
func removeCgroup(cluster layout.Cluster) error {
	roots, err := hierarchies()
	if err != nil {
		return err
	}
	for _, root := range roots {
		top := filepath.Join(root, cluster.CgroupName())
		for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
			if err = removeTree(top); err == nil {
				break
			}
			if time.Now().After(deadline) {
				return fmt.Errorf("remove the cgroup: %w", err)
			}
		}
	}
	return nil
}

// removeTree removes a cgroup's folders, children first: the files in them are the kernel's.
func removeTree(top string) error {
	var dirs []string
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && entry.IsDir() {
			dirs = append(dirs, path)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, dir := range slices.Backward(dirs) {
		if err := syscall.Rmdir(dir); err != nil && err != syscall.ENOENT {
			return &fs.PathError{Op: "rmdir", Path: dir, Err: err}
		}
	}
	return nil
}
