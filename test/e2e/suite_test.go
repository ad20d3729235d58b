// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/config"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

const (
	operatorNamespace = "markdown-view-system"
	managerDeployment = "markdown-view-controller-manager"
	// patience bounds a wait for pods, on a machine that does much else; poll is the pause between two looks.
	patience = 3 * time.Minute
	poll     = 200 * time.Millisecond
)

// The cluster under test, set once by TestMain.
var (
	restConfig *rest.Config
	kube       client.Client
	httpClient *http.Client // speaks to the API server, with the administrator's rights
)

func TestMain(m *testing.M) {
	if err := connect(); err != nil {
		fmt.Fprintf(os.Stderr, "e2e: %v\nRun the suite by `make e2e`, which brings up a cluster with the operator.\n", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func connect() (err error) {
	if restConfig, err = config.GetConfig(); err != nil {
		return fmt.Errorf("no cluster: %w", err)
	}
	restConfig.QPS, restConfig.Burst = 100, 200
	scheme := runtime.NewScheme()
	if err = clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	if err = viewv1.AddToScheme(scheme); err != nil {
		return err
	}
	if kube, err = client.New(restConfig, client.Options{Scheme: scheme}); err != nil {
		return err
	}
	if httpClient, err = rest.HTTPClientFor(restConfig); err != nil {
		return err
	}
	// A test reads what is served now, and follows redirects itself where they matter.
	manager := &appsv1.Deployment{}
	if err = kube.Get(context.Background(), types.NamespacedName{Namespace: operatorNamespace, Name: managerDeployment}, manager); err != nil {
		return fmt.Errorf("the operator is not installed: %w", err)
	}
	return nil
}

// newNamespace makes a namespace for one test that enforces the restricted Pod Security level, and
// removes it afterwards, unless the test failed and KEEP is set.
func newNamespace(t *testing.T) string {
	t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		GenerateName: "e2e-",
		Labels:       map[string]string{"pod-security.kubernetes.io/enforce": "restricted"},
	}}
	if err := kube.Create(t.Context(), namespace); err != nil {
		t.Fatalf("make a namespace: %v", err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			dump(t, namespace.Name)
			if os.Getenv("KEEP") != "" {
				return
			}
		}
		if err := kube.Delete(context.Background(), namespace); client.IgnoreNotFound(err) != nil {
			t.Errorf("remove the namespace: %v", err)
		}
	})
	return namespace.Name
}

// dump logs what a person would look at first when a test failed.
func dump(t *testing.T, namespace string) {
	t.Helper()
	for _, args := range [][]string{
		{"get", "mdv,deployments,replicasets,pods,configmaps,services", "--namespace", namespace, "--output", "wide"},
		{"get", "mdv", "--namespace", namespace, "--output", "jsonpath={range .items[*]}{.metadata.name}{\": \"}{.status}{\"\\n\"}{end}"},
		{"get", "events", "--namespace", namespace, "--sort-by", ".lastTimestamp"},
	} {
		text, _ := kubectlCommand(context.Background(), args...).CombinedOutput()
		t.Logf("kubectl %s\n%s", strings.Join(args, " "), text)
	}
	log, _ := kubectlCommand(context.Background(), "logs", "--namespace", operatorNamespace, "deployment/"+managerDeployment, "--since", "2m").CombinedOutput()
	for line := range strings.Lines(string(log)) {
		if strings.Contains(line, namespace) {
			t.Logf("operator: %.600s", line)
		}
	}
}

// kubectlCommand uses the kubectl that `make e2e` built, or the one on the PATH.
func kubectlCommand(ctx context.Context, args ...string) *exec.Cmd {
	program := "../../bin/kubectl"
	if _, err := os.Stat(program); err != nil {
		program = "kubectl"
	}
	return exec.CommandContext(ctx, program, args...)
}

// kubectl runs a command that must succeed, and returns what it prints.
func kubectl(t *testing.T, args ...string) string {
	t.Helper()
	return run(t, kubectlCommand(t.Context(), args...))
}

func run(t *testing.T, command *exec.Cmd) string {
	t.Helper()
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(command.Args, " "), err, out, stderr.Bytes())
	}
	return string(out)
}

// eventually asks until ask returns no error; the last one is the test's.
func eventually(t *testing.T, what string, ask func() error) {
	t.Helper()
	var err error
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(poll) {
		if err = ask(); err == nil {
			return
		}
	}
	t.Fatalf("%s, not within %s: %v", what, patience, err)
}
