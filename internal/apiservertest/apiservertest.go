// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package apiservertest starts a real etcd and kube-apiserver for the tests of one package, with
// the project's CustomResourceDefinitions (and, where asked for, its webhook configurations)
// installed from config/.
//
// It is imported by tests only, and must not know any of them. The programs come from the folder
// KUBEBUILDER_ASSETS, or from bin/ at the repository's root, where
// `hack/tools/install etcd kube-apiserver kubectl` links them.
package apiservertest

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// Server is a running API server with its etcd.
type Server struct {
	// Config has cluster-admin's rights.
	Config *rest.Config
	// Webhooks tells where a webhook server must listen and with which certificate, if the server
	// was started WithWebhooks.
	Webhooks *envtest.WebhookInstallOptions

	env        *envtest.Environment
	kubeconfig string
	assets     string
	beforeStop []func()
	afterTests []func() error
}

// Option changes how Start sets the server up and Stop ends it.
type Option func(*Server)

// BeforeStop has Stop call a function first, so that a manager under test ends before its server.
func BeforeStop(call func()) Option {
	return func(s *Server) { s.beforeStop = append(s.beforeStop, call) }
}

// WithWebhooks installs config/webhook/manifests.yaml; the caller serves the webhooks at
// Server.Webhooks.
func WithWebhooks() Option {
	return func(s *Server) {
		s.env.WebhookInstallOptions = envtest.WebhookInstallOptions{
			Paths: []string{filepath.Join(Root(), "config", "webhook", "manifests.yaml")},
		}
	}
}

// WithoutCRDs leaves the API server bare.
func WithoutCRDs() Option {
	return func(s *Server) { s.env.CRDDirectoryPaths = nil }
}

// Start brings the server up; it takes a few seconds. The caller calls Stop.
// The error says what to do when the programs are not there.
func Start(options ...Option) (*Server, error) {
	assets, err := assetsFolder()
	if err != nil {
		return nil, err
	}
	env := &envtest.Environment{
		BinaryAssetsDirectory: assets,
		CRDDirectoryPaths:     []string{CRDs()},
		ErrorIfCRDPathMissing: true,
	}
	// The default has room for 254 Services, which a suite of many namespaces runs out of.
	env.ControlPlane.GetAPIServer().Configure().Set("service-cluster-ip-range", "10.0.0.0/16")
	server := &Server{Webhooks: &env.WebhookInstallOptions, env: env, assets: assets}
	for _, option := range options {
		option(server)
	}
	if server.Config, err = env.Start(); err != nil {
		return nil, fmt.Errorf("start etcd and kube-apiserver from %s: %w", assets, errors.Join(err, env.Stop()))
	}
	// Tests measure the operator, not the client's own brake.
	server.Config.QPS, server.Config.Burst = -1, -1
	if err := server.writeKubeconfig(); err != nil {
		return nil, errors.Join(err, server.Stop())
	}
	return server, nil
}

// Main is the whole TestMain of a package that needs one server: it starts it, hands it to use,
// runs the tests and stops it. An error of use fails the package.
// With -short it runs none of them.
func Main(m *testing.M, use func(*Server) error, options ...Option) {
	flag.Parse()
	if testing.Short() {
		fmt.Fprintln(os.Stderr, "skipped with -short: these tests need an API server")
		os.Exit(0)
	}
	server, err := Start(options...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := 1
	if err := use(server); err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = m.Run()
	}
	for _, check := range server.afterTests {
		if err := check(); err != nil {
			fmt.Fprintln(os.Stderr, "FAIL:", err)
			code = 1
		}
	}
	if err := server.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// AfterTests has Main run a check once all tests have ended; its error fails the package.
func (s *Server) AfterTests(check func() error) { s.afterTests = append(s.afterTests, check) }

// Stop ends both programs and removes their data.
func (s *Server) Stop() error {
	for _, call := range s.beforeStop {
		call()
	}
	err := s.env.Stop()
	if s.kubeconfig != "" {
		err = errors.Join(err, os.RemoveAll(filepath.Dir(s.kubeconfig)))
	}
	return err
}

// Kubectl returns a command that runs the real kubectl against the server as cluster-admin, with
// the repository's root as its folder.
func (s *Server) Kubectl(args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.assets, "kubectl"), args...)
	cmd.Dir = Root()
	cmd.Env = append(os.Environ(), "KUBECONFIG="+s.kubeconfig)
	return cmd
}

func (s *Server) writeKubeconfig() error {
	folder, err := os.MkdirTemp("", "apiservertest-")
	if err != nil {
		return fmt.Errorf("make a folder for the kubeconfig: %w", err)
	}
	s.kubeconfig = filepath.Join(folder, "kubeconfig")
	if err := os.WriteFile(s.kubeconfig, s.env.KubeConfig, 0o600); err != nil {
		return fmt.Errorf("write the kubeconfig: %w", err)
	}
	return nil
}

// Root is the repository's root.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..")
}

// CRDs is the folder that holds the generated CustomResourceDefinitions.
func CRDs() string {
	return filepath.Join(Root(), "config", "crd", "bases")
}

func assetsFolder() (string, error) {
	folder := os.Getenv("KUBEBUILDER_ASSETS")
	if folder == "" {
		folder = filepath.Join(Root(), "bin")
	}
	var missing []string
	for _, program := range []string{"etcd", "kube-apiserver", "kubectl"} {
		if _, err := os.Stat(filepath.Join(folder, program)); err != nil {
			missing = append(missing, program)
		}
	}
	if len(missing) > 0 {
		return "", fmt.Errorf("these tests need a real API server, and %s has no %s: run "+
			"`hack/tools/install etcd kube-apiserver kubectl`, or set KUBEBUILDER_ASSETS to a folder that has them",
			folder, strings.Join(missing, ", "))
	}
	return folder, nil
}
