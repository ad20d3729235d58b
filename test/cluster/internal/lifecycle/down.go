// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package lifecycle

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/bobuhiro11/markdown-view/test/cluster/internal/layout"
)

// Down ends the cluster and removes its folder. It does nothing where there is none.
func Down(cluster layout.Cluster) error {
	unlock, err := lock(cluster)
	if err != nil {
		return err
	}
	defer unlock()
	return remove(cluster)
}

// remove ends the node's first process by the id that was written down; the kernel ends the rest
// of its namespaces with it. What lives outside of them, cgroups and files, goes after.
func remove(cluster layout.Cluster) error {
	record, ok, err := cluster.ReadRecord()
	if err != nil {
		return err
	}
	if ok {
		if err := end(record); err != nil {
			return fmt.Errorf("end cluster %s: %w", cluster.Name, err)
		}
	}
	if err := removeCgroup(cluster); err != nil {
		return err
	}
	return os.RemoveAll(cluster.Dir)
}

func end(record layout.Record) error {
	const patience = 30 * time.Second
	for deadline := time.Now().Add(patience); record.Alive(); time.Sleep(20 * time.Millisecond) {
		if err := syscall.Kill(record.PID, syscall.SIGKILL); err != nil && err != syscall.ESRCH {
			return fmt.Errorf("kill process %d: %w", record.PID, err)
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("process %d is still there after %s", record.PID, patience)
		}
	}
	return nil
}

// lock keeps two commands from working on one cluster at once.
func lock(cluster layout.Cluster) (unlock func(), err error) {
	root, err := layout.Root()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(root, 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(cluster.Dir+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		return nil, fmt.Errorf("another command works on cluster %s (it holds %s): %w", cluster.Name, file.Name(), err)
	}
	return func() { file.Close() }, nil
}
