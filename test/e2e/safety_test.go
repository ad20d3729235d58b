// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// TestDeletionWithoutOperator: with the operator gone, a MarkdownView, all that it became and its
// namespace can still be deleted. It stops the operator for a while, so it runs alone.
func TestDeletionWithoutOperator(t *testing.T) {
	namespace := newNamespace(t)
	before := everything(t, namespace)
	publish(t, namespace, "handbook", handbook())
	publish(t, namespace, "second", handbook())

	manager := "deployment/" + managerDeployment
	t.Cleanup(func() {
		for _, args := range [][]string{{"scale", manager, "--replicas=1"}, {"rollout", "status", manager, "--timeout=180s"}} {
			if out, err := kubectlCommand(context.Background(), append(args, "--namespace", operatorNamespace)...).CombinedOutput(); err != nil {
				t.Errorf("start the operator again: %v: %s", err, out)
			}
		}
		// kube-proxy learns a moment after the Deployment's status where the webhooks are.
		eventually(t, "the webhooks answer again", func() error {
			view := &viewv1.MarkdownView{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "handbook"}, Spec: handbook()}
			return kube.Create(context.Background(), view, client.DryRunAll)
		})
	})
	kubectl(t, "scale", "--namespace", operatorNamespace, manager, "--replicas=0")
	kubectl(t, "wait", "--namespace", operatorNamespace, "--for=delete", "pod", "--selector=control-plane=controller-manager", "--timeout=60s")

	kubectl(t, "delete", "--namespace", namespace, "mdv", "handbook", "--timeout=60s")
	eventually(t, "all that the MarkdownView became is gone", func() error {
		for _, name := range subtract(everything(t, namespace), before) {
			if strings.Contains(name, "handbook") {
				return fmt.Errorf("left: %s", name)
			}
		}
		return nil
	})
	kubectl(t, "delete", "namespace", namespace, "--timeout=120s")
	if err := kube.Get(t.Context(), client.ObjectKey{Name: namespace}, &corev1.Namespace{}); !apierrors.IsNotFound(err) {
		t.Errorf("the namespace with the other MarkdownView is still there (%v)", err)
	}
}

// TestRestartRefusesNobody: who writes while the manager is restarted is answered by one that stops or by
// one that starts, at every moment.
func TestRestartRefusesNobody(t *testing.T) {
	namespace := newNamespace(t)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	answered := 0
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			view := &viewv1.MarkdownView{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "handbook"}, Spec: handbook()}
			if err := kube.Create(ctx, view, client.DryRunAll); err == nil {
				answered++
			} else if ctx.Err() == nil {
				t.Errorf("after %d that were taken, a MarkdownView is answered with: %v", answered, err)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	before := managers(t)
	kubectl(t, "rollout", "restart", "--namespace", operatorNamespace, "deployment", managerDeployment)
	kubectl(t, "rollout", "status", "--namespace", operatorNamespace, "deployment", managerDeployment, "--timeout=180s")
	eventually(t, "the managers of before are gone", func() error {
		for name := range managers(t) {
			if before[name] {
				return fmt.Errorf("%s is still there", name)
			}
		}
		return nil
	})
	time.Sleep(2 * time.Second) // as long as a stale route to them could last
	stop()
	<-done
	if answered < 50 {
		t.Errorf("only %d were answered: the test asks too seldom", answered)
	}
}

// managers names the manager's pods, those that are on their way out too.
func managers(t *testing.T) map[string]bool {
	t.Helper()
	var pods corev1.PodList
	if err := kube.List(t.Context(), &pods, client.InNamespace(operatorNamespace), client.MatchingLabels{"control-plane": "controller-manager"}); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, pod := range pods.Items {
		names[pod.Name] = true
	}
	return names
}

// TestViewerPod: what runs for a book holds no credentials, is not root, and cannot write its image.
func TestViewerPod(t *testing.T) {
	t.Parallel()
	b := publish(t, newNamespace(t), "handbook", handbook())
	pods := b.pods(t)
	if len(pods) != 1 {
		t.Fatalf("%d pods, want 1", len(pods))
	}
	spec := pods[0].Spec
	for _, volume := range spec.Volumes {
		if volume.Projected == nil {
			continue
		}
		for _, source := range volume.Projected.Sources {
			if source.ServiceAccountToken != nil || source.Secret != nil {
				t.Errorf("volume %s holds a token or a Secret", volume.Name)
			}
		}
	}
	for _, container := range append(spec.InitContainers, spec.Containers...) {
		security := container.SecurityContext
		if security == nil || security.ReadOnlyRootFilesystem == nil || !*security.ReadOnlyRootFilesystem {
			t.Errorf("container %s can write to its image", container.Name)
		}
		if container.Resources.Requests.Memory().IsZero() {
			t.Errorf("container %s says nothing of the memory that it needs", container.Name)
		}
		if container.Name == "build" && strings.HasSuffix(container.Image, ":latest") {
			t.Errorf("books are built by %s, which may be another tomorrow", container.Image)
		}
	}
	if pods[0].Spec.SecurityContext == nil || pods[0].Spec.SecurityContext.RunAsNonRoot == nil || !*pods[0].Spec.SecurityContext.RunAsNonRoot {
		t.Error("the pod may run as root")
	}
}
