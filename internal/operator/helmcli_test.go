// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/apiservertest"
)

// helm runs the real Helm CLI in the test's namespace and returns what it prints.
func (c *cluster) helm(args ...string) string {
	c.Helper()
	out, err := c.tryHelm(args...)
	if err != nil {
		c.Fatalf("helm %v: %v\n%s", args, err, out)
	}
	return out
}

// tryHelm is helm for a command that may fail.
func (c *cluster) tryHelm(args ...string) (string, error) {
	c.Helper()
	program := filepath.Join(apiservertest.Root(), "bin", "helm")
	if _, err := os.Stat(program); err != nil {
		if program, err = exec.LookPath("helm"); err != nil {
			c.Fatal("these tests need the Helm CLI, which is neither in bin/ nor on the PATH: run `hack/tools/install helm`")
		}
	}
	cmd := exec.CommandContext(c.Context(), program, append(args, "--namespace", c.namespace)...)
	home := c.TempDir()
	cmd.Env = server.Kubectl().Env
	cmd.Env = append(cmd.Env, "HELM_DRIVER=configmap", "HELM_CACHE_HOME="+home, "HELM_CONFIG_HOME="+home, "HELM_DATA_HOME="+home)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// edited creates the MarkdownView "book" and edits it until there are so many records.
func (c *cluster) edited(revisions int) *viewv1.MarkdownView {
	c.Helper()
	view := c.published(book("# 1"))
	for i := 2; i <= revisions; i++ {
		view.Spec.Markdowns = book(fmt.Sprint("# ", i))
		if err := c.Update(c.Context(), view); err != nil {
			c.Fatal(err)
		}
		c.released(view)
	}
	return view
}

func TestHelmReadsOurRecords(t *testing.T) {
	c := newCluster(t)
	c.startOperator()
	c.edited(2)
	var list []struct {
		Name     string `json:"name"`
		Revision string `json:"revision"`
		Status   string `json:"status"`
		Chart    string `json:"chart"`
	}
	if err := json.Unmarshal([]byte(c.helm("list", "--output", "json")), &list); err != nil || len(list) != 1 {
		t.Fatalf("helm list: %v, %v", list, err)
	}
	if got := list[0]; got.Name != "book" || got.Revision != "2" || got.Status != "deployed" || !strings.HasPrefix(got.Chart, "markdownview-") {
		t.Errorf("helm list: %+v", got)
	}
	var history []struct {
		Revision int    `json:"revision"`
		Status   string `json:"status"`
	}
	if err := json.Unmarshal([]byte(c.helm("history", "book", "--output", "json")), &history); err != nil || len(history) != 2 {
		t.Fatalf("helm history: %v, %v", history, err)
	}
	if history[0].Status != "superseded" || history[1].Status != "deployed" {
		t.Errorf("helm history: %+v", history)
	}
	if manifest := c.helm("get", "manifest", "book"); !strings.Contains(manifest, "name: viewer-book") || !strings.Contains(manifest, "# 2") {
		t.Errorf("helm get manifest: %s", manifest)
	}
	if values := c.helm("get", "values", "book"); !strings.Contains(values, "name: book") || !strings.Contains(values, "viewer:test") {
		t.Errorf("helm get values: %s", values)
	}
	if status := c.helm("status", "book"); !strings.Contains(status, "STATUS: deployed") {
		t.Errorf("helm status: %s", status)
	}
}

// TestHelmByHandIsPutRight: whatever a person does to the release with the Helm CLI, the book that the
// spec asks for comes back, under a history that is whole and short.
func TestHelmByHandIsPutRight(t *testing.T) {
	for name, act := range map[string]func(*cluster){
		"rollback":        func(c *cluster) { c.helm("rollback", "book", "1") },
		"rollback, twice": func(c *cluster) { c.helm("rollback", "book", "2"); c.sound(); c.helm("rollback", "book") },
		// The operator is faster than Helm, which then misses the record that it means to delete last.
		"uninstall":                  func(c *cluster) { _, _ = c.tryHelm("uninstall", "book") },
		"uninstall, keeping history": func(c *cluster) { c.helm("uninstall", "book", "--keep-history") },
		"upgrade": func(c *cluster) {
			// The record keeps a text once, in its manifest: Helm renders another one from the values, and
			// the API server refuses to change a text. The Deployment may be changed by then, or not.
			_, _ = c.tryHelm("upgrade", "book", filepath.Join(apiservertest.Root(), "helm-charts", "markdownview"), "--reuse-values", "--set", "replicas=4")
		},
		"upgrade that fails": func(c *cluster) {
			// Helm leaves a failed release behind: the API server takes no such deadline.
			chart := filepath.Join(apiservertest.Root(), "helm-charts", "markdownview")
			if out, err := c.tryHelm("upgrade", "book", chart, "--reuse-values", "--set", "progressDeadlineSeconds=1,replicas=-3", "--skip-schema-validation"); err == nil {
				c.Fatalf("the upgrade did not fail: %s", out)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t)
			c.startOperator()
			view := c.edited(3)
			c.settle()
			spec := c.deploymentSpec()
			act(c)
			c.settle()
			c.sound()
			c.released(view)
			if diff := cmp.Diff(spec, c.deploymentSpec()); diff != "" {
				t.Errorf("the Deployment is not as it was (-want +got):\n%s", diff)
			}
			var texts corev1.ConfigMapList
			if err := c.List(t.Context(), &texts, client.InNamespace(c.namespace), client.HasLabels{viewv1.LabelContent}); err != nil {
				t.Fatal(err)
			}
			if len(texts.Items) != 1 {
				t.Errorf("%d texts are left, want 1", len(texts.Items))
			}
			c.ownedByOwner(view.UID)
			if list := c.helm("list", "--output", "json"); !strings.Contains(list, `"status":"deployed"`) {
				t.Errorf("helm list: %s", list)
			}
		})
	}
}

// TestWhatHelmLeavesCanBeSelected: what the Helm CLI wrote while no operator was there to take it up belongs to
// nobody, and docs/src/admin/helm.md tells by which labels a person deletes it.
func TestWhatHelmLeavesCanBeSelected(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.startOperator()
	view := c.edited(2)
	c.settle()
	c.stop()
	c.helm("rollback", "book", "1")
	disowned := 0
	for _, list := range []client.ObjectList{
		&appsv1.DeploymentList{}, &corev1.ServiceList{}, &corev1.ServiceAccountList{}, &policyv1.PodDisruptionBudgetList{}, &corev1.ConfigMapList{},
	} {
		if err := c.List(t.Context(), list, client.InNamespace(c.namespace)); err != nil {
			t.Fatal(err)
		}
		if err := meta.EachListItem(list, func(item runtime.Object) error {
			object := item.(client.Object)
			if owner := metav1.GetControllerOf(object); owner != nil && owner.UID == view.UID {
				return nil
			}
			disowned++
			if labels := object.GetLabels(); labels[viewv1.LabelInstance] != "book" || labels[viewv1.LabelCreatedBy] != viewv1.NameController {
				t.Errorf("%T %s has no owner and is not selected: %v", object, object.GetName(), labels)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if disowned == 0 {
		t.Error("everything has its owner: the page warns of nothing")
	}
}

func (c *cluster) deploymentSpec() appsv1.DeploymentSpec {
	c.Helper()
	var deployment appsv1.Deployment
	if err := c.Get(c.Context(), c.key("viewer-book"), &deployment); err != nil {
		c.Fatal(err)
	}
	return deployment.Spec
}

// ownedByOwner checks that the garbage collector reaches everything.
func (c *cluster) ownedByOwner(uid types.UID) {
	c.Helper()
	var records corev1.ConfigMapList
	if err := c.List(c.Context(), &records, client.InNamespace(c.namespace), client.MatchingLabels{viewv1.LabelCreatedBy: viewv1.NameController}); err != nil {
		c.Fatal(err)
	}
	for i := range records.Items {
		if owner := metav1.GetControllerOf(&records.Items[i]); owner == nil || owner.UID != uid {
			c.Errorf("ConfigMap %s would stay when the MarkdownView goes", records.Items[i].Name)
		}
	}
}
