// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package lifecycle

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/bobuhiro11/markdown-view/test/cluster/internal/layout"
	"github.com/bobuhiro11/markdown-view/test/cluster/internal/node"
)

// programs are what a node runs; each is a file of the folder given to Up.
var programs = []string{
	"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy", "kubectl",
	"containerd", "containerd-shim-runc-v2", "ctr", "runc", "crane", "ptp", "host-local", "loopback", "certissuer",
}

// Options say what a cluster is made from.
type Options struct {
	Bin      string   // folder of the programs (links are followed)
	Archives []string // image archives that the node imports before its first pod
	Addons   []string // manifests that are applied before Up returns
	Out      io.Writer
}

// Up starts the cluster and returns when its first pod is ready. It does nothing where the cluster
// runs already. When it fails or ctx ends, it leaves nothing behind.
func Up(ctx context.Context, cluster layout.Cluster, options Options) error {
	unlock, err := lock(cluster)
	if err != nil {
		return err
	}
	defer unlock()
	if record, ok, err := cluster.ReadRecord(); err != nil {
		return err
	} else if ok && record.Alive() {
		fmt.Fprintf(options.Out, "cluster %s is up already\n", cluster.Name)
		return nil
	}
	// What a killed run left is of no use to this one.
	if err := remove(cluster); err != nil {
		return err
	}
	start := time.Now()
	if err := bringUp(ctx, cluster, options); err != nil {
		err = fmt.Errorf("bring cluster %s up: %w%s", cluster.Name, err, logTails(cluster))
		return errors.Join(err, remove(cluster))
	}
	fmt.Fprintf(options.Out, "cluster %s is ready after %.1f s\n", cluster.Name, time.Since(start).Seconds())
	return nil
}

func bringUp(ctx context.Context, cluster layout.Cluster, options Options) error {
	if err := cluster.MakeDirs(); err != nil {
		return err
	}
	if err := collect(cluster, options); err != nil {
		return err
	}
	if err := makeCgroup(cluster); err != nil {
		return err
	}
	api, err := listen()
	if err != nil {
		return err
	}
	defer api.Close()
	registry, err := listen()
	if err != nil {
		return err
	}
	defer registry.Close()
	if err := node.Prepare(cluster, port(api)); err != nil {
		return err
	}
	if err := launch(ctx, cluster, api, registry, options.Out); err != nil {
		return err
	}
	return addons(ctx, cluster, options)
}

// collect links the programs and image archives into the cluster's folder, so that a node does not
// depend on the checkout that made it.
func collect(cluster layout.Cluster, options Options) error {
	sources := append([]string(nil), options.Archives...)
	for _, name := range programs {
		sources = append(sources, filepath.Join(options.Bin, name))
	}
	for i, source := range sources {
		program, err := filepath.EvalSymlinks(source)
		if err != nil {
			return fmt.Errorf("a part of the node is missing ('make cluster-tools' builds them): %w", err)
		}
		if program, err = filepath.Abs(program); err != nil {
			return err
		}
		target := filepath.Join(cluster.Bin(), filepath.Base(source))
		if i < len(options.Archives) {
			target = filepath.Join(cluster.Images(), filepath.Base(source))
		}
		if err := visible(program); err != nil {
			return err
		}
		if err := os.Symlink(program, target); err != nil {
			return err
		}
	}
	return visible(cluster.Dir)
}

// visible refuses a path that the node could not see.
func visible(path string) error {
	for _, hidden := range node.Hidden {
		if strings.HasPrefix(path, hidden+"/") {
			return fmt.Errorf("%s lies under %s, which the node has its own of: set MARKDOWN_VIEW_CACHE to a folder elsewhere", path, hidden)
		}
	}
	return nil
}

func listen() (*net.TCPListener, error) {
	return net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
}

// port returns the number of a TCP listener's port; 0 is what no listener has.
func port(listener *net.TCPListener) int {
	if address, ok := listener.Addr().(*net.TCPAddr); ok {
		return address.Port
	}
	return 0
}

// launch starts the node's first process and passes its progress on until it is ready.
func launch(ctx context.Context, cluster layout.Cluster, api, registry *net.TCPListener, out io.Writer) error {
	holdRead, hold, err := os.Pipe()
	if err != nil {
		return err
	}
	defer hold.Close()
	progress, progressWrite, err := os.Pipe()
	if err != nil {
		return err
	}
	defer progress.Close()
	apiFile, err := api.File()
	if err != nil {
		return err
	}
	registryFile, err := registry.File()
	if err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(cluster.Logs(), "node.log"))
	if err != nil {
		return err
	}
	command := exec.Command("/proc/self/exe", "node", "--name", cluster.Name)
	command.Stdout, command.Stderr = log, log
	command.ExtraFiles = []*os.File{holdRead, progressWrite, apiFile, registryFile}
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Cloneflags: node.Namespaces}
	err = command.Start()
	for _, file := range append(command.ExtraFiles, log) {
		file.Close()
	}
	if err != nil {
		return fmt.Errorf("start the node in namespaces of its own (needs root): %w", err)
	}
	// The zombie of a node that ended would look alive to whoever asks by its id.
	go func() { _ = command.Wait() }()
	started, err := layout.StartTime(command.Process.Pid)
	if err != nil {
		return fmt.Errorf("the node ended at once: %w", err)
	}
	record := layout.Record{PID: command.Process.Pid, StartTime: started, APIPort: port(api), RegistryPort: port(registry)}
	if err := cluster.WriteRecord(record); err != nil {
		return err
	}
	// Only now, when whoever comes next can find the node, may it begin.
	if _, err := hold.Write([]byte{1}); err != nil {
		return fmt.Errorf("let the node begin: %w", err)
	}
	return follow(ctx, progress, out)
}

func follow(ctx context.Context, progress *os.File, out io.Writer) error {
	// Closing the pipe is what wakes the scanner.
	stop := context.AfterFunc(ctx, func() { progress.Close() })
	defer stop()
	lines := bufio.NewScanner(progress)
	for lines.Scan() {
		if lines.Text() == node.Ready {
			return nil
		}
		fmt.Fprintf(out, "  %s\n", lines.Text())
	}
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted: %w", context.Cause(ctx))
	}
	return errors.New("the node ended before it was ready")
}

func addons(ctx context.Context, cluster layout.Cluster, options Options) error {
	for _, manifest := range options.Addons {
		apply := exec.CommandContext(ctx, filepath.Join(cluster.Bin(), "kubectl"), "--kubeconfig", cluster.Kubeconfig(), "apply", "--server-side", "-f", manifest)
		if text, err := apply.CombinedOutput(); err != nil {
			return fmt.Errorf("apply %s: %w: %s", manifest, err, text)
		}
	}
	return nil
}

// logTails returns the last lines of each log that speaks of an error: the folder goes with the cluster.
func logTails(cluster layout.Cluster) string {
	const tail = 6
	var text strings.Builder
	logs, _ := filepath.Glob(filepath.Join(cluster.Logs(), "*.log"))
	for _, log := range logs {
		raw, err := os.ReadFile(log)
		if err != nil || len(raw) == 0 {
			continue
		}
		lines := strings.Split(strings.TrimRight(string(raw), "\n"), "\n")
		fmt.Fprintf(&text, "\n--- %s\n%s", filepath.Base(log), strings.Join(lines[max(0, len(lines)-tail):], "\n"))
	}
	return text.String()
}
