// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build e2e

package e2e

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTutorial runs the commands that people know from the tutorial and its blog post, as they are
// written there. Building, loading and deploying come before: `make e2e` does them by the same words.
func TestTutorial(t *testing.T) {
	kubectl(t, "rollout", "restart", "-n", operatorNamespace, "deployment", managerDeployment)
	kubectl(t, "rollout", "status", "-n", operatorNamespace, "deployment", managerDeployment, "--timeout=180s")
	if out := kubectl(t, "get", "crd", "markdownviews.view.bobuhiro11.net"); !strings.Contains(out, "markdownviews.view.bobuhiro11.net") {
		t.Errorf("kubectl get crd prints %q", out)
	}

	const sample = "../../config/samples/view_v1_markdownview.yaml"
	// Nobody waits for the restarted manager: the one before it answers until its Service has forgotten it.
	kubectl(t, "apply", "--namespace", "default", "-f", sample)
	t.Cleanup(func() {
		_ = kubectlCommand(context.Background(), "delete", "--namespace", "default", "-f", sample, "--ignore-not-found").Run()
	})
	kubectl(t, "wait", "--namespace", "default", "--for=condition=Ready", "mdv/markdownview-sample", "--timeout=180s")
	if out := kubectl(t, "get", "--namespace", "default", "mdv"); !strings.Contains(out, "REPLICAS") || !strings.Contains(out, "Healthy") {
		t.Errorf("kubectl get mdv prints %q", out)
	}
	ports := "3000:80"
	if listener, err := net.Listen("tcp", ":3000"); err != nil {
		t.Logf("port 3000 is taken on this machine, so any other is used: %v", err)
		ports = ":80"
	} else {
		listener.Close()
	}
	address := portForward(t, "default", "svc/viewer-markdownview-sample", ports, "--address", "0.0.0.0")
	if status, _, body := httpGet(t, "http://"+address+"/"); status != http.StatusOK || !strings.Contains(body, "Welcome") {
		t.Errorf("%s answers %d: %.200s", address, status, body)
	}
	if log := kubectl(t, "-n", operatorNamespace, "logs", "deployment/"+managerDeployment); !strings.Contains(strings.ToLower(log), "successfully acquired lease") {
		t.Error("the manager does not log that it acquired the lease")
	}
	if out, err := exec.CommandContext(t.Context(), "make", "-C", "../..", "help").CombinedOutput(); err != nil || !strings.Contains(string(out), "docker-build") {
		t.Errorf("make help: %v: %s", err, out)
	}
}

// TestTutorialRefusal: the tutorial's second sample is refused with exactly its two lines.
func TestTutorialRefusal(t *testing.T) {
	t.Parallel()
	out, err := kubectlCommand(t.Context(), "apply", "--namespace", "default", "-f", "../../config/samples/view_v1_markdownview_noimage.yaml").CombinedOutput()
	if err == nil {
		t.Fatalf("the sample is taken: %s", out)
	}
	want := []string{
		"* spec.markdowns: Required value: markdowns must have SUMMARY.md.",
		"* spec.replicas: Invalid value: 1000: replicas must be in the range of 1 to 5.",
		`The MarkdownView "markdownview-sample-noimage" is invalid:`,
	}
	got := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i := range got {
		got[i] = strings.TrimSpace(got[i])
	}
	slices.Sort(got) // the API server collects them in any order
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("kubectl prints (-want +got):\n%s", diff)
	}
}

// TestMetrics: the three gauges tell of each object, to whoever may read them and nobody else; those
// of a deleted object are gone.
func TestMetrics(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	publish(t, namespace, "handbook", handbook())
	kubectl(t, "create", "serviceaccount", "--namespace", namespace, "scraper")
	kubectl(t, "create", "clusterrolebinding", namespace+"-scraper", "--clusterrole=markdown-view-metrics-reader", "--serviceaccount="+namespace+":scraper")
	t.Cleanup(func() {
		_ = kubectlCommand(context.Background(), "delete", "clusterrolebinding", namespace+"-scraper").Run()
	})
	token := strings.TrimSpace(kubectl(t, "create", "token", "--namespace", namespace, "scraper"))
	// Another account than the scraper's, because a refusal is remembered for a while.
	kubectl(t, "create", "serviceaccount", "--namespace", namespace, "stranger")
	stranger := strings.TrimSpace(kubectl(t, "create", "token", "--namespace", namespace, "stranger"))
	for who, want := range map[string]int{"": http.StatusUnauthorized, stranger: http.StatusForbidden, token: http.StatusOK} {
		// The API server learns of a new binding a moment later.
		eventually(t, "the metrics are answered with 401 without a token, 403 without the role, 200 with both", func() error {
			if status, _ := scrape(t, who); status != want {
				return fmt.Errorf("status %d, want %d", status, want)
			}
			return nil
		})
	}
	gauges := func() []string {
		_, body := scrape(t, token)
		var found []string
		for line := range strings.Lines(body) {
			if strings.HasPrefix(line, "markdownview_") && strings.Contains(line, `namespace="`+namespace+`"`) {
				found = append(found, strings.TrimSpace(line))
			}
		}
		slices.Sort(found)
		return found
	}
	labels := `{name="handbook",namespace="` + namespace + `"}`
	want := []string{"markdownview_available" + labels + " 0", "markdownview_healthy" + labels + " 1", "markdownview_notready" + labels + " 0"}
	eventually(t, "the three gauges tell of the MarkdownView", func() error {
		if diff := cmp.Diff(want, gauges()); diff != "" {
			return fmt.Errorf("(-want +got):\n%s", diff)
		}
		return nil
	})
	kubectl(t, "delete", "--namespace", namespace, "mdv", "handbook")
	eventually(t, "the gauges of the deleted object are gone", func() error {
		if left := gauges(); len(left) > 0 {
			return fmt.Errorf("left: %s", strings.Join(left, ", "))
		}
		return nil
	})
}

func scrape(t *testing.T, token string) (status int, body string) {
	t.Helper()
	address := portForward(t, operatorNamespace, "svc/markdown-view-controller-manager-metrics-service", ":8443")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+address+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	// The certificate is for the Service's name, which is not how the forwarded port is called.
	insecure := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}}
	response, err := insecure.Do(request)
	if err != nil {
		t.Fatalf("fetch the metrics: %v", err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(raw)
}

// TestOperatorReadsNoSecret: the operator may not read, list or write a Secret anywhere.
func TestOperatorReadsNoSecret(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"get", "list", "watch", "create", "update", "patch", "delete"} {
		args := []string{"auth", "can-i", verb, "secrets", "--all-namespaces", "--as=system:serviceaccount:" + operatorNamespace + ":" + managerDeployment}
		out, _ := kubectlCommand(t.Context(), args...).Output()
		if answer := strings.TrimSpace(string(out)); answer != "no" {
			t.Errorf("may the operator %s secrets? %q", verb, answer)
		}
	}
	if level := kubectl(t, "get", "namespace", operatorNamespace, "--output", `jsonpath={.metadata.labels.pod-security\.kubernetes\.io/enforce}`); level != "restricted" {
		t.Errorf("the operator's namespace enforces %q, want restricted", level)
	}
}
