// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package site

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = 30 * time.Second
	// writeTimeout lets a phone on a bad line fetch the largest asset.
	writeTimeout = 5 * time.Minute
	// idleTimeout is longer than that of the usual proxies (60 s): if the server closed first, a
	// proxy could send a request into the closing connection and lose it.
	idleTimeout    = 2 * time.Minute
	maxHeaderBytes = 32 << 10

	// healthPath answers load balancers that can only probe the port they send readers to.
	healthPath = "/healthz"
	readyPath  = "/readyz"
)

// Config says what to serve and how to stop.
type Config struct {
	// Root is the folder that holds the built book.
	Root string
	// Addr is the book's address, host:port; port 0 takes a free one.
	Addr string
	// MetricsAddr is the address of /metrics, /healthz and /readyz; empty turns them off.
	MetricsAddr string
	// Drain is how long the book is still served once the server was told to stop: the time that
	// the rest of the cluster needs to send its readers elsewhere.
	Drain time.Duration
	// ShutdownTimeout bounds the wait for answers still under way after that.
	ShutdownTimeout time.Duration
	// Log takes everything that the server reports.
	Log *slog.Logger
}

// Server serves one book and tells how it is.
type Server struct {
	config  Config
	book    net.Listener
	admin   net.Listener // nil without Config.MetricsAddr
	metrics *metrics
	// phase is one of the constants below.
	phase atomic.Int32
}

// A server goes through these phases, in this order.
const (
	phaseIndexing int32 = iota
	phaseServing
	phaseDraining
)

// New takes the addresses, so that a taken port is found before anything is read.
func New(ctx context.Context, config Config) (*Server, error) {
	s := &Server{config: config, metrics: newMetrics()}
	var (
		listen net.ListenConfig
		err    error
	)
	if s.book, err = listen.Listen(ctx, "tcp", config.Addr); err != nil {
		return nil, fmt.Errorf("listen for readers (--addr): %w", err)
	}
	if config.MetricsAddr == "" {
		return s, nil
	}
	if s.admin, err = listen.Listen(ctx, "tcp", config.MetricsAddr); err != nil {
		return nil, errors.Join(fmt.Errorf("listen for metrics and probes (--metrics-addr): %w", err), s.book.Close())
	}
	return s, nil
}

// Addr is where the book is served.
func (s *Server) Addr() net.Addr { return s.book.Addr() }

// MetricsAddr is where metrics and probes are served; nil if they are off.
func (s *Server) MetricsAddr() net.Addr {
	if s.admin == nil {
		return nil
	}
	return s.admin.Addr()
}

// Run indexes the book and serves it until the context ends; then it drains: probes fail at once,
// readers are served for Config.Drain, and answers under way are finished. It returns nil after
// such a stop. Run may be called once.
func (s *Server) Run(ctx context.Context) error {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	group, running := errgroup.WithContext(running)
	admin := s.serveAdmin(group)
	book, err := s.load()
	if err != nil {
		return errors.Join(err, s.book.Close(), admin.Close(), group.Wait())
	}
	defer book.Close()

	public := newHTTPServer(s.config.Log, s.handler(book))
	group.Go(func() error { return ignoreClosed(public.Serve(s.book)) })
	s.phase.Store(phaseServing)
	s.config.Log.Info("serving", "root", s.config.Root, "addr", s.book.Addr().String(),
		"files", book.Stats.Files, "skipped", book.Stats.Skipped, "bytes", book.Stats.Bytes)

	<-running.Done()
	stopped := s.stop(public, ctx.Err() != nil)
	return errors.Join(stopped, admin.Close(), group.Wait())
}

// load indexes the book and gives back the memory that only indexing needed.
func (s *Server) load() (*Site, error) {
	start := time.Now()
	book, err := Open(s.config.Root)
	if err != nil {
		return nil, err
	}
	debug.FreeOSMemory()
	s.metrics.indexed(book.Stats, time.Since(start))
	return book, nil
}

func (s *Server) handler(book *Site) http.Handler {
	pages := s.metrics.instrument(book.Handler(s.config.Log))
	if s.config.Log.Enabled(context.Background(), slog.LevelDebug) {
		pages = logRequests(pages, s.config.Log)
	}
	// The book's own page of that name, if there is one, has precedence.
	ownHealth := book.Has(healthPath)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.phase.Load() == phaseDraining {
			// Connections that live on move to another pod with their next request.
			w.Header()["Connection"] = valueClose
		}
		if r.URL.Path == healthPath && !ownHealth && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
			s.ready(w, r)
			return
		}
		pages.ServeHTTP(w, r)
	})
}

var valueClose = []string{"close"}

// stop serves on for Config.Drain if the stop was asked for, then finishes what is under way.
func (s *Server) stop(public *http.Server, asked bool) error {
	if asked {
		s.phase.Store(phaseDraining)
		s.config.Log.Info("draining", "for", s.config.Drain.String())
		time.Sleep(s.config.Drain)
	}
	// The process is told to end already: this wait has a clock of its own.
	ctx, cancel := context.WithTimeout(context.Background(), s.config.ShutdownTimeout)
	defer cancel()
	if err := public.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("answers under way were cut after %s (--shutdown-timeout): %w", s.config.ShutdownTimeout, err), public.Close())
	}
	s.config.Log.Info("stopped")
	return nil
}

// serveAdmin serves probes and metrics from the start, so that a probe sees the indexing.
func (s *Server) serveAdmin(group *errgroup.Group) *http.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+healthPath, func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET "+readyPath, s.ready)
	mux.Handle("GET /metrics", s.metrics.handler())
	server := newHTTPServer(s.config.Log, mux)
	if s.admin != nil {
		group.Go(func() error { return ignoreClosed(server.Serve(s.admin)) })
	}
	return server
}

// ready answers whether new readers should be sent here.
func (s *Server) ready(w http.ResponseWriter, _ *http.Request) {
	switch s.phase.Load() {
	case phaseServing:
		answer(w, http.StatusOK, "ok")
	case phaseDraining:
		answer(w, http.StatusServiceUnavailable, "draining: this server is about to stop")
	default:
		answer(w, http.StatusServiceUnavailable, "indexing: the book is not read yet")
	}
}

func answer(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header()["X-Content-Type-Options"] = valueNoSniff
	w.WriteHeader(status)
	// An error here means that the prober went away.
	_, _ = w.Write([]byte(text + "\n"))
}

func newHTTPServer(log *slog.Logger, handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
