// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package site

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// started is a server that runs; stop ends it and returns what Run returned.
type started struct {
	book, admin string // base addresses, http://…
	server      *Server
	stop        func() error
}

func start(t *testing.T, config Config) started {
	t.Helper()
	config.Addr, config.MetricsAddr = "127.0.0.1:0", "127.0.0.1:0"
	if config.Log == nil {
		config.Log = quiet
	}
	if config.ShutdownTimeout == 0 {
		config.ShutdownTimeout = 10 * time.Second
	}
	server, err := New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	stop := sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() { _ = stop() })
	s := started{book: "http://" + server.Addr().String(), admin: "http://" + server.MetricsAddr().String(), server: server, stop: stop}
	waitFor(t, func() bool { return get(t, s.admin+"/readyz").status == 200 })
	return s
}

func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if done() {
			return
		}
	}
	t.Fatal("it did not come to that within 10 s")
}

type reply struct {
	status int // 0: no answer
	close  bool
	body   string
}

func get(t *testing.T, address string) reply {
	t.Helper()
	r, err := http.Get(address)
	if err != nil {
		return reply{}
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return reply{}
	}
	return reply{status: r.StatusCode, close: r.Close, body: string(body)}
}

func TestProbes(t *testing.T) {
	s := start(t, Config{Root: writeBook(t, testBook())})
	for address, want := range map[string]reply{
		s.admin + "/healthz":     {200, false, "ok\n"},
		s.admin + "/readyz":      {200, false, "ok\n"},
		s.admin + "/":            {404, false, "404 page not found\n"},
		s.book + "/healthz":      {200, false, "ok\n"},
		s.book + "/":             {200, false, page},
		s.book + "/readyz":       {404, false, testBook()["404.html"]},
		s.book + "/metrics":      {404, false, testBook()["404.html"]},
		s.book + "/%69ndex.html": {200, false, page},
	} {
		if diff := cmp.Diff(want, get(t, address), cmp.AllowUnexported(reply{})); diff != "" {
			t.Errorf("GET %s (-want +got):\n%s", address, diff)
		}
	}
}

// A book may have a page of any name: it is the author's site.
func TestBookWithItsOwnHealthz(t *testing.T) {
	files := testBook()
	files["healthz"] = "my own page"
	s := start(t, Config{Root: writeBook(t, files)})
	if diff := cmp.Diff(reply{200, false, "my own page"}, get(t, s.book+"/healthz"), cmp.AllowUnexported(reply{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNotReadyWhileIndexing(t *testing.T) {
	server, err := New(t.Context(), Config{Root: t.TempDir(), Addr: "127.0.0.1:0", MetricsAddr: "127.0.0.1:0", Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	defer server.book.Close()
	defer server.admin.Close()
	w := &recorder{header: http.Header{}}
	server.ready(w, nil)
	if w.status != 503 || !strings.Contains(w.body.String(), "indexing") {
		t.Errorf("ready before the index: %d %q, want 503 and a word about indexing", w.status, w.body.String())
	}
}

type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header            { return r.header }
func (r *recorder) WriteHeader(status int)         { r.status = status }
func (r *recorder) Write(text []byte) (int, error) { return r.body.Write(text) }

// A rollout sends SIGTERM while readers still come: the rest of the cluster needs a moment to learn
// of it. No request of that moment may fail, on new connections and on old ones.
func TestDrainLosesNoRequest(t *testing.T) {
	s := start(t, Config{Root: writeBook(t, testBook()), Drain: 700 * time.Millisecond})
	stopped := make(chan error, 1)
	go func() { stopped <- s.stop() }()
	waitFor(t, func() bool { return get(t, s.admin+"/readyz").status == 503 })
	began := time.Now()
	if got := get(t, s.admin+"/healthz"); got.status != 200 {
		t.Errorf("liveness while draining: %d, want 200: a restart would cut the readers off", got.status)
	}
	if got := get(t, s.book+"/healthz"); got.status != 503 {
		t.Errorf("/healthz at the book's port while draining: %d, want 503", got.status)
	}
	asked := 0
	for ; time.Since(began) < 400*time.Millisecond; asked++ {
		if diff := cmp.Diff(reply{200, true, page}, get(t, s.book+"/"), cmp.AllowUnexported(reply{})); diff != "" {
			t.Fatalf("request %d, %s into the drain (-want +got):\n%s", asked, time.Since(began), diff)
		}
	}
	if asked < 10 {
		t.Errorf("only %d requests were made while draining", asked)
	}
	if err := <-stopped; err != nil {
		t.Errorf("Run returned %v, want nil after a clean stop", err)
	}
	if took := time.Since(began); took < 500*time.Millisecond {
		t.Errorf("the server stopped %s after the signal, before its drain of 700ms", took)
	}
	if got := get(t, s.book+"/"); got.status != 0 {
		t.Errorf("after the stop: status %d, want no answer", got.status)
	}
}

// An answer that is under way when the listeners close is finished.
func TestShutdownFinishesAnswers(t *testing.T) {
	files := testBook()
	files["large.bin"] = strings.Repeat("0123456789abcdef", 1<<20) // 16 MiB: more than the sockets' buffers
	s := start(t, Config{Root: writeBook(t, files)})
	r, err := http.Get(s.book + "/large.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	stopped := make(chan error, 1)
	go func() { stopped <- s.stop() }()
	waitFor(t, func() bool {
		c, err := net.Dial("tcp", s.server.Addr().String())
		if err != nil {
			return true
		}
		c.Close()
		return false
	})
	got, err := io.ReadAll(r.Body)
	if err != nil || len(got) != 16<<20 {
		t.Errorf("%d bytes and error %v, want all 16 MiB", len(got), err)
	}
	if err := <-stopped; err != nil {
		t.Errorf("Run returned %v, want nil", err)
	}
}

func TestShutdownTimeoutIsReported(t *testing.T) {
	files := testBook()
	files["large.bin"] = strings.Repeat("0123456789abcdef", 1<<20)
	s := start(t, Config{Root: writeBook(t, files), ShutdownTimeout: 50 * time.Millisecond})
	r, err := http.Get(s.book + "/large.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close() // never read: the answer cannot end
	if err := s.stop(); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "--shutdown-timeout") {
		t.Errorf("Run returned %v, want a deadline that names its flag", err)
	}
}

func TestNewErrors(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	cases := map[string]struct {
		config Config
		want   string
	}{
		"the book's port is taken": {Config{Addr: taken.Addr().String()}, "--addr"},
		"the other port is taken":  {Config{Addr: "127.0.0.1:0", MetricsAddr: taken.Addr().String()}, "--metrics-addr"},
		"no address":               {Config{Addr: "nonsense"}, "--addr"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if _, err := New(t.Context(), c.config); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("New: %v, want an error that names %s", err, c.want)
			}
		})
	}
}

func TestRunWithoutBook(t *testing.T) {
	server, err := New(t.Context(), Config{Root: t.TempDir(), Addr: "127.0.0.1:0", MetricsAddr: "127.0.0.1:0", Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "mdbook build") {
		t.Errorf("Run: %v, want an error that says to build the book", err)
	}
}

func TestMetrics(t *testing.T) {
	s := start(t, Config{Root: writeBook(t, testBook())})
	get(t, s.book+"/")
	get(t, s.book+"/")
	for _, path := range []string{"/nothing", "/nothing/else", "/more"} {
		get(t, s.book+path)
	}
	odd, err := http.NewRequest("BREW", s.book+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	answered, err := http.DefaultClient.Do(odd)
	if err != nil {
		t.Fatal(err)
	}
	answered.Body.Close()
	text := get(t, s.admin+"/metrics").body
	for _, line := range []string{
		`markdownview_site_requests_total{code="200",method="get"} 2`,
		`markdownview_site_requests_total{code="404",method="get"} 3`,
		// A method that a client makes up has no series of its own.
		`markdownview_site_requests_total{code="405",method="unknown"} 1`,
		`markdownview_site_request_duration_seconds_count 6`,
		`markdownview_site_files 16`,
		`markdownview_site_requests_in_flight 0`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("metrics lack the line %s", line)
		}
	}
	for _, path := range []string{"nothing", "BREW"} {
		if strings.Contains(text, path) {
			t.Errorf("metrics hold %q, which a client made up", path)
		}
	}
}

func TestRequestsAreLoggedForDebuggingOnly(t *testing.T) {
	for level, want := range map[slog.Level]bool{slog.LevelDebug: true, slog.LevelInfo: false} {
		var lines lockedBuffer
		s := start(t, Config{Root: writeBook(t, testBook()), Log: slog.New(slog.NewJSONHandler(&lines, &slog.HandlerOptions{Level: level}))})
		get(t, s.book+"/nothing")
		if err := s.stop(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(lines.String(), `"path":"/nothing","status":404`); got != want {
			t.Errorf("level %s: request logged is %t, want %t:\n%s", level, got, want, lines.String())
		}
	}
}

// lockedBuffer is written by the server and read by the test.
type lockedBuffer struct {
	lock   sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(text []byte) (int, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.buffer.Write(text)
}

func (b *lockedBuffer) String() string {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.buffer.String()
}
