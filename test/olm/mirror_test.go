// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build olm

package olm

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/operator-framework/api/pkg/operators/v1alpha1"
)

// TestMirror copies a catalogue and all that it needs into another registry by the page's commands,
// and finds every image there under the same digest.
func TestMirror(t *testing.T) {
	mirror, source := startRegistry(t), strings.TrimSpace(output(t, "../../hack/cluster.sh", "registry"))
	// The names are public ones; on this machine they lead to the cluster's registry, as a proxy would.
	folder := t.TempDir()
	for _, program := range []string{"crane", "opm"} {
		target, err := filepath.Abs("../../bin/" + program)
		if err != nil {
			t.Fatal(err)
		}
		script := "#!/usr/bin/env bash\nfor a; do\n  case $a in ghcr.io/*|docker.io/*|quay.io/*) a=" + source +
			"/${a#*/} ;; esac\n  args+=(\"$a\")\ndone\nexec " + target + " \"${args[@]}\" " +
			map[string]string{"crane": "--insecure", "opm": "--use-http"}[program] + "\n"
		if err := os.WriteFile(filepath.Join(folder, program), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	runWith(t, folder, "mirror", "MIRROR="+mirror)

	rendered := output(t, filepath.Join(folder, "opm"), "render", catalogue, "--output", "yaml")
	images := regexp.MustCompile(`(?m)image: (\S+)$`).FindAllStringSubmatch(rendered, -1)
	if len(images) == 0 {
		t.Fatal("the catalogue names no image")
	}
	checked := map[string]bool{catalogue: true}
	for _, image := range images {
		checked[image[1]] = true
	}
	for image := range checked {
		_, path, _ := strings.Cut(image, "/")
		_, digest, ok := strings.Cut(path, "@")
		if !ok {
			t.Errorf("%s is no digest, so it cannot be mirrored reliably", image)
			continue
		}
		if got := strings.TrimSpace(output(t, "../../bin/crane", "digest", "--insecure", mirror+"/"+path)); got != digest {
			t.Errorf("the mirror has %s as %s", image, got)
		}
	}
	t.Logf("%d images are mirrored", len(checked))
}

// servedFromMirror copies the books' images of a version to other names, tells the operator of them by
// the page's commands, and waits until the book's pods run those.
func servedFromMirror(t *testing.T, version string) {
	t.Helper()
	registry := strings.TrimSpace(output(t, "../../hack/cluster.sh", "registry"))
	csv, err := get(t.Context(), &v1alpha1.ClusterServiceVersion{}, systemNamespace, csvName(version))
	if err != nil {
		t.Fatal(err)
	}
	mirrored := map[string]string{}
	for _, image := range csv.Spec.RelatedImages {
		_, path, _ := strings.Cut(image.Image, "/")
		output(t, "../../bin/crane", "copy", "--insecure", registry+"/"+path, registry+"/mirror/"+path)
		mirrored[image.Name] = "registry.example.com/mirror/" + path
	}
	viewer, server := mirrored["build"], mirrored["server"]
	run(t, "books-images", "VIEWER="+viewer, "SERVER="+server)
	rolledOut(t, "the book is served by the images of the mirror", map[string]bool{viewer: true, server: true})
	run(t, "succeeded")
}

// startRegistry runs an empty registry until the test ends, and returns its address.
func startRegistry(t *testing.T) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	server := exec.CommandContext(ctx, "../../bin/crane", "registry", "serve", "--address", "127.0.0.1:0")
	log, err := server.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); _ = server.Wait() })
	port := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(log); lines.Scan(); {
			if match := regexp.MustCompile(`port:? ?(\d+)`).FindStringSubmatch(lines.Text()); match != nil {
				select {
				case port <- match[1]:
				default:
				}
			}
		}
	}()
	select {
	case number := <-port:
		return "127.0.0.1:" + number
	case <-time.After(20 * time.Second):
		t.Fatal("the registry did not start")
		return ""
	}
}

func output(t *testing.T, argv ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
	var problems strings.Builder
	command.Stderr = &problems
	text, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", strings.Join(argv, " "), err, problems.String())
	}
	return string(text)
}
