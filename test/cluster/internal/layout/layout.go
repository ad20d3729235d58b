// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package layout says where a test cluster keeps its files and which process it is. Both the
// command that a person types and the node itself read it, so it holds no behaviour of either.
package layout

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// nameRule keeps a cluster's name fit for a host name, a cgroup and a node's name at once.
var nameRule = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$`)

// Cluster is one test cluster: its name, and the folder that holds all that it writes.
type Cluster struct {
	Name string
	Dir  string
}

// Record is what `up` writes down of a running node, before the node does anything.
type Record struct {
	PID          int    `json:"pid"`          // the node's first process, as this machine sees it
	StartTime    uint64 `json:"startTime"`    // field 22 of /proc/PID/stat: tells the process from a later one with its number
	APIPort      int    `json:"apiPort"`      // on 127.0.0.1 of this machine
	RegistryPort int    `json:"registryPort"` // on 127.0.0.1 of this machine
}

// Root is the folder that holds every cluster of this user.
func Root() (string, error) {
	if dir := os.Getenv("MARKDOWN_VIEW_CACHE"); dir != "" {
		return filepath.Abs(filepath.Join(dir, "clusters"))
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find a folder for the cluster's state (set MARKDOWN_VIEW_CACHE): %w", err)
	}
	return filepath.Join(cache, "markdown-view", "clusters"), nil
}

// New returns the cluster called name, whether it runs or not.
func New(name string) (Cluster, error) {
	if !nameRule.MatchString(name) {
		return Cluster{}, fmt.Errorf("cluster name %q: use 1 to 40 of a-z, 0-9 and '-', with a letter or digit at both ends", name)
	}
	root, err := Root()
	if err != nil {
		return Cluster{}, err
	}
	return Cluster{Name: name, Dir: filepath.Join(root, name)}, nil
}

// PKI is the folder of certificates and keys.
func (c Cluster) PKI() string { return filepath.Join(c.Dir, "pki") }

// Bin is the folder of links to the programs that the node runs.
func (c Cluster) Bin() string { return filepath.Join(c.Dir, "bin") }

// Config is the folder of the components' configuration files.
func (c Cluster) Config() string { return filepath.Join(c.Dir, "config") }

// Images is the folder of the archives that the node imports when it starts.
func (c Cluster) Images() string { return filepath.Join(c.Dir, "images") }

// Logs is the folder with one log a component.
func (c Cluster) Logs() string { return filepath.Join(c.Dir, "log") }

// Kubeconfig is the administrator's, valid on this machine.
func (c Cluster) Kubeconfig() string { return filepath.Join(c.Dir, "kubeconfig") }

// CgroupName is the group, relative to each hierarchy's root, that holds every pod of the cluster.
func (c Cluster) CgroupName() string { return "markdown-view-cluster-" + c.Name }

func (c Cluster) recordPath() string { return filepath.Join(c.Dir, "node.json") }

// MakeDirs makes the cluster's folders, readable by their owner only: they hold keys.
func (c Cluster) MakeDirs() error {
	for _, dir := range []string{c.PKI(), c.Bin(), c.Config(), c.Images(), c.Logs(), filepath.Join(c.Dir, "lib", "registry"), filepath.Join(c.Dir, "varlog")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	return nil
}

// WriteRecord replaces the record in one step, so that a reader sees all of it or none.
func (c Cluster) WriteRecord(record Record) error {
	raw, err := json.Marshal(record)
	if err != nil {
		return fmt.Errorf("encode the record of cluster %s: %w", c.Name, err)
	}
	if err := os.WriteFile(c.recordPath()+".tmp", raw, 0o600); err != nil {
		return err
	}
	return os.Rename(c.recordPath()+".tmp", c.recordPath())
}

// ReadRecord returns the record, and false where none was written.
func (c Cluster) ReadRecord() (Record, bool, error) {
	raw, err := os.ReadFile(c.recordPath())
	if errors.Is(err, fs.ErrNotExist) {
		return Record{}, false, nil
	}
	if err != nil {
		return Record{}, false, err
	}
	var record Record
	if err := json.Unmarshal(raw, &record); err != nil {
		return Record{}, false, fmt.Errorf("read %s: %w", c.recordPath(), err)
	}
	return record, true, nil
}

// Alive reports whether the very process of the record runs still.
func (r Record) Alive() bool {
	start, err := StartTime(r.PID)
	return err == nil && start == r.StartTime
}

// StartTime returns when pid was started, in clock ticks since boot.
func StartTime(pid int) (uint64, error) {
	raw, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0, err
	}
	// The second field is the program's name in brackets, and may itself hold spaces and brackets.
	_, rest, ok := strings.Cut(string(raw[bytes.LastIndexByte(raw, ')'):]), " ")
	fields := strings.Fields(rest)
	const startTimeField = 22 - 3
	if !ok || len(fields) <= startTimeField {
		return 0, fmt.Errorf("/proc/%d/stat: %d fields after the name, too few", pid, len(fields))
	}
	// A zombie has ended; only its parent has not asked yet.
	if fields[0] == "Z" || fields[0] == "X" {
		return 0, fs.ErrNotExist
	}
	return strconv.ParseUint(fields[startTimeField], 10, 64)
}
