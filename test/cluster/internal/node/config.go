// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package node

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"text/template"

	"github.com/bobuhiro11/markdown-view/test/cluster/internal/layout"
	"github.com/bobuhiro11/markdown-view/test/cluster/internal/pki"
)

// The node's own small world. Every cluster has the same addresses: each lives in a network
// namespace of its own.
const (
	nodeIP      = "10.240.0.10"
	apiIP       = "10.32.0.1"
	serviceCIDR = "10.32.0.0/24"
	podCIDR     = "10.200.0.0/16"
	apiURL      = "https://" + nodeIP + ":6443"
)

//go:embed config
var configFiles embed.FS

// configPaths maps the embedded files to where they go under the cluster's Config folder.
var configPaths = map[string]string{
	"containerd.toml": "containerd.toml",
	"hosts.toml":      "registries/_default/hosts.toml",
	"cni.conflist":    "cni/10-pods.conflist",
	"kubelet.yaml":    "kubelet.yaml",
	"kube-proxy.yaml": "kube-proxy.yaml",
	"resolv.conf":     "resolv.conf",
	"coredns.yaml":    "coredns.yaml",
}

// Prepare writes certificates, kubeconfigs and configuration files of a new cluster whose API
// server will answer on apiPort of this machine's loopback.
func Prepare(cluster layout.Cluster, apiPort int) error {
	if err := writeCertificates(cluster); err != nil {
		return err
	}
	for source, target := range configPaths {
		if err := writeConfig(cluster, source, target); err != nil {
			return err
		}
	}
	return pki.WriteKubeconfig(cluster.PKI(), "admin", cluster.Name, fmt.Sprintf("https://127.0.0.1:%d", apiPort), cluster.Kubeconfig())
}

func writeCertificates(cluster layout.Cluster) error {
	authority, err := pki.NewAuthority(cluster.PKI(), "markdown-view-cluster-"+cluster.Name)
	if err != nil {
		return err
	}
	apiNames := []string{"kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local", "localhost"}
	leaves := []pki.Leaf{
		{Name: "apiserver", CommonName: "kube-apiserver", DNSNames: apiNames, IPs: []string{apiIP, nodeIP, "127.0.0.1"}},
		{Name: "admin", CommonName: "admin", Organization: "system:masters"},
		{Name: "controller-manager", CommonName: "system:kube-controller-manager"},
		{Name: "scheduler", CommonName: "system:kube-scheduler"},
		{Name: "node", CommonName: "system:node:" + cluster.Name, Organization: "system:nodes", DNSNames: []string{cluster.Name}, IPs: []string{nodeIP}},
		{Name: "proxy", CommonName: "system:kube-proxy"},
		{Name: "aggregator", CommonName: "aggregator"},
	}
	for _, leaf := range leaves {
		if err := authority.Issue(leaf); err != nil {
			return err
		}
	}
	if err := pki.WriteSigningKey(cluster.PKI(), "service-account"); err != nil {
		return err
	}
	for _, client := range []string{"admin", "controller-manager", "scheduler", "node", "proxy"} {
		path := filepath.Join(cluster.Config(), client+".kubeconfig")
		if err := pki.WriteKubeconfig(cluster.PKI(), client, cluster.Name, apiURL, path); err != nil {
			return err
		}
	}
	return nil
}

func writeConfig(cluster layout.Cluster, source, target string) error {
	parsed, err := template.ParseFS(configFiles, "config/"+source)
	if err != nil {
		return fmt.Errorf("parse the template %s: %w", source, err)
	}
	var text bytes.Buffer
	if err := parsed.Execute(&text, cluster); err != nil {
		return fmt.Errorf("fill in the template %s: %w", source, err)
	}
	path := filepath.Join(cluster.Config(), target)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, text.Bytes(), 0o600)
}
