// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build e2e

package e2e

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"regexp"
	"syscall"
	"testing"
	"time"
)

var forwarding = regexp.MustCompile(`Forwarding from \S+:(\d+) ->`)

// portForward runs kubectl port-forward until the test ends, and returns "127.0.0.1:PORT". ports is
// as kubectl takes it: "3000:80", or ":80" for any free port.
func portForward(t *testing.T, namespace, object, ports string, more ...string) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	args := append([]string{"port-forward", "--namespace", namespace, object, ports}, more...)
	command := kubectlCommand(ctx, args...)
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = 5 * time.Second
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatalf("start kubectl port-forward: %v", err)
	}
	t.Cleanup(func() {
		stop()
		_ = command.Wait() // ended by us
	})
	reader := bufio.NewReader(out)
	line, err := reader.ReadString('\n')
	if err != nil {
		t.Fatalf("kubectl port-forward %s %s says nothing: %v", object, ports, err)
	}
	match := forwarding.FindStringSubmatch(line)
	if match == nil {
		t.Fatalf("kubectl port-forward %s %s says %q", object, ports, line)
	}
	go func() { _, _ = io.Copy(io.Discard, reader) }() // or kubectl waits for someone to read on
	return "127.0.0.1:" + match[1]
}

// httpGet fetches an address that needs no credentials.
func httpGet(t *testing.T, address string) (status int, header http.Header, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatalf("fetch %s: %v", address, err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("fetch %s: %v", address, err)
	}
	return response.StatusCode, response.Header, string(raw)
}
