// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package scenario

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// profileFlags turn the operator's profiling on where profiles are asked for.
func (r *run) profileFlags() []string {
	if r.Profile == "" {
		return nil
	}
	return []string{"--pprof-bind-address=" + r.pprofAddress()}
}

// pprofAddress is the metrics address with the port above.
func (r *run) pprofAddress() string {
	host, port, _ := strings.Cut(r.metrics, ":")
	var n int
	_, _ = fmt.Sscan(port, &n) // The address came from a listener.
	return fmt.Sprintf("%s:%d", host, n+1)
}

// profileCPU profiles the operator's first 20 seconds of a phase, in the background.
func (r *run) profileCPU(ctx context.Context, phase string) (wait func()) {
	done := make(chan struct{})
	if r.Profile == "" || r.Subject != Operator {
		close(done)
		return func() { <-done }
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer close(done)
		time.Sleep(2 * time.Second) // It does not listen yet.
		r.fetchProfile(ctx, "profile?seconds=15", fmt.Sprintf("cpu-%s-%d.pprof", phase, r.Objects))
	}()
	return func() {
		select {
		case <-done:
		case <-time.After(20 * time.Second):
		}
		cancel()
	}
}

func (r *run) profileHeap(ctx context.Context, phase string) {
	if r.Profile != "" && r.Subject == Operator {
		r.fetchProfile(ctx, "heap?gc=1", fmt.Sprintf("heap-%s-%d.pprof", phase, r.Objects))
	}
}

// fetchProfile saves one profile; a failure is told, not fatal: the figures do not depend on it.
func (r *run) fetchProfile(ctx context.Context, what, name string) {
	err := func() error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+r.pprofAddress()+"/debug/pprof/"+what, nil)
		if err != nil {
			return err
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		file, err := os.Create(filepath.Join(r.Profile, name))
		if err != nil {
			return err
		}
		defer file.Close()
		_, err = io.Copy(file, response.Body)
		return err
	}()
	if err != nil {
		r.Say("  no profile %s: %v", name, err)
	}
}
