// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/bobuhiro11/markdown-view/test/bench/internal/proc"
)

const (
	// nodes of kwok, each with room for podsPerNode pods.
	nodes       = 20
	podsPerNode = "1000"
)

//go:embed stages.yaml
var stages []byte

// startPods starts the programs that make pods of Deployments, place them and call them Ready.
func (c *Cluster) startPods() error {
	stagesFile := filepath.Join(c.options.Dir, "stages.yaml")
	if err := os.WriteFile(stagesFile, stages, 0o600); err != nil {
		return fmt.Errorf("kwok's stages: %w", err)
	}
	programs := []struct {
		name, user string
		args       []string
	}{
		{"kube-controller-manager", "system:kube-controller-manager", []string{
			"--controllers=deployment-controller,replicaset-controller", "--leader-elect=false",
			"--kube-api-qps=1000", "--kube-api-burst=1000", "--concurrent-deployment-syncs=10", "--concurrent-replicaset-syncs=10",
			"--secure-port=0",
		}},
		{"kube-scheduler", "system:kube-scheduler", []string{"--leader-elect=false", "--kube-api-qps=1000", "--kube-api-burst=1000", "--secure-port=0"}},
		{"kwok", "kwok", []string{"--manage-all-nodes=true", "--config=" + stagesFile}},
	}
	for _, program := range programs {
		kubeconfig, err := c.Kubeconfig(program.user)
		if err != nil {
			return err
		}
		argv := append([]string{filepath.Join(c.options.Bin, program.name), "--kubeconfig=" + kubeconfig}, program.args...)
		process, err := proc.Start(filepath.Join(c.options.Dir, program.name+".log"), nil, argv...)
		if err != nil {
			return err
		}
		c.others = append(c.others, process)
	}
	return c.addNodes()
}

func (c *Cluster) addNodes() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	client, err := kubernetes.NewForConfig(c.Config)
	if err != nil {
		return fmt.Errorf("client: %w", err)
	}
	room := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("1000"), corev1.ResourceMemory: resource.MustParse("1Ti"),
		corev1.ResourceEphemeralStorage: resource.MustParse("1Ti"), corev1.ResourcePods: resource.MustParse(podsPerNode),
	}
	for i := range nodes {
		node := &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{
				Name:        fmt.Sprintf("kwok-%d", i),
				Labels:      map[string]string{"kubernetes.io/os": "linux", "kubernetes.io/hostname": fmt.Sprintf("kwok-%d", i)},
				Annotations: map[string]string{"kwok.x-k8s.io/node": "fake"},
			},
			Status: corev1.NodeStatus{Allocatable: room, Capacity: room},
		}
		if _, err := client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("node %s: %w", node.Name, err)
		}
		// Admission taints a new node as not ready; the controller that would take that off is not running.
		untaint := []byte(`{"spec":{"taints":null}}`)
		if _, err := client.CoreV1().Nodes().Patch(ctx, node.Name, types.MergePatchType, untaint, metav1.PatchOptions{}); err != nil {
			return fmt.Errorf("node %s: %w", node.Name, err)
		}
	}
	return nil
}
