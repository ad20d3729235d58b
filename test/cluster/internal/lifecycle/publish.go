// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package lifecycle

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/bobuhiro11/markdown-view/test/cluster/internal/layout"
	"github.com/bobuhiro11/markdown-view/test/cluster/internal/node"
)

// Publish makes the first port of a Service ("namespace/name") reachable on this machine's loopback
// until the cluster ends, and returns the URL. It takes the wished port where that is free, and any
// other where it is not; 0 wishes for none.
func Publish(ctx context.Context, cluster layout.Cluster, service string, wished int) (string, error) {
	record, err := running(cluster)
	if err != nil {
		return "", err
	}
	namespace, name, ok := strings.Cut(service, "/")
	if !ok {
		return "", fmt.Errorf("service %q: write namespace/name", service)
	}
	get := exec.CommandContext(ctx, filepath.Join(cluster.Bin(), "kubectl"), "--kubeconfig", cluster.Kubeconfig(),
		"get", "service", "--namespace", namespace, name, "--output", "jsonpath={.spec.clusterIP}:{.spec.ports[0].port}")
	target, err := get.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("find the Service %s: %w: %s", service, err, target)
	}
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: wished})
	if err != nil && wished != 0 {
		listener, err = listen()
	}
	if err != nil {
		return "", fmt.Errorf("publish %s: %w", service, err)
	}
	defer listener.Close()
	if err := node.Publish(record.PID, listener, string(target)); err != nil {
		return "", err
	}
	return fmt.Sprintf("http://127.0.0.1:%d/", port(listener)), nil
}
