// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package node

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
)

// ControlSocket is where the node takes requests, as its own mount namespace names it.
const ControlSocket = "/run/markdown-view-cluster.sock"

// publishVerb and the address to forward to are the whole of a request; the listener comes with it.
const publishVerb = "publish "

// forward accepts on listener, which lives in the machine's network namespace, and connects each
// client to target in the node's. A socket stays in the namespace it was made in, so no link
// between the two is needed.
func forward(listener net.Listener, target string) {
	for {
		client, err := listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "forward to %s: %v\n", target, err)
			continue
		}
		go splice(client, target)
	}
}

func splice(client net.Conn, target string) {
	defer client.Close()
	server, err := net.Dial("tcp", target)
	if err != nil {
		fmt.Fprintf(os.Stderr, "forward to %s: %v\n", target, err)
		return
	}
	defer server.Close()
	done := make(chan struct{})
	go func() {
		copyHalf(server, client)
		close(done)
	}()
	copyHalf(client, server)
	<-done
}

// copyHalf passes the end of one direction on, and leaves the other open.
func copyHalf(to, from net.Conn) {
	// An error here is one side hanging up, which the other learns by the close below.
	_, _ = io.Copy(to, from)
	if tcp, ok := to.(*net.TCPConn); ok {
		_ = tcp.CloseWrite()
	}
}

// serveControl answers publish requests until the node ends.
func serveControl() error {
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: ControlSocket, Net: "unix"})
	if err != nil {
		return fmt.Errorf("listen for publish requests: %w", err)
	}
	go func() {
		for {
			conn, err := listener.AcceptUnix()
			if err != nil {
				fmt.Fprintf(os.Stderr, "control socket: %v\n", err)
				return
			}
			answer := "ok"
			if err := takePublish(conn); err != nil {
				answer = err.Error()
			}
			_, _ = conn.Write([]byte(answer))
			conn.Close()
		}
	}()
	return nil
}

func takePublish(conn *net.UnixConn) error {
	text, rights := make([]byte, 256), make([]byte, syscall.CmsgSpace(4))
	n, oob, _, _, err := conn.ReadMsgUnix(text, rights)
	if err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	messages, err := syscall.ParseSocketControlMessage(rights[:oob])
	if err != nil || len(messages) != 1 {
		return fmt.Errorf("the request carries no listener (%d messages): %w", len(messages), err)
	}
	fds, err := syscall.ParseUnixRights(&messages[0])
	if err != nil {
		return fmt.Errorf("the request carries no listener: %w", err)
	}
	file := os.NewFile(uintptr(fds[0]), "published")
	defer file.Close()
	listener, err := net.FileListener(file)
	if err != nil {
		return fmt.Errorf("the request's file is no listener: %w", err)
	}
	target, ok := strings.CutPrefix(string(bytes.TrimSpace(text[:n])), publishVerb)
	if !ok {
		listener.Close()
		return fmt.Errorf("unknown request %q", text[:n])
	}
	go forward(listener, target)
	return nil
}

// Publish asks the node whose first process is pid to forward listener to target ("IP:port" as the
// node sees it). The node takes the listener over: the caller may close its own copy.
func Publish(pid int, listener *net.TCPListener, target string) error {
	file, err := listener.File()
	if err != nil {
		return fmt.Errorf("publish %s: %w", target, err)
	}
	defer file.Close()
	path := fmt.Sprintf("/proc/%d/root%s", pid, ControlSocket)
	conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return fmt.Errorf("reach the node: %w", err)
	}
	defer conn.Close()
	if _, _, err := conn.WriteMsgUnix([]byte(publishVerb+target), syscall.UnixRights(int(file.Fd())), nil); err != nil {
		return fmt.Errorf("publish %s: %w", target, err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil {
		return fmt.Errorf("publish %s: read the node's answer: %w", target, err)
	}
	if string(answer) != "ok" {
		return fmt.Errorf("publish %s: the node answered %q", target, answer)
	}
	return nil
}
