// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package node

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// restartDelay keeps a component that fails at once from using up a core.
const restartDelay = time.Second

// supervisor starts processes and is the only one to wait for them. As the first process of its
// PID namespace it inherits every orphan, and os/exec's own Wait would race with that.
type supervisor struct {
	logDir string
	env    []string
	failed chan error // receives the end of a component while restart is off

	mu      sync.Mutex
	restart bool
	exits   map[int]func(syscall.WaitStatus)
}

func newSupervisor(logDir string, env []string) *supervisor {
	s := &supervisor{logDir: logDir, env: env, failed: make(chan error, 16), exits: map[int]func(syscall.WaitStatus){}}
	children := make(chan os.Signal, 1)
	signal.Notify(children, syscall.SIGCHLD)
	go func() {
		for range children {
			s.reap()
		}
	}()
	return s
}

// settle is called once the node is ready: from then on a component that ends is started again.
func (s *supervisor) settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.restart = true
}

// start runs c for as long as the node lives.
func (s *supervisor) start(c component) error {
	return s.spawn(c.name, c.argv, func(status syscall.WaitStatus) {
		s.mu.Lock()
		restart := s.restart
		s.mu.Unlock()
		if !restart {
			s.failed <- fmt.Errorf("%s ended %s while the cluster was starting", c.name, describe(status))
			return
		}
		time.Sleep(restartDelay)
		if err := s.start(c); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	})
}

// run runs a command to its end; what it prints goes to the log called setup.
func (s *supervisor) run(argv ...string) error {
	done := make(chan syscall.WaitStatus, 1)
	if err := s.spawn("setup", argv, func(status syscall.WaitStatus) { done <- status }); err != nil {
		return err
	}
	if status := <-done; status != 0 {
		return fmt.Errorf("'%s' ended %s: see setup.log", strings.Join(argv, " "), describe(status))
	}
	return nil
}

func (s *supervisor) spawn(logName string, argv []string, exited func(syscall.WaitStatus)) error {
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return fmt.Errorf("start %s: %w", argv[0], err)
	}
	log, err := os.OpenFile(filepath.Join(s.logDir, logName+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	// The lock keeps the reaper from seeing the end of a process that is not in the map yet.
	s.mu.Lock()
	defer s.mu.Unlock()
	process, err := os.StartProcess(path, argv, &os.ProcAttr{Env: s.env, Files: []*os.File{nil, log, log}, Sys: &syscall.SysProcAttr{Setsid: true}})
	if err != nil {
		return fmt.Errorf("start %s: %w", argv[0], err)
	}
	s.exits[process.Pid] = exited
	return process.Release()
}

func (s *supervisor) reap() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || pid <= 0 {
			return
		}
		s.mu.Lock()
		exited := s.exits[pid]
		delete(s.exits, pid)
		s.mu.Unlock()
		if exited != nil {
			go exited(status)
		}
	}
}

func describe(status syscall.WaitStatus) string {
	if status.Signaled() {
		return "by signal " + status.Signal().String()
	}
	return fmt.Sprintf("with code %d", status.ExitStatus())
}
