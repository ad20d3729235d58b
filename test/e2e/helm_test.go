// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// helmRelease is what `helm list --output json` prints of a release, as far as it is read here.
type helmRelease struct {
	Name     string `json:"name"`
	Revision string `json:"revision"`
	Status   string `json:"status"`
	Chart    string `json:"chart"`
}

// TestHelmReadsTheRelease: the records are Helm's own, so Helm's command line shows them; what it
// changes by hand is drift, and is put right.
func TestHelmReadsTheRelease(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	b := publish(t, namespace, "handbook", handbook())
	releases := listReleases(t, namespace)
	if len(releases) != 1 || releases[0].Name != "handbook" || releases[0].Status != "deployed" || releases[0].Revision != "1" {
		t.Fatalf("helm list shows %+v, want handbook, deployed, revision 1", releases)
	}
	manifest := helm(t, namespace, "get", "manifest", "handbook")
	for _, part := range []string{"kind: Deployment", "kind: Service", "name: viewer-handbook"} {
		if !strings.Contains(manifest, part) {
			t.Errorf("helm get manifest lacks %q", part)
		}
	}

	b.edit(t, func(spec *viewv1.MarkdownViewSpec) {
		spec.Markdowns["welcome.md"] = "# Welcome\n\nSecond edition.\n"
	})
	b.waitReady(t)
	history := helm(t, namespace, "history", "handbook")
	if !strings.Contains(history, "superseded") || !strings.Contains(history, "deployed") {
		t.Errorf("helm history shows\n%s", history)
	}

	t.Log("rolled back by hand")
	helm(t, namespace, "rollback", "handbook", "1")
	// Helm marks what it finds deployed as superseded when it ends, and may so find the operator's newer
	// record. The operator then writes another.
	eventually(t, "the second edition is served again, by the release that is deployed", func() error {
		if err := b.serves(t, "welcome.html", "Second edition."); err != nil {
			return err
		}
		applied := b.get(t).Status.Release
		releases := listReleases(t, namespace)
		if applied == nil || applied.Revision <= 3 || len(releases) != 1 || releases[0].Status != "deployed" || releases[0].Revision != strconv.Itoa(applied.Revision) {
			return fmt.Errorf("helm list shows %+v, and the status tells of %+v", releases, applied)
		}
		return nil
	})
	b.waitReady(t)
	b.mustServe(t, "welcome.html", "Second edition.")

	t.Log("uninstalled by hand")
	// The operator puts the release back while Helm is still at it, so Helm may find less to delete than
	// it listed. What it ends with is not ours to say; that the book is back is.
	if out, err := helmCommand(t, namespace, "uninstall", "handbook").CombinedOutput(); err != nil {
		t.Logf("helm uninstall: %v\n%s", err, out)
	}
	b.mustServe(t, "welcome.html", "Second edition.")
	b.waitReady(t)
}

func listReleases(t *testing.T, namespace string) []helmRelease {
	t.Helper()
	var releases []helmRelease
	if err := json.Unmarshal([]byte(helm(t, namespace, "list", "--all", "--output", "json")), &releases); err != nil {
		t.Fatalf("read helm's list: %v", err)
	}
	return releases
}

// helm runs the real command line, built from its module.
func helm(t *testing.T, namespace string, args ...string) string {
	t.Helper()
	return run(t, helmCommand(t, namespace, args...))
}

func helmCommand(t *testing.T, namespace string, args ...string) *exec.Cmd {
	t.Helper()
	program := "../../bin/helm"
	if _, err := os.Stat(program); err != nil {
		t.Fatalf("no Helm here (hack/tools/install helm builds it): %v", err)
	}
	command := exec.CommandContext(t.Context(), program, append(args, "--namespace", namespace)...)
	command.Env = append(os.Environ(), "HELM_DRIVER=configmap")
	return command
}
