// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// drain keeps the manager whole for a while after it is told to stop. The API server asks webhooks through
// their Service, which forgets a pod that ends only some moments later: a manager that closed its port at
// once would have the API server refuse what people write in these moments. The manager stops whatever
// needs no lease first, and webhooks last, so waiting here is enough.
type drain struct {
	webhooks *drainedWebhooks
	lasts    time.Duration
}

// Start waits for the manager's end, and then the time of the drain.
func (d drain) Start(ctx context.Context) error {
	<-ctx.Done()
	d.webhooks.draining.Store(true)
	over, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.lasts)
	defer cancel()
	<-over.Done()
	return nil
}

// NeedLeaderElection is false: a manager that waits for the lease answers webhooks as well.
func (drain) NeedLeaderElection() bool { return false }

// drainedWebhooks is a webhook server that sends its callers away while it drains: connections that live
// on would all be cut at its end, some with a call under way.
type drainedWebhooks struct {
	webhook.Server
	draining atomic.Bool
}

// Register serves a webhook at a path.
func (s *drainedWebhooks) Register(path string, hook http.Handler) {
	s.Server.Register(path, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.draining.Load() {
			w.Header().Set("Connection", "close")
		}
		hook.ServeHTTP(w, r)
	}))
}
