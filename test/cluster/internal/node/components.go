// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package node

import (
	"path/filepath"

	"github.com/bobuhiro11/markdown-view/test/cluster/internal/layout"
)

// component is one long-running program of the node.
type component struct {
	name string // of its log file
	argv []string
}

// controlPlane returns what starts at once: none of these needs the API server.
func controlPlane(cluster layout.Cluster) []component {
	bin := func(name string) string { return filepath.Join(cluster.Bin(), name) }
	return []component{
		{"etcd", []string{
			bin("etcd"), "--data-dir", filepath.Join(cluster.Dir, "lib/etcd"),
			// The data is gone with the cluster: a disk's latency would be paid for nothing.
			"--unsafe-no-fsync",
		}},
		{"kube-apiserver", apiServer(cluster)},
		{"containerd", []string{bin("containerd"), "--config", filepath.Join(cluster.Config(), "containerd.toml")}},
		{"registry", []string{bin("crane"), "registry", "serve", "--address", "127.0.0.1:5000", "--disk", filepath.Join(cluster.Dir, "lib/registry")}},
	}
}

func apiServer(cluster layout.Cluster) []string {
	pki := func(name string) string { return filepath.Join(cluster.PKI(), name) }
	return []string{
		filepath.Join(cluster.Bin(), "kube-apiserver"),
		"--etcd-servers=http://127.0.0.1:2379",
		"--secure-port=6443",
		"--advertise-address=" + nodeIP,
		"--allow-privileged",
		"--authorization-mode=Node,RBAC",
		"--enable-admission-plugins=NodeRestriction",
		"--client-ca-file=" + pki("ca.crt"),
		"--tls-cert-file=" + pki("apiserver.crt"),
		"--tls-private-key-file=" + pki("apiserver.key"),
		"--service-cluster-ip-range=" + serviceCIDR,
		"--service-account-issuer=https://kubernetes.default.svc.cluster.local",
		"--service-account-key-file=" + pki("service-account.pub"),
		"--service-account-signing-key-file=" + pki("service-account.key"),
		"--kubelet-certificate-authority=" + pki("ca.crt"),
		"--kubelet-client-certificate=" + pki("admin.crt"),
		"--kubelet-client-key=" + pki("admin.key"),
		"--kubelet-preferred-address-types=InternalIP",
		"--requestheader-client-ca-file=" + pki("ca.crt"),
		"--requestheader-allowed-names=aggregator",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--requestheader-group-headers=X-Remote-Group",
		"--requestheader-username-headers=X-Remote-User",
		"--proxy-client-cert-file=" + pki("aggregator.crt"),
		"--proxy-client-key-file=" + pki("aggregator.key"),
	}
}

// nodeComponents returns what needs an API server that answers.
func nodeComponents(cluster layout.Cluster) []component {
	bin := func(name string) string { return filepath.Join(cluster.Bin(), name) }
	pki := func(name string) string { return filepath.Join(cluster.PKI(), name) }
	config := func(name string) string { return filepath.Join(cluster.Config(), name) }
	return []component{
		{"kube-controller-manager", []string{
			bin("kube-controller-manager"),
			"--kubeconfig=" + config("controller-manager.kubeconfig"),
			"--use-service-account-credentials",
			"--service-account-private-key-file=" + pki("service-account.key"),
			"--root-ca-file=" + pki("ca.crt"),
			"--cluster-signing-cert-file=" + pki("ca.crt"),
			"--cluster-signing-key-file=" + pki("ca.key"),
			"--allocate-node-cidrs",
			"--cluster-cidr=" + podCIDR,
			"--service-cluster-ip-range=" + serviceCIDR,
			"--leader-elect=false",
		}},
		{"kube-scheduler", []string{bin("kube-scheduler"), "--kubeconfig=" + config("scheduler.kubeconfig"), "--leader-elect=false"}},
		{"kubelet", []string{
			bin("kubelet"),
			"--kubeconfig=" + config("node.kubeconfig"),
			"--config=" + config("kubelet.yaml"),
			"--hostname-override=" + cluster.Name,
			"--node-ip=" + nodeIP,
		}},
		{"kube-proxy", []string{bin("kube-proxy"), "--config=" + config("kube-proxy.yaml")}},
		{"certissuer", []string{bin("certissuer"), "--kubeconfig=" + config("admin.kubeconfig")}},
	}
}
