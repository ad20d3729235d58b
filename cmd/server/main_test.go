// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bobuhiro11/markdown-view/internal/site"
)

// The chart passes no flags, so the defaults are part of the contract between the two.
func TestDefaults(t *testing.T) {
	config, showVersion, err := parse(nil, io.Discard)
	if err != nil || showVersion {
		t.Fatalf("parse: version %t, error %v", showVersion, err)
	}
	want := site.Config{Root: "/site", Addr: ":3000", MetricsAddr: ":9090", Drain: 5 * time.Second, ShutdownTimeout: 20 * time.Second}
	if diff := cmp.Diff(want, config, cmpopts.IgnoreFields(site.Config{}, "Log")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestArgumentErrors(t *testing.T) {
	empty := t.TempDir()
	cases := map[string]struct {
		args []string
		want string
	}{
		"an argument that is no flag": {[]string{"serve"}, `unexpected argument "serve"`},
		"an unknown flag":             {[]string{"--port=1"}, "flag provided but not defined: -port"},
		"a negative drain":            {[]string{"--drain=-1s"}, "--drain -1s"},
		"no time to shut down":        {[]string{"--shutdown-timeout=0s"}, "--shutdown-timeout 0s"},
		"a log level of no name":      {[]string{"--log-level=loud"}, "log-level"},
		"no book":                     {[]string{"--root=" + empty, "--addr=127.0.0.1:0", "--metrics-addr="}, "mdbook build"},
		"no address":                  {[]string{"--root=" + empty, "--addr=nowhere", "--metrics-addr="}, "--addr"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if err := run(c.args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("run %v: error %v, want one with %q", c.args, err, c.want)
			}
		})
	}
}

func TestVersionAndHelp(t *testing.T) {
	var out, help bytes.Buffer
	if err := run([]string{"--version"}, &out, io.Discard); err != nil || strings.TrimSpace(out.String()) == "" {
		t.Errorf("--version printed %q, error %v", out.String(), err)
	}
	if err := run([]string{"-h"}, io.Discard, &help); err != nil || !strings.Contains(help.String(), "-drain") {
		t.Errorf("-h printed %q, error %v", help.String(), err)
	}
}

// The process as a whole: it serves, takes SIGTERM, and ends without an error.
func TestTermination(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "index.html"), []byte("<h1>Book</h1>"), 0o644); err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := free.Addr().String()
	free.Close()
	ended := make(chan error, 1)
	go func() {
		ended <- run([]string{"--root", folder, "--addr", addr, "--metrics-addr=", "--drain=50ms"}, io.Discard, io.Discard)
	}()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if r, err := http.Get("http://" + addr + "/"); err == nil {
			r.Body.Close()
			break
		}
		select {
		case err := <-ended:
			t.Fatalf("the server ended at once: %v", err)
		default:
		}
		if time.Now().After(deadline) {
			t.Fatal("the server does not answer within 10 s")
		}
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("run returned %v, want nil", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the server does not end within 10 s of SIGTERM")
	}
}
