// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build olm

package olm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	operatorsv1 "github.com/operator-framework/api/pkg/operators/v1"
	"github.com/operator-framework/api/pkg/operators/v1alpha1"
	operatorsv2 "github.com/operator-framework/api/pkg/operators/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

const (
	systemNamespace = "markdown-view-system"
	deploymentName  = "markdown-view-controller-manager"
)

// catalogue is the image that `hack/olm-releases.sh` made, as the cluster names it.
var catalogue = os.Getenv("CATALOG")

// admin is a client of the cluster's administrator.
var admin client.Client

func TestMain(m *testing.M) {
	if err := connect(); err != nil {
		fmt.Fprintln(os.Stderr, "test/olm:", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func connect() error {
	if catalogue == "" {
		return errors.New("CATALOG is not set: run `make olm-e2e`, which brings up the cluster, OLM and the catalogue")
	}
	logf.SetLogger(logr.Discard())
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, viewv1.AddToScheme, operatorsv1.AddToScheme, v1alpha1.AddToScheme, operatorsv2.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	config.QPS = -1
	admin, err = client.New(config, client.Options{Scheme: scheme})
	return err
}

// run types a block of the page into a shell, in which the programs of bin/ come first.
func run(t *testing.T, block string, env ...string) {
	t.Helper()
	bin, err := filepath.Abs("../../bin")
	if err != nil {
		t.Fatal(err)
	}
	runWith(t, bin, block, env...)
}

// runWith does so with the programs of another folder.
func runWith(t *testing.T, bin, block string, env ...string) {
	t.Helper()
	start := time.Now()
	text, ok := commands(t)[block]
	if !ok {
		t.Fatalf("%s has no block %q", pageFile, block)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	shell := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", text)
	shell.Env = append(os.Environ(), append([]string{"PATH=" + bin + ":" + os.Getenv("PATH"), "CATALOG=" + catalogue}, env...)...)
	if output, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("the commands %q of %s: %v\n%s\n%s", block, pageFile, err, output, situation(t))
	}
	t.Logf("%4.0f s  %s", time.Since(start).Seconds(), block)
}

// eventually tries check until it has nothing to complain of.
func eventually(t *testing.T, what string, limit time.Duration, check func() error) {
	t.Helper()
	start := time.Now()
	for {
		err := check()
		if err == nil {
			t.Logf("%4.0f s  %s", time.Since(start).Seconds(), what)
			return
		}
		if time.Since(start) > limit {
			t.Fatalf("%s: not within %s: %v\n%s", what, limit, err, situation(t))
		}
		time.Sleep(500 * time.Millisecond)
	}
}

// holds fails if check complains at any time during d.
func holds(t *testing.T, what string, d time.Duration, check func() error) {
	t.Helper()
	for start := time.Now(); time.Since(start) < d; time.Sleep(500 * time.Millisecond) {
		if err := check(); err != nil {
			t.Fatalf("%s: after %.0f s: %v\n%s", what, time.Since(start).Seconds(), err, situation(t))
		}
	}
	t.Logf("%4.0f s  %s", d.Seconds(), what)
}

// situation shows what a person would look at first.
func situation(t *testing.T) string {
	t.Helper()
	csvs := `jsonpath={range .items[*]}{.metadata.name} {.status.phase} {.status.reason}: {.status.message}{"\n"}{end}`
	subscriptions := `jsonpath={range .items[*]}{.metadata.name} {.status.state} {.status.conditions}{"\n"}{end}`
	var out strings.Builder
	for _, args := range [][]string{
		{"get", "catalogsources,subscriptions,installplans,clusterserviceversions,operatorgroups", "-A"},
		{"get", "pods", "-A"},
		{"get", "markdownviews", "-A"},
		{"get", "clusterserviceversions", "-n", systemNamespace, "-o", csvs},
		{"get", "subscriptions", "-A", "-o", subscriptions},
		{"logs", "-n", systemNamespace, "deployment/" + deploymentName, "--tail=20"},
	} {
		output, err := exec.Command("../../bin/kubectl", args...).CombinedOutput()
		fmt.Fprintf(&out, "--- kubectl %s\n%s", strings.Join(args, " "), output)
		if err != nil {
			fmt.Fprintln(&out, err)
		}
	}
	return out.String()
}

// get fills object in and returns it.
func get[T client.Object](ctx context.Context, object T, namespace, name string) (T, error) {
	err := admin.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, object)
	return object, err
}

func named(namespace, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: namespace, Name: name}
}
