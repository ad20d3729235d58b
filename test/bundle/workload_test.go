// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/operator-framework/api/pkg/apis/scorecard/v1alpha3"
	"github.com/operator-framework/api/pkg/operators/v1alpha1"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	podsecurity "k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/yaml"
)

func managerPod(t *testing.T) corev1.PodTemplateSpec {
	t.Helper()
	deployments := csv(t).Spec.InstallStrategy.StrategySpec.DeploymentSpecs
	if len(deployments) != 1 || deployments[0].Name != "markdown-view-controller-manager" {
		t.Fatalf("the bundle has %d Deployments", len(deployments))
	}
	return deployments[0].Spec.Template
}

func TestManagerIsRestricted(t *testing.T) {
	checks, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	pod := managerPod(t)
	level := podsecurity.LevelVersion{Level: podsecurity.LevelRestricted, Version: podsecurity.LatestVersion()}
	if verdict := policy.AggregateCheckResults(checks.EvaluatePod(level, &pod.ObjectMeta, &pod.Spec)); !verdict.Allowed {
		t.Errorf("Pod Security refuses the manager: %s", verdict.ForbiddenDetail())
	}
	container := pod.Spec.Containers[0]
	if container.LivenessProbe == nil || container.ReadinessProbe == nil || len(container.Resources.Requests) == 0 {
		t.Errorf("the manager lacks a probe or resource requests")
	}
}

// TestNoCertificateVolumeIsLeft: OLM mounts the webhooks' certificate itself; a volume of
// cert-manager's Secret would keep the pod waiting for ever.
func TestNoCertificateVolumeIsLeft(t *testing.T) {
	pod := managerPod(t)
	if len(pod.Spec.Volumes) > 0 || len(pod.Spec.Containers[0].VolumeMounts) > 0 {
		t.Errorf("volumes: %v, mounts: %v", pod.Spec.Volumes, pod.Spec.Containers[0].VolumeMounts)
	}
	data, err := os.ReadFile(csvFile)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "cert-manager.io/") {
		t.Errorf("the ClusterServiceVersion still speaks of cert-manager's objects")
	}
}

func TestTargetNamespacesReachTheManager(t *testing.T) {
	for _, env := range managerPod(t).Spec.Containers[0].Env {
		if env.Name == "WATCH_NAMESPACE" && env.ValueFrom != nil && env.ValueFrom.FieldRef != nil {
			if got := env.ValueFrom.FieldRef.FieldPath; got != "metadata.annotations['olm.targetNamespaces']" {
				t.Errorf("WATCH_NAMESPACE comes from %s", got)
			}
			return
		}
	}
	t.Errorf("WATCH_NAMESPACE is not set from OLM's annotation")
}

// TestArchitecturesAgree compares the labels that consoles filter by, the nodes that the manager
// may run on, and what the Makefile builds images for.
func TestArchitecturesAgree(t *testing.T) {
	var labels []string
	for label, value := range csv(t).Labels {
		if arch, found := strings.CutPrefix(label, "operatorframework.io/arch."); found && value == "supported" {
			labels = append(labels, arch)
		}
	}
	slices.Sort(labels)
	makefile, err := os.ReadFile(root + "/hack/make/20-build.mk")
	if err != nil {
		t.Fatal(err)
	}
	built := strings.Fields(regexp.MustCompile(`(?m)^ARCHES \?= (.*)$`).FindStringSubmatch(string(makefile))[1])
	if diff := cmp.Diff(built, labels); diff != "" {
		t.Errorf("architectures (-images +labels):\n%s", diff)
	}
	nodes := managerPod(t).Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	want := []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{
		{Key: corev1.LabelArchStable, Operator: corev1.NodeSelectorOpIn, Values: built},
		{Key: corev1.LabelOSStable, Operator: corev1.NodeSelectorOpIn, Values: []string{"linux"}},
	}}}
	if diff := cmp.Diff(want, nodes); diff != "" {
		t.Errorf("node affinity (-want +got):\n%s", diff)
	}
	if csv(t).Labels["operatorframework.io/os.linux"] != "supported" {
		t.Errorf("the label of the operating system is missing")
	}
}

func TestEveryImageIsRelated(t *testing.T) {
	var related []string
	for _, image := range csv(t).Spec.RelatedImages {
		related = append(related, image.Image)
	}
	var used []string
	pod := managerPod(t)
	for _, container := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		used = append(used, container.Image)
		for _, env := range container.Env {
			if strings.HasPrefix(env.Name, "RELATED_IMAGE_") {
				used = append(used, env.Value)
			}
		}
	}
	slices.Sort(related)
	slices.Sort(used)
	if diff := cmp.Diff(used, related); diff != "" {
		t.Errorf("images (-used +related):\n%s", diff)
	}
	for _, image := range related {
		if strings.HasSuffix(image, ":latest") || !regexp.MustCompile(`(:[^/]+|@sha256:.+)$`).MatchString(image) {
			t.Errorf("%s is not pinned", image)
		}
	}
}

// webhooks of config/, reduced to what a bundle says as well.
func TestWebhooksAreThoseOfConfig(t *testing.T) {
	data, err := os.ReadFile(root + "/config/webhook/manifests.yaml")
	if err != nil {
		t.Fatal(err)
	}
	type hook struct {
		Name, Path string
		Type       v1alpha1.WebhookAdmissionType
		Policy     admissionv1.FailurePolicyType
		Rules      []admissionv1.RuleWithOperations
	}
	var want, got []hook
	for document := range strings.SplitSeq(strings.TrimPrefix(string(data), "---\n"), "---\n") {
		// The two kinds have the same fields as far as this test reads them.
		var configuration admissionv1.ValidatingWebhookConfiguration
		if err := yaml.Unmarshal([]byte(document), &configuration); err != nil {
			t.Fatal(err)
		}
		kind := v1alpha1.ValidatingAdmissionWebhook
		if configuration.Kind == "MutatingWebhookConfiguration" {
			kind = v1alpha1.MutatingAdmissionWebhook
		}
		for _, webhook := range configuration.Webhooks {
			want = append(want, hook{webhook.Name, *webhook.ClientConfig.Service.Path, kind, *webhook.FailurePolicy, webhook.Rules})
		}
	}
	for _, definition := range csv(t).Spec.WebhookDefinitions {
		got = append(got, hook{definition.GenerateName, *definition.WebhookPath, definition.Type, *definition.FailurePolicy, definition.Rules})
		if definition.DeploymentName != "markdown-view-controller-manager" || definition.TargetPort.String() != "webhook-server" {
			t.Errorf("%s goes to port %s of %s", definition.GenerateName, definition.TargetPort, definition.DeploymentName)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("webhooks (-config +bundle):\n%s", diff)
	}
}

func TestScorecardRunsItsTestsAndOurs(t *testing.T) {
	configuration := read[v1alpha3.Configuration](t, folder+"/tests/scorecard/config.yaml")
	var got []string
	for _, stage := range configuration.Stages {
		for _, test := range stage.Tests {
			got = append(got, test.Labels["suite"]+"/"+test.Entrypoint[1])
			if strings.HasSuffix(test.Image, ":latest") {
				t.Errorf("%s runs %s: not pinned", test.Entrypoint[1], test.Image)
			}
		}
	}
	want := []string{
		"basic/basic-check-spec",
		"olm/olm-bundle-validation", "olm/olm-crds-have-validation", "olm/olm-crds-have-resources",
		"olm/olm-spec-descriptors", "olm/olm-status-descriptors",
		"custom/descriptors", "custom/examples", "custom/permissions", "custom/book-lifecycle", "custom/metrics-and-events",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("scorecard tests (-want +got):\n%s", diff)
	}
}
