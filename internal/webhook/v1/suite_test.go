// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package v1_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"github.com/go-logr/logr"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/apiservertest"
	webhookv1 "github.com/bobuhiro11/markdown-view/internal/webhook/v1"
)

// defaultImage is what the manager is told to build books with.
const defaultImage = "registry.example/mdbook:v0.5.4"

// api is an API server that asks the webhooks of this package.
var api *apiservertest.Server

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard())
	ctx, cancel := context.WithCancel(context.Background())
	apiservertest.Main(m, func(s *apiservertest.Server) error {
		api = s
		return serveWebhooks(ctx, s)
	}, apiservertest.WithWebhooks(), apiservertest.BeforeStop(cancel))
}

// serveWebhooks runs a manager that has nothing but the webhooks, until the context ends, and
// returns once they answer.
func serveWebhooks(ctx context.Context, s *apiservertest.Server) error {
	scheme := runtime.NewScheme()
	if err := viewv1.AddToScheme(scheme); err != nil {
		return err
	}
	where := s.Webhooks
	mgr, err := ctrl.NewManager(s.Config, ctrl.Options{
		Scheme:  scheme,
		Metrics: server.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host: where.LocalServingHost, Port: where.LocalServingPort, CertDir: where.LocalServingCertDir,
		}),
	})
	if err != nil {
		return err
	}
	if err := webhookv1.SetupWithManager(mgr, defaultImage); err != nil {
		return err
	}
	go func() {
		if err := mgr.Start(ctx); err != nil {
			fmt.Fprintln(os.Stderr, "the manager ended:", err)
			os.Exit(1)
		}
	}()
	return waitForTLS(net.JoinHostPort(where.LocalServingHost, strconv.Itoa(where.LocalServingPort)))
}

func waitForTLS(address string) error {
	dialer := &net.Dialer{Timeout: time.Second}
	var err error
	for range 100 {
		var conn *tls.Conn
		// Whether it listens is the question, not who it is.
		if conn, err = tls.DialWithDialer(dialer, "tcp", address, &tls.Config{InsecureSkipVerify: true}); err == nil {
			return conn.Close()
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("the webhook server does not answer: %w", err)
}

// sample is the path of one of the sample objects, from the repository's root.
func sample(name string) string { return filepath.Join("config", "samples", name) }
