// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator

import (
	"context"
	"time"
)

// drain keeps the manager whole for so long after it is told to stop. The API server asks webhooks
// through their Service, which forgets a pod that ends only some moments later: a manager that closed
// its port at once would have the API server refuse what people write in these moments. The manager
// stops whatever needs no lease first, and webhooks last, so waiting here is enough.
type drain time.Duration

// Start waits for the manager's end, and then the time of the drain.
func (d drain) Start(ctx context.Context) error {
	<-ctx.Done()
	time.Sleep(time.Duration(d))
	return nil
}

// NeedLeaderElection is false: a manager that waits for the lease answers webhooks as well.
func (drain) NeedLeaderElection() bool { return false }
