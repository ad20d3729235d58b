// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package pki_test

import (
	"crypto/tls"
	"crypto/x509"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/bobuhiro11/markdown-view/test/cluster/internal/pki"
)

// A leaf is trusted by its own cluster's authority for its names, and by no other's.
func TestIssue(t *testing.T) {
	dir := t.TempDir()
	authority, err := pki.NewAuthority(dir, "one")
	if err != nil {
		t.Fatal(err)
	}
	leaf := pki.Leaf{Name: "node", CommonName: "system:node:n", Organization: "system:nodes", DNSNames: []string{"n"}, IPs: []string{"10.240.0.10"}}
	if err := authority.Issue(leaf); err != nil {
		t.Fatal(err)
	}
	pair, err := tls.LoadX509KeyPair(filepath.Join(dir, "node.crt"), filepath.Join(dir, "node.key"))
	if err != nil {
		t.Fatal(err)
	}
	if pair.Leaf.Subject.CommonName != "system:node:n" || pair.Leaf.Subject.Organization[0] != "system:nodes" {
		t.Errorf("subject %v", pair.Leaf.Subject)
	}
	for _, name := range []string{"n", "10.240.0.10"} {
		if _, err := pair.Leaf.Verify(x509.VerifyOptions{DNSName: name, Roots: roots(t, dir)}); err != nil {
			t.Errorf("for %s: %v", name, err)
		}
	}
	other := t.TempDir()
	if _, err := pki.NewAuthority(other, "one"); err != nil {
		t.Fatal(err)
	}
	if _, err := pair.Leaf.Verify(x509.VerifyOptions{DNSName: "n", Roots: roots(t, other)}); err == nil {
		t.Error("another cluster's authority vouches for the leaf")
	}
	leaf.IPs = []string{"10.240.0"}
	if err := authority.Issue(leaf); err == nil {
		t.Error("10.240.0 is taken for an address")
	}
}

// A kubeconfig can be copied elsewhere: it holds the certificates.
func TestKubeconfig(t *testing.T) {
	dir := t.TempDir()
	authority, err := pki.NewAuthority(dir, "one")
	if err != nil {
		t.Fatal(err)
	}
	if err := authority.Issue(pki.Leaf{Name: "admin", CommonName: "admin", Organization: "system:masters"}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := pki.WriteKubeconfig(dir, "admin", "one", "https://127.0.0.1:6443", path); err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		t.Fatal(err)
	}
	if config.Host != "https://127.0.0.1:6443" || len(config.CAData) == 0 || len(config.CertData) == 0 || len(config.KeyData) == 0 {
		t.Errorf("the client's configuration is %+v", config)
	}
}

func roots(t *testing.T, dir string) *x509.CertPool {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "ca.crt"))
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(raw) {
		t.Fatal("ca.crt holds no certificate")
	}
	return pool
}
