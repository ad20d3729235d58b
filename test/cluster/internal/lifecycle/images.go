// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package lifecycle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bobuhiro11/markdown-view/test/cluster/internal/layout"
)

// ErrDown is the error of a command that needs a running cluster.
var ErrDown = errors.New("the cluster is not up: run 'make cluster-up' first")

// Load brings images into the cluster: into its registry, and from there onto the node, so that a
// pod that names one finds it. An image is a name in the store of tool (docker, podman or buildah),
// or, as FILE.tar=NAME, an archive.
func Load(ctx context.Context, cluster layout.Cluster, tool string, images []string, out io.Writer) error {
	record, err := running(cluster)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "markdown-view-image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	for i, image := range images {
		archive, name, ok := strings.Cut(image, "=")
		if !ok {
			archive, name = filepath.Join(scratch, strconv.Itoa(i)+".tar"), image
			if err := save(ctx, tool, name, archive); err != nil {
				return err
			}
		}
		if err := push(ctx, cluster, record, archive, name); err != nil {
			return err
		}
		fmt.Fprintf(out, "loaded %s into cluster %s\n", name, cluster.Name)
	}
	return nil
}

func running(cluster layout.Cluster) (layout.Record, error) {
	record, ok, err := cluster.ReadRecord()
	if err != nil {
		return layout.Record{}, err
	}
	if !ok || !record.Alive() {
		return layout.Record{}, ErrDown
	}
	return record, nil
}

func save(ctx context.Context, tool, image, archive string) error {
	argv := []string{tool, "save", "-o", archive, image}
	if tool == "buildah" {
		// The store that hack/images.sh builds into.
		argv = []string{"env", "STORAGE_DRIVER=" + cmp.Or(os.Getenv("STORAGE_DRIVER"), "vfs"), "buildah", "push", image, "docker-archive:" + archive}
	}
	if err := quiet(ctx, argv...); err != nil {
		return fmt.Errorf("take %s out of %s's store (was it built?): %w", image, tool, err)
	}
	return nil
}

func push(ctx context.Context, cluster layout.Cluster, record layout.Record, archive, image string) error {
	host, path := Reference(image)
	target := fmt.Sprintf("127.0.0.1:%d/%s", record.RegistryPort, path)
	if err := quiet(ctx, filepath.Join(cluster.Bin(), "crane"), "push", "--insecure", archive, target); err != nil {
		return fmt.Errorf("push %s to the cluster's registry: %w", image, err)
	}
	// The node may hold an older image of that name, which a pod would be given.
	err := quiet(ctx, "nsenter", "--target", strconv.Itoa(record.PID), "--mount", "--net", "--pid",
		filepath.Join(cluster.Bin(), "ctr"), "--namespace=k8s.io", "images", "pull", "--local",
		"--hosts-dir", filepath.Join(cluster.Config(), "registries"), host+"/"+path)
	if err != nil {
		return fmt.Errorf("pull %s onto the node: %w", image, err)
	}
	return nil
}

// Reference splits an image's name as containerd understands it in a pod: "controller:latest" is
// docker.io and library/controller:latest.
func Reference(image string) (host, path string) {
	host, path, ok := strings.Cut(image, "/")
	if !ok || (!strings.ContainsAny(host, ".:") && host != "localhost") {
		host, path = "docker.io", image
		if !ok {
			path = "library/" + image
		}
	}
	if last := path[strings.LastIndexByte(path, '/')+1:]; !strings.ContainsAny(last, ":@") {
		path += ":latest"
	}
	return host, path
}

// quiet runs a command whose output matters only when it fails.
func quiet(ctx context.Context, argv ...string) error {
	text, err := exec.CommandContext(ctx, argv[0], argv[1:]...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(argv, " "), err, strings.TrimSpace(string(text)))
	}
	return nil
}
