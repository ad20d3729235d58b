// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package node

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/bobuhiro11/markdown-view/test/cluster/internal/layout"
)

// The files that `up` hands to the node's first process, by number.
const (
	holdFD     = 3 // a byte when the node may start; its end before Ready means that `up` has gone
	progressFD = 4 // lines for the person who waits
	apiFD      = 5 // a listener on the machine's loopback
	registryFD = 6 // likewise
)

// Ready is the last line of progress.
const Ready = "ready"

// bootTimeout bounds each wait of the start: well over what a slow machine takes.
const bootTimeout = 3 * time.Minute

// Main is the node's first process. It returns only when the node can't be started.
func Main(cluster layout.Cluster) error {
	for fd := holdFD; fd <= registryFD; fd++ {
		syscall.CloseOnExec(fd) // no component is to keep a pipe or a port open
	}
	hold, progress := os.NewFile(holdFD, "hold"), os.NewFile(progressFD, "progress")
	if _, err := hold.Read(make([]byte, 1)); err != nil {
		return errors.New("the command that started this node has gone")
	}
	// Programs are looked up by this process's own PATH.
	if err := os.Setenv("PATH", cluster.Bin()+":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"); err != nil {
		return err
	}
	env := []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=/run/home", "TMPDIR=/run/tmp", "KUBECONFIG=" + filepath.Join(cluster.Config(), "admin.kubeconfig"),
	}
	s := newSupervisor(cluster.Logs(), env)
	booted := make(chan error, 1)
	go func() {
		booted <- boot(cluster, s, func(line string) { fmt.Fprintln(progress, line) })
	}()
	abandoned := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, bufio.NewReader(hold))
		close(abandoned)
	}()
	select {
	case err := <-booted:
		if err != nil {
			return err
		}
	case err := <-s.failed:
		return err
	case <-abandoned:
		return errors.New("the command that started this node was interrupted")
	}
	s.settle()
	fmt.Fprintln(progress, Ready)
	progress.Close()
	select {} // until it is killed, and every process of its namespace with it
}

// boot brings the node up, in the order in which one part needs another.
func boot(cluster layout.Cluster, s *supervisor, progress func(string)) error {
	if err := isolate(cluster, s.run); err != nil {
		return err
	}
	if err := serveHost(); err != nil {
		return err
	}
	progress("starting etcd, the API server, containerd and the registry")
	if err := startAll(s, controlPlane(cluster)); err != nil {
		return err
	}
	var both errgroup.Group
	both.Go(func() error { return importImages(cluster, s) })
	both.Go(func() error { return waitAPI(cluster) })
	if err := both.Wait(); err != nil {
		return err
	}
	progress("starting the controllers, the scheduler, the kubelet and kube-proxy")
	if err := startAll(s, nodeComponents(cluster)); err != nil {
		return err
	}
	if err := s.run("kubectl", "apply", "--server-side", "-f", filepath.Join(cluster.Config(), "coredns.yaml")); err != nil {
		return err
	}
	progress("waiting for the first pod (CoreDNS)")
	return s.run("kubectl", "rollout", "status", "--namespace=kube-system", "deployment/coredns", "--timeout="+bootTimeout.String())
}

func startAll(s *supervisor, components []component) error {
	for _, c := range components {
		if err := s.start(c); err != nil {
			return err
		}
	}
	return nil
}

// serveHost opens the ways in from the machine: the API server, the registry, and what is published later.
func serveHost() error {
	for fd, target := range map[uintptr]string{apiFD: nodeIP + ":6443", registryFD: "127.0.0.1:5000"} {
		file := os.NewFile(fd, target)
		listener, err := net.FileListener(file)
		if err != nil {
			return fmt.Errorf("take over the listener for %s: %w", target, err)
		}
		file.Close()
		go forward(listener, target)
	}
	return serveControl()
}

func importImages(cluster layout.Cluster, s *supervisor) error {
	err := poll("containerd", func() error {
		conn, err := net.Dial("unix", "/run/containerd/containerd.sock")
		if err != nil {
			return err
		}
		return conn.Close()
	})
	if err != nil {
		return err
	}
	archives, err := filepath.Glob(filepath.Join(cluster.Images(), "*.tar"))
	if err != nil {
		return err
	}
	for _, archive := range archives {
		if err := s.run("ctr", "--namespace=k8s.io", "images", "import", "--local", archive); err != nil {
			return err
		}
	}
	return nil
}

func waitAPI(cluster layout.Cluster) error {
	pair, err := tls.LoadX509KeyPair(filepath.Join(cluster.PKI(), "admin.crt"), filepath.Join(cluster.PKI(), "admin.key"))
	if err != nil {
		return err
	}
	authority, err := os.ReadFile(filepath.Join(cluster.PKI(), "ca.crt"))
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: roots}}}
	return poll("the API server", func() error {
		response, err := client.Get(apiURL + "/readyz")
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("/readyz answers %s", response.Status)
		}
		return nil
	})
}

// poll calls ask until it succeeds; what names the one waited for in the error.
func poll(what string, ask func() error) error {
	deadline := time.Now().Add(bootTimeout)
	for {
		err := ask()
		if err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s is not ready after %s: %w", what, bootTimeout, err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}
