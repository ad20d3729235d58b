// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator_test

import (
	"context"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/retry"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/apiservertest"
	"github.com/bobuhiro11/markdown-view/internal/operator"
)

var server *apiservertest.Server

func TestMain(m *testing.M) {
	logger := logr.Discard()
	if os.Getenv("TEST_LOG") != "" {
		logger = zap.New(zap.UseDevMode(true))
	}
	ctrl.SetLogger(logger)
	klog.SetLogger(logger)
	// These tests wait far more than they compute; the default is the number of processors.
	flag.Parse()
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	apiservertest.Main(m, func(s *apiservertest.Server) error {
		server = s
		s.AfterTests(everyVerbWasAsked)
		return nil
	})
}

// cluster is one test's view of the API server: a namespace of its own, a client, and an operator
// that watches this namespace alone, whose requests are counted.
type cluster struct {
	*testing.T
	client.Client
	namespace string
	requests  *requestLog
	stop      func()
	// user is whom the operator acts as; empty is the cluster's administrator.
	user string
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	scheme, err := operator.NewScheme()
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.New(server.Config, client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "mdv-"}}
	if err := c.Create(t.Context(), ns); err != nil {
		t.Fatal(err)
	}
	return &cluster{T: t, Client: c, namespace: ns.Name, requests: &requestLog{}}
}

// startOperator starts the whole manager; it stops with the test, or by c.stop.
func (c *cluster) startOperator(change ...func(*operator.Settings)) {
	c.Helper()
	config := rest.CopyConfig(server.Config)
	config.Wrap(c.requests.wrap)
	config.Impersonate.UserName = c.user
	settings := operator.Settings{
		MetricsAddr: "0", ProbeAddr: "0", MaxHistory: 3, Restartable: true, Namespaces: []string{c.namespace},
		ViewerImage: "viewer:test", ServerImage: "server:test",
	}
	for _, f := range change {
		f(&settings)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- operator.Run(ctx, config, settings) }()
	var once sync.Once
	c.stop = func() {
		once.Do(func() {
			cancel()
			if err := <-done; err != nil {
				c.Errorf("the operator stopped with: %v", err)
			}
		})
	}
	c.Cleanup(c.stop)
}

func (c *cluster) view(name string, markdowns map[string]string) *viewv1.MarkdownView {
	return &viewv1.MarkdownView{
		ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: name},
		Spec:       viewv1.MarkdownViewSpec{Markdowns: markdowns},
	}
}

// Update writes as a person's editor does: where the operator wrote the status of a MarkdownView
// meanwhile, the person's change is made again on top of that.
func (c *cluster) Update(ctx context.Context, object client.Object, options ...client.UpdateOption) error {
	mine, isView := object.(*viewv1.MarkdownView)
	if !isView {
		return c.Client.Update(ctx, object, options...)
	}
	edit := mine.DeepCopy()
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		err := c.Client.Update(ctx, mine, options...)
		if !apierrors.IsConflict(err) {
			return err
		}
		if err := c.Get(ctx, client.ObjectKeyFromObject(edit), mine); err != nil {
			return err
		}
		mine.Spec, mine.Labels, mine.Annotations = edit.Spec, edit.Labels, edit.Annotations
		return err
	})
}

// eventually waits until check returns nil, and fails with its last error.
func (c *cluster) eventually(what string, check func() error) {
	c.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		err := check()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			c.Fatalf("%s: %v", what, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// settle waits until the operator has made no request for a while.
func (c *cluster) settle() {
	c.Helper()
	last, since := -1, time.Now()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if n := c.requests.count(); n != last {
			last, since = n, time.Now()
		} else if time.Since(since) > 700*time.Millisecond {
			return
		}
	}
	c.Fatal("the operator never came to rest: ", c.requests.list())
}

// requestLog counts requests that are about objects: not watches, leases or the version.
type requestLog struct {
	mu   sync.Mutex
	seen []string
	// all holds watches and the rest too; refused is what was answered with 401 or 403.
	all, refused []string
}

func (l *requestLog) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		ask(r)
		request := r.Method + " " + r.URL.Path
		l.mu.Lock()
		l.all = append(l.all, request)
		if r.URL.Query().Get("watch") == "" && !strings.Contains(r.URL.Path, "/leases") {
			l.seen = append(l.seen, request)
		}
		l.mu.Unlock()
		response, err := next.RoundTrip(r)
		if err == nil && (response.StatusCode == http.StatusForbidden || response.StatusCode == http.StatusUnauthorized) {
			l.mu.Lock()
			l.refused = append(l.refused, request)
			l.mu.Unlock()
		}
		return response, err
	})
}

func (l *requestLog) count() int { return len(l.list()) }

func (l *requestLog) list() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.seen...)
}

func (l *requestLog) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen = nil
}

// writes returns the requests that change something.
func (l *requestLog) writes() []string {
	var out []string
	for _, r := range l.list() {
		if !strings.HasPrefix(r, "GET ") {
			out = append(out, r)
		}
	}
	return out
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// watches writes a watches.yaml with these further lines, beside a copy of the chart with these
// further files, and returns its path.
func (c *cluster) watches(lines string, files map[string]string) string {
	c.Helper()
	dir := c.TempDir()
	chart := filepath.Join(dir, "chart")
	if err := os.CopyFS(chart, os.DirFS(filepath.Join(apiservertest.Root(), "helm-charts", "markdownview"))); err != nil {
		c.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(chart, name), []byte(text), 0o600); err != nil {
			c.Fatal(err)
		}
	}
	path := filepath.Join(dir, "watches.yaml")
	text := "- group: view.bobuhiro11.net\n  version: v1\n  kind: MarkdownView\n  chart: chart\n" + lines
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		c.Fatal(err)
	}
	return path
}
