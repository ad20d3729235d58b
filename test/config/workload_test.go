// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package config

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	podsecurity "k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

const deployment = "markdown-view-controller-manager"

func manager(t *testing.T, path string) appsv1.Deployment {
	t.Helper()
	return into[appsv1.Deployment](t, renderTree(t, path).named(t, "Deployment", deployment))
}

func TestEveryPodIsRestricted(t *testing.T) {
	checks, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	level := podsecurity.LevelVersion{Level: podsecurity.LevelRestricted, Version: podsecurity.LatestVersion()}
	for _, path := range []string{"../../config/default", "../../config/own-certs", uncommented(t, "secret-driver")} {
		for _, object := range renderTree(t, path).of("Deployment") {
			template := into[appsv1.Deployment](t, object).Spec.Template
			verdict := policy.AggregateCheckResults(checks.EvaluatePod(level, &template.ObjectMeta, &template.Spec))
			if !verdict.Allowed {
				t.Errorf("%s: Pod Security refuses %s: %s", path, object.GetName(), verdict.ForbiddenDetail())
			}
			for _, container := range template.Spec.Containers {
				if context := container.SecurityContext; context == nil || context.ReadOnlyRootFilesystem == nil || !*context.ReadOnlyRootFilesystem {
					t.Errorf("%s: container %s of %s may write to its image", path, container.Name, object.GetName())
				}
			}
		}
	}
}

func TestNamespaceEnforcesRestricted(t *testing.T) {
	for _, path := range []string{"../../config/default", "../../config/own-certs"} {
		namespace := renderTree(t, path).named(t, "Namespace", "markdown-view-system")
		if got := namespace.GetLabels()[podsecurity.EnforceLevelLabel]; got != string(podsecurity.LevelRestricted) {
			t.Errorf("%s: the namespace enforces %q, not restricted", path, got)
		}
	}
}

// images returns the images that a Deployment runs or gives to pods that it makes, by where they stand.
func images(d appsv1.Deployment) map[string]string {
	found := map[string]string{}
	for _, container := range slices.Concat(d.Spec.Template.Spec.InitContainers, d.Spec.Template.Spec.Containers) {
		found[container.Name] = container.Image
		for _, env := range container.Env {
			if relatedImage.MatchString(env.Name) {
				found[env.Name] = env.Value
			}
		}
	}
	return found
}

var (
	relatedImage = regexp.MustCompile(`^RELATED_IMAGE_`)
	// pinned is an image with a version's tag or a digest.
	pinned = regexp.MustCompile(`^[^:@]+(:\d+/[^:@]+)?(:v\d+\.\d+\.\d+|@sha256:[0-9a-f]{64})$`)
)

func TestImagesArePinned(t *testing.T) {
	// The blog post's own words: they are built on the spot and loaded into a node.
	builtHere := map[string]string{"manager": "controller:latest", "RELATED_IMAGE_SERVER": "server:latest"}
	for place, image := range images(manager(t, "../../config/default")) {
		if !pinned.MatchString(image) && builtHere[place] != image {
			t.Errorf("%s is %s: neither a version nor a digest", place, image)
		}
	}
}

func TestImagesFollowKustomize(t *testing.T) {
	want := map[string]string{
		"manager":              "registry.example:5000/markdown-view/manager:v9",
		"RELATED_IMAGE_SERVER": "registry.example/markdown-view/server@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	}
	got := images(manager(t, "testdata/images"))
	mirrored := got["RELATED_IMAGE_VIEWER"]
	delete(got, "RELATED_IMAGE_VIEWER")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("images (-want +got):\n%s", diff)
	}
	if !regexp.MustCompile(`^mirror\.example/mdbook:v`).MatchString(mirrored) {
		t.Errorf("the viewer's image did not follow its mirror: %s", mirrored)
	}
}

func TestManagerMeetsTheContract(t *testing.T) {
	d := manager(t, "../../config/default")
	container := d.Spec.Template.Spec.Containers[0]
	type facts struct {
		Ports               map[string]int32
		Liveness, Readiness string
		Args                []string
		Requests, Limits    bool
		Mounts              []string
		GracePeriod         int64
	}
	ports := map[string]int32{}
	for _, port := range container.Ports {
		ports[port.Name] = port.ContainerPort
	}
	var mounts []string
	for _, mount := range container.VolumeMounts {
		mounts = append(mounts, mount.MountPath)
	}
	slices.Sort(mounts)
	want := facts{
		Ports:       map[string]int32{"probes": 8081, "metrics": 8443, "webhook-server": 9443},
		Liveness:    "/healthz",
		Readiness:   "/readyz",
		Args:        []string{"--leader-elect", "--health-probe-bind-address=:8081", "--metrics-bind-address=:8443"},
		Requests:    true,
		Limits:      true,
		Mounts:      []string{"/tmp/k8s-metrics-server/serving-certs", "/tmp/k8s-webhook-server/serving-certs"},
		GracePeriod: 30,
	}
	got := facts{
		Ports:       ports,
		Liveness:    container.LivenessProbe.HTTPGet.Path,
		Readiness:   container.ReadinessProbe.HTTPGet.Path,
		Args:        container.Args,
		Requests:    len(container.Resources.Requests) == 2,
		Limits:      !container.Resources.Limits.Memory().IsZero(),
		Mounts:      mounts,
		GracePeriod: *d.Spec.Template.Spec.TerminationGracePeriodSeconds,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("manager (-want +got):\n%s", diff)
	}
}

// TestCollectorKnowsTheLimit: the Go runtime is told of the container's limit, less what is not heap.
func TestCollectorKnowsTheLimit(t *testing.T) {
	container := manager(t, "../../config/default").Spec.Template.Spec.Containers[0]
	i := slices.IndexFunc(container.Env, func(v corev1.EnvVar) bool { return v.Name == "GOMEMLIMIT" })
	if i < 0 {
		t.Fatal("GOMEMLIMIT is not set")
	}
	// Go writes MiB as Kubernetes writes Mi.
	heap := resource.MustParse(strings.TrimSuffix(container.Env[i].Value, "B"))
	limit := container.Resources.Limits.Memory()
	if share := heap.AsApproximateFloat64() / limit.AsApproximateFloat64(); share < 0.75 || share > 0.95 {
		t.Errorf("GOMEMLIMIT is %s of a limit of %s, want three quarters to 95 %%", container.Env[i].Value, limit)
	}
}

func TestServicesReachTheManager(t *testing.T) {
	objects := renderTree(t, "../../config/default")
	labels := manager(t, "../../config/default").Spec.Template.Labels
	for name, target := range map[string]string{
		"markdown-view-webhook-service":                    "webhook-server",
		"markdown-view-controller-manager-metrics-service": "metrics",
	} {
		service := into[corev1.Service](t, objects.named(t, "Service", name))
		if got := service.Spec.Ports[0].TargetPort.StrVal; got != target {
			t.Errorf("%s goes to port %q, not %q", name, got, target)
		}
		for key, value := range service.Spec.Selector {
			if labels[key] != value {
				t.Errorf("%s selects %s=%s, which the manager's pod does not carry", name, key, value)
			}
		}
	}
}

func TestWebhooksPointToTheirService(t *testing.T) {
	objects := renderTree(t, "../../config/default")
	mutating := into[admissionv1.MutatingWebhookConfiguration](t, objects.of("MutatingWebhookConfiguration")[0])
	validating := into[admissionv1.ValidatingWebhookConfiguration](t, objects.of("ValidatingWebhookConfiguration")[0])
	type hook struct {
		Name, Service, Namespace, CA string
		Policy                       admissionv1.FailurePolicyType
	}
	want := []hook{
		{
			Name: "mmarkdownview.kb.io", Service: "markdown-view-webhook-service", Namespace: "markdown-view-system",
			CA: "markdown-view-system/markdown-view-serving-cert", Policy: admissionv1.Fail,
		},
		{
			Name: "vmarkdownview.kb.io", Service: "markdown-view-webhook-service", Namespace: "markdown-view-system",
			CA: "markdown-view-system/markdown-view-serving-cert", Policy: admissionv1.Fail,
		},
	}
	const injectCA = "cert-manager.io/inject-ca-from"
	m, v := mutating.Webhooks[0], validating.Webhooks[0]
	got := []hook{
		{m.Name, m.ClientConfig.Service.Name, m.ClientConfig.Service.Namespace, mutating.Annotations[injectCA], *m.FailurePolicy},
		{v.Name, v.ClientConfig.Service.Name, v.ClientConfig.Service.Namespace, validating.Annotations[injectCA], *v.FailurePolicy},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("webhooks (-want +got):\n%s", diff)
	}
}

func TestMonitoringReadsTheMetricsService(t *testing.T) {
	objects := renderTree(t, uncommented(t, "monitoring"))
	monitor := objects.named(t, "ServiceMonitor", "markdown-view-controller-manager-metrics-monitor")
	if monitor.GetNamespace() != "markdown-view-system" {
		t.Errorf("the ServiceMonitor is in %s", monitor.GetNamespace())
	}
	dashboard := into[corev1.ConfigMap](t, objects.named(t, "ConfigMap", "markdown-view-grafana-dashboard"))
	for _, gauge := range []string{"markdownview_notready", "markdownview_available", "markdownview_healthy"} {
		if !regexp.MustCompile(gauge).MatchString(dashboard.Data["markdown-view.json"]) {
			t.Errorf("the dashboard does not show %s", gauge)
		}
	}
}
