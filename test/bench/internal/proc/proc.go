// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package proc starts the programs under measurement and reads what they cost from /proc.
package proc

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// tick is the unit of CPU times in /proc; Linux fixes it for user space.
const tick = time.Second / 100

// stopLimit is how long a program may take to stop when it is told to.
const stopLimit = 40 * time.Second

// Process is a running program.
type Process struct {
	cmd  *exec.Cmd
	done chan error
	log  string
}

// Start runs argv with env added to this process's own. Its output goes to the file log.
func Start(log string, env []string, argv ...string) (*Process, error) {
	file, err := os.OpenFile(log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("log of %s: %w", argv[0], err)
	}
	defer file.Close()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), env...), file, file
	// The programs end with the benchmark, also when it is killed.
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", argv[0], err)
	}
	p := &Process{cmd: cmd, done: make(chan error, 1), log: log}
	go func() { p.done <- cmd.Wait(); close(p.done) }()
	return p, nil
}

// PID of the process.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Exited returns an error that quotes the end of the log if the process is gone, else nil.
func (p *Process) Exited() error {
	select {
	case err := <-p.done:
		return fmt.Errorf("%s ended early (%w); its log %s ends with:\n%s", filepath.Base(p.cmd.Path), errors.Join(err), p.log, tail(p.log))
	default:
		return nil
	}
}

// Wait waits for the process to end by itself.
func (p *Process) Wait() error {
	if err := <-p.done; err != nil {
		return fmt.Errorf("%s: %w; its log %s ends with:\n%s", filepath.Base(p.cmd.Path), err, p.log, tail(p.log))
	}
	return nil
}

// Stop ends the process: by SIGTERM, and by SIGKILL if it does not obey in time.
func (p *Process) Stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // It may be gone already.
	select {
	case <-p.done: //nolint:errcheck // It was told to end, however it says so.
	case <-time.After(stopLimit):
		_ = p.cmd.Process.Kill()
		_ = p.Wait()
	}
}

func tail(log string) string {
	const kept = 2000
	data, err := os.ReadFile(log)
	if err != nil {
		return err.Error()
	}
	return string(data[max(0, len(data)-kept):])
}

// CPU returns the CPU time that a process has used, in user and kernel mode, all threads. Its
// resolution is 10 ms. A process that is gone has used none.
func CPU(pid int) time.Duration {
	fields := stat(pid)
	if fields == nil {
		return 0
	}
	// utime and stime are fields 14 and 15 of proc(5), counted from 1; stat drops the first two.
	return time.Duration(number(fields[11])+number(fields[12])) * tick
}

// Parent returns the process id of a process's parent and the name of its program.
func Parent(pid int) (parent int, name string) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	fields := stat(pid)
	if err != nil || fields == nil {
		return 0, ""
	}
	return int(number(fields[1])), strings.TrimSpace(string(data))
}

// stat returns the fields of /proc/PID/stat after the program's name, which may hold spaces.
func stat(pid int) []string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	const wanted = 13
	if len(fields) < wanted {
		return nil
	}
	return fields
}

// Memory returns what a process has resident now and had at most, in MiB (VmRSS and VmHWM).
func Memory(pid int) (now, peak float64) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		switch mib := float64(number(fields[1])) / 1024; fields[0] {
		case "VmRSS:":
			now = mib
		case "VmHWM:":
			peak = mib
		}
	}
	return now, peak
}

// MachineCPU returns the CPU time that everything on the machine has used since it booted.
func MachineCPU() time.Duration {
	data, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(data), "\n")
	fields := strings.Fields(line)
	const user, nice, system, irq, softirq = 1, 2, 3, 6, 7
	if len(fields) <= softirq {
		return 0
	}
	var sum int64
	for _, i := range []int{user, nice, system, irq, softirq} {
		sum += number(fields[i])
	}
	return time.Duration(sum) * tick
}

func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
