// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build olm

package olm

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	operatorsv1 "github.com/operator-framework/api/pkg/operators/v1"
	"github.com/operator-framework/api/pkg/operators/v1alpha1"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// The book that lives through all of it, in a namespace of its own.
const (
	team     = "team-handbook"
	handbook = "handbook"
)

// TestLifecycle is the life of one installation: it is installed, upgraded twice, and removed. Each
// step stands on the one before it, so they are not tests of their own.
func TestLifecycle(t *testing.T) {
	copiesUnlessToldNotTo(t)
	run(t, "catalogue")
	run(t, "install", "VERSION=0.1.0")
	proposed(t, "0.1.0")
	run(t, "approve")
	run(t, "succeeded")
	runs(t, "0.1.0")
	copied(t, true)
	run(t, "no-copies")
	copied(t, false)

	create(t, &corev1.Namespace{ObjectMeta: restricted(team)})
	create(t, newBook(team, handbook, "The first text."))
	ready(t, team, handbook)
	url := publish(t, team, handbook)
	serves(t, url, "The first text.")
	webhooksRefuse(t, team)

	fetching := startReaders(url)
	// Held back by a change under way, and let through by the administrator.
	well := heldBack(t, "0.1.0", "0.2.0", "The second text.")
	run(t, "override")
	run(t, "succeeded")
	well()
	runs(t, "0.2.0")
	servedBy(t, "0.2.0")
	serves(t, url, "The second text.")
	webhooksRefuse(t, team) // by the certificate of this version

	// Held back by a change under way, until that is done.
	run(t, "channel")
	heldBack(t, "0.2.0", "0.3.0", "The third text.")()
	run(t, "succeeded")
	runs(t, "0.3.0")
	ready(t, team, handbook)
	servedBy(t, "0.3.0")
	serves(t, url, "The third text.")
	webhooksRefuse(t, team)

	servedFromMirror(t, "0.3.0")
	serves(t, url, "The third text.")
	noDowngrade(t)
	removed(t, url)
	fetching.end(t)
	booksRemoved(t)
}

// restricted is the metadata of a namespace that enforces the strictest Pod Security level.
func restricted(name string) metav1.ObjectMeta {
	out := named("", name)
	out.Labels = map[string]string{"pod-security.kubernetes.io/enforce": "restricted"}
	return out
}

func create(t *testing.T, object client.Object) {
	t.Helper()
	if err := admin.Create(t.Context(), object); err != nil {
		t.Fatalf("create %T %s: %v", object, object.GetName(), err)
	}
}

func csvName(version string) string { return "markdown-view.v" + version }

// proposed waits until OLM asks for the approval of a version.
func proposed(t *testing.T, version string) {
	t.Helper()
	eventually(t, "OLM proposes "+version, 4*time.Minute, func() error {
		subscription, err := get(t.Context(), &v1alpha1.Subscription{}, systemNamespace, "markdown-view")
		if err != nil {
			return err
		}
		status := subscription.Status
		if status.State != v1alpha1.SubscriptionStateUpgradePending || status.CurrentCSV != csvName(version) {
			return fmt.Errorf("the subscription is %s with %s", status.State, status.CurrentCSV)
		}
		return nil
	})
}

// runs waits until the operator of that version runs, by the image that its bundle names, with OLM's
// names in its environment.
func runs(t *testing.T, version string) {
	t.Helper()
	eventually(t, version+" runs", 2*time.Minute, func() error {
		csv, err := get(t.Context(), &v1alpha1.ClusterServiceVersion{}, systemNamespace, csvName(version))
		if err == nil && (csv.Spec.Version.String() != version || csv.Status.Phase != v1alpha1.CSVPhaseSucceeded) {
			err = fmt.Errorf("the ClusterServiceVersion is %s, %s: %s", csv.Spec.Version, csv.Status.Phase, csv.Status.Message)
		}
		return err
	})
	if container := runsImageOf(t, version); !slices.ContainsFunc(container.Env, func(env corev1.EnvVar) bool {
		return env.Name == "OPERATOR_CONDITION_NAME" && env.Value == csvName(version)
	}) {
		t.Errorf("OLM did not name its OperatorCondition %s: %v", csvName(version), container.Env)
	}
}

// runsImageOf checks that the operator's image is what that version's bundle names, by digest.
func runsImageOf(t *testing.T, version string) corev1.Container {
	t.Helper()
	csv, err := get(t.Context(), &v1alpha1.ClusterServiceVersion{}, systemNamespace, csvName(version))
	if err != nil {
		t.Fatal(err)
	}
	deployment, err := get(t.Context(), &appsv1.Deployment{}, systemNamespace, deploymentName)
	if err != nil {
		t.Fatal(err)
	}
	container := deployment.Spec.Template.Spec.Containers[0]
	if container.Image != csv.Annotations["containerImage"] || !strings.Contains(container.Image, "@sha256:") {
		t.Errorf("the operator's image is %s, want %s, by digest", container.Image, csv.Annotations["containerImage"])
	}
	return container
}

// copiesUnlessToldNotTo gives OLM back its default, which an earlier run on this cluster may have changed.
func copiesUnlessToldNotTo(t *testing.T) {
	t.Helper()
	config := &operatorsv1.OLMConfig{ObjectMeta: named("", "cluster")}
	if err := admin.Patch(t.Context(), config, client.RawPatch(types.MergePatchType, []byte(`{"spec":{"features":null}}`))); err != nil {
		t.Fatalf("patch OLMConfig %s: %v", config.Name, err)
	}
}

// copied waits until other namespaces hold copies of the ClusterServiceVersion, or until none does.
func copied(t *testing.T, want bool) {
	t.Helper()
	eventually(t, fmt.Sprintf("the ClusterServiceVersion is copied: %t", want), 2*time.Minute, func() error {
		list := &v1alpha1.ClusterServiceVersionList{}
		if err := admin.List(t.Context(), list); err != nil {
			return err
		}
		var copies []string
		for _, csv := range list.Items {
			if csv.IsCopied() {
				copies = append(copies, csv.Namespace+"/"+csv.Name)
			}
		}
		if (len(copies) > 0) != want {
			return fmt.Errorf("copies: %v", copies)
		}
		return nil
	})
}

// servedBy waits until the book's pods run what that version of the operator names, all by digest.
func servedBy(t *testing.T, version string) {
	t.Helper()
	csv, err := get(t.Context(), &v1alpha1.ClusterServiceVersion{}, systemNamespace, csvName(version))
	if err != nil {
		t.Fatal(err)
	}
	related := map[string]bool{}
	for _, image := range csv.Spec.RelatedImages {
		related[image.Image] = strings.Contains(image.Image, "@sha256:")
	}
	rolledOut(t, "the book is served by the images of "+version, related)
}

// rolledOut waits until all that the book's pods run is among images, and the rollout has ended.
func rolledOut(t *testing.T, what string, images map[string]bool) {
	t.Helper()
	eventually(t, what, 3*time.Minute, func() error {
		deployment, err := get(t.Context(), &appsv1.Deployment{}, team, "viewer-"+handbook)
		if err != nil {
			return err
		}
		pod, status := deployment.Spec.Template.Spec, deployment.Status
		for _, container := range append(pod.InitContainers, pod.Containers...) {
			if !images[container.Image] {
				return fmt.Errorf("%s runs %s, which is none of these by digest: %v", container.Name, container.Image, images)
			}
		}
		if status.ObservedGeneration != deployment.Generation || status.UpdatedReplicas != 1 || status.Replicas != 1 || status.AvailableReplicas != 1 {
			return fmt.Errorf("the rollout is under way: %+v", status)
		}
		return nil
	})
}

// webhooksRefuse checks what only the webhook can see, and the contract's two messages. For some seconds
// after an upgrade the answer may be about OLM's certificates instead.
func webhooksRefuse(t *testing.T, namespace string) {
	t.Helper()
	missing := newBook(namespace, "missing-page", "")
	delete(missing.Spec.Markdowns, "welcome.md")
	outOfRange := newBook(namespace, "out-of-range", "")
	outOfRange.Spec.Replicas = new(int32(1000))
	outOfRange.Spec.Markdowns = map[string]string{"welcome.md": "# Welcome\n"}
	cases := []struct {
		book *viewv1.MarkdownView
		want []string
	}{
		{missing, []string{"SUMMARY.md:3", "welcome.md"}},
		{outOfRange, []string{
			"spec.replicas: Invalid value: 1000: replicas must be in the range of 1 to 5.",
			"spec.markdowns: Required value: markdowns must have SUMMARY.md.",
		}},
	}
	for _, c := range cases {
		eventually(t, "the webhook of "+namespace+" refuses "+c.book.Name, time.Minute, func() error {
			err := admin.Create(t.Context(), c.book)
			for _, want := range c.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					return fmt.Errorf("the answer lacks %q: %w", want, err)
				}
			}
			return nil
		})
	}
}

// removed uninstalls the operator as the page says, and checks what the page promises.
func removed(t *testing.T, url string) {
	t.Helper()
	run(t, "uninstall")
	gone(t, systemNamespace)
	if err := admin.Get(t.Context(), client.ObjectKey{Namespace: team, Name: handbook}, &viewv1.MarkdownView{}); err != nil {
		t.Errorf("the book went with the operator: %v", err)
	}
	eventually(t, "no webhook configuration is left", time.Minute, func() error { return noWebhooks(t.Context()) })
	serves(t, url, "The third text.")
	// With nobody to ask, an edit must still be taken.
	edit(t, team, handbook, "Written while nobody was there.")
	holds(t, "the book is served without the operator", 10*time.Second, func() error {
		deployment, err := get(t.Context(), &appsv1.Deployment{}, team, "viewer-"+handbook)
		if err == nil && deployment.Status.AvailableReplicas != 1 {
			err = fmt.Errorf("%d pods serve it", deployment.Status.AvailableReplicas)
		}
		return err
	})
}

// gone waits until a namespace no longer exists.
func gone(t *testing.T, name string) {
	t.Helper()
	eventually(t, "namespace "+name+" is gone", time.Minute, func() error {
		namespace, err := get(t.Context(), &corev1.Namespace{}, "", name)
		if apierrors.IsNotFound(err) {
			return nil
		}
		return fmt.Errorf("it is %s: %v (%w)", namespace.Status.Phase, namespace.Status.Conditions, err)
	})
}

func noWebhooks(ctx context.Context) error {
	validating, mutating := &admissionv1.ValidatingWebhookConfigurationList{}, &admissionv1.MutatingWebhookConfigurationList{}
	if err := admin.List(ctx, validating); err != nil {
		return err
	}
	if err := admin.List(ctx, mutating); err != nil {
		return err
	}
	for _, configuration := range validating.Items {
		return fmt.Errorf("%s is left", configuration.Name)
	}
	for _, configuration := range mutating.Items {
		return fmt.Errorf("%s is left", configuration.Name)
	}
	return nil
}

// booksRemoved deletes a namespace with a book in it while no operator runs, then what is left of
// books, and checks that this was all.
func booksRemoved(t *testing.T) {
	t.Helper()
	if err := admin.Delete(t.Context(), &corev1.Namespace{ObjectMeta: named("", team)}); err != nil {
		t.Fatal(err)
	}
	gone(t, team)
	run(t, "remove-books")
	eventually(t, "no role of the operator is left", time.Minute, func() error {
		roles, bindings := &rbacv1.ClusterRoleList{}, &rbacv1.ClusterRoleBindingList{}
		if err := admin.List(t.Context(), roles); err != nil {
			return err
		}
		if err := admin.List(t.Context(), bindings); err != nil {
			return err
		}
		var left []string
		for _, role := range roles.Items {
			left = append(left, role.Name)
		}
		for _, binding := range bindings.Items {
			left = append(left, binding.Name)
		}
		left = slices.DeleteFunc(left, func(name string) bool { return !strings.Contains(name, "markdown") })
		if len(left) > 0 {
			return fmt.Errorf("%v", left)
		}
		return nil
	})
}
