// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package cluster brings up a fresh etcd and API server with an audit log, and, where asked for, the
// controllers and the simulated nodes that bring pods to Ready.
package cluster

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/bobuhiro11/markdown-view/test/bench/internal/audit"
	"github.com/bobuhiro11/markdown-view/test/bench/internal/proc"
)

// Options are what a cluster is made of.
type Options struct {
	// Bin is the folder of etcd, kube-apiserver and, with Pods, kube-controller-manager,
	// kube-scheduler and kwok.
	Bin string
	// Dir receives the audit log and the programs' logs. It must exist.
	Dir string
	// CRDs is the folder of the CustomResourceDefinitions to install.
	CRDs string
	// OpenStatus lets a status hold any field.
	OpenStatus bool
	// Pods brings pods up: with the controllers for Deployments, the scheduler and kwok's nodes.
	Pods bool
}

// Cluster is a running control plane.
type Cluster struct {
	// Config is the driver's own access, as cluster-admin.
	Config *rest.Config
	// Audit is the path of the audit log.
	Audit string

	options   Options
	env       *envtest.Environment
	others    []*proc.Process
	serverPID []int
}

// Start brings a cluster up. The caller calls Stop.
func Start(options Options) (*Cluster, error) {
	c := &Cluster{options: options, Audit: filepath.Join(options.Dir, "audit.log")}
	policy := filepath.Join(options.Dir, "audit-policy.yaml")
	if err := os.WriteFile(policy, []byte(audit.Policy), 0o600); err != nil {
		return nil, fmt.Errorf("audit policy: %w", err)
	}
	crds, err := readCRDs(options.CRDs, options.OpenStatus)
	if err != nil {
		return nil, err
	}
	c.env = &envtest.Environment{
		BinaryAssetsDirectory: options.Bin, CRDs: crds,
		ControlPlaneStartTimeout: 2 * time.Minute,
	}
	c.env.ControlPlane.GetAPIServer().Configure().
		Set("audit-policy-file", policy).
		Set("audit-log-path", c.Audit).
		// The log is one file, however long the run.
		Set("audit-log-maxsize", "4096").
		// Room for more Services than envtest's 254.
		Set("service-cluster-ip-range", "10.0.0.0/12")
	before := children()
	config, err := c.env.Start()
	if err != nil {
		return nil, fmt.Errorf("start etcd and kube-apiserver from %s: %w", options.Bin, errors.Join(err, c.env.Stop()))
	}
	c.Config = rest.CopyConfig(config)
	c.Config.QPS = -1
	for _, pid := range children() {
		if !slices.Contains(before, pid) {
			c.serverPID = append(c.serverPID, pid)
		}
	}
	if options.Pods {
		if err := c.startPods(); err != nil {
			return nil, errors.Join(err, c.Stop())
		}
	}
	return c, nil
}

// Stop ends all programs.
func (c *Cluster) Stop() error {
	for _, other := range slices.Backward(c.others) {
		other.Stop()
	}
	return c.env.Stop()
}

// Kubeconfig writes the access of a user of its own, a cluster-admin, and returns the file's path.
// The user's name is what the audit log counts by.
func (c *Cluster) Kubeconfig(user string) (string, error) {
	u, err := c.env.AddUser(envtest.User{Name: user, Groups: []string{"system:masters"}}, nil)
	if err != nil {
		return "", fmt.Errorf("user %s: %w", user, err)
	}
	data, err := u.KubeConfig()
	if err != nil {
		return "", fmt.Errorf("kubeconfig of %s: %w", user, err)
	}
	path := filepath.Join(c.options.Dir, user+".kubeconfig")
	return path, os.WriteFile(path, data, 0o600)
}

// ServerCPU is what etcd and the API server have used together.
func (c *Cluster) ServerCPU() time.Duration {
	var sum time.Duration
	for _, pid := range c.serverPID {
		sum += proc.CPU(pid)
	}
	return sum
}

// children returns the process ids of this process's children.
func children() []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var out []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if parent, _ := proc.Parent(pid); parent == os.Getpid() {
			out = append(out, pid)
		}
	}
	return out
}
