// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"github.com/bobuhiro11/markdown-view/internal/apiservertest"
	"github.com/bobuhiro11/markdown-view/internal/operator"
)

var (
	server *apiservertest.Server
	// kube is the test's own client: an undisturbed one.
	kube client.Client
)

func TestMain(m *testing.M) {
	logger := logr.Discard()
	if os.Getenv("TEST_LOG") != "" {
		logger = zap.New(zap.UseDevMode(true))
	}
	ctrl.SetLogger(logger)
	klog.SetLogger(logger)
	// Points wait far more than they compute; the default is the number of processors.
	flag.Parse()
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	apiservertest.Main(m, func(s *apiservertest.Server) error {
		server = s
		scheme, err := operator.NewScheme()
		if err != nil {
			return err
		}
		kube, err = client.New(s.Config, client.Options{Scheme: scheme})
		return err
	})
}

// labelShard tells which operator of a test a MarkdownView is for.
const labelShard = "test/shard"

// watchesFile writes a watches.yaml whose operator sees the objects of one shard only, beside a copy
// of the project's chart with some more files in it.
func watchesFile(t *testing.T, shard string, extra map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	chart := filepath.Join(dir, "chart")
	if err := os.CopyFS(chart, os.DirFS(filepath.Join(apiservertest.Root(), "helm-charts", "markdownview"))); err != nil {
		t.Fatal(err)
	}
	for name, text := range extra {
		write(t, filepath.Join(chart, name), text)
	}
	path := filepath.Join(dir, "watches.yaml")
	write(t, path, fmt.Sprintf(`- group: view.bobuhiro11.net
  version: v1
  kind: MarkdownView
  chart: chart
  maxConcurrentReconciles: 20
  selector:
    matchLabels:
      %s: %q
`, labelShard, shard))
	return path
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
