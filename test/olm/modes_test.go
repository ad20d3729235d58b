// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build olm

package olm

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	operatorsv1 "github.com/operator-framework/api/pkg/operators/v1"
	"github.com/operator-framework/api/pkg/operators/v1alpha1"
	appsv1 "k8s.io/api/apps/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// TestInstallModes installs the operator once more in each mode that names namespaces, side by side;
// TestLifecycle is AllNamespaces.
func TestInstallModes(t *testing.T) {
	const elsewhere = "no-operator-here"
	run(t, "catalogue")
	create(t, &corev1.Namespace{ObjectMeta: restricted(elsewhere)})
	modes := map[string]struct {
		system  string
		targets []string
	}{
		"OwnNamespace":    {"own", []string{"own"}},
		"SingleNamespace": {"single", []string{"single-team"}},
		"MultiNamespace":  {"multi", []string{"multi-team-a", "multi-team-b"}},
	}
	t.Run("side by side", func(t *testing.T) {
		for name, mode := range modes {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				subscribe(t, mode.system, mode.targets)
				watchesOnly(t, mode.system, mode.targets)
				mayWriteOnly(t, mode.system, mode.targets, elsewhere)
				for _, target := range mode.targets {
					eventually(t, "a book in "+target+" is taken", 2*time.Minute, func() error {
						return client.IgnoreAlreadyExists(admin.Create(t.Context(), newBook(target, handbook, "Served in "+target)))
					})
					ready(t, target, handbook)
					serves(t, publish(t, target, handbook), "Served in "+target)
					webhooksRefuse(t, target)
				}
			})
		}
	})
	// All three run by now. A webhook of theirs would refuse this book, for it lacks a page; and if any of
	// them acted on it, its status would tell of that page.
	missing := newBook(elsewhere, handbook, "")
	delete(missing.Spec.Markdowns, "welcome.md")
	create(t, missing)
	holds(t, "nobody acts on a book elsewhere", 5*time.Second, func() error {
		book, err := get(t.Context(), &viewv1.MarkdownView{}, elsewhere, handbook)
		if err == nil && len(book.Status.Conditions) > 0 {
			err = fmt.Errorf("it has a status: %+v", book.Status)
		}
		return err
	})
	for _, mode := range modes {
		unsubscribe(t, mode.system)
	}
	eventually(t, "no webhook configuration is left", time.Minute, func() error { return noWebhooks(t.Context()) })
	for _, mode := range modes {
		removeNamespaces(t, append(mode.targets, mode.system)...)
	}
	removeNamespaces(t, elsewhere)
	run(t, "remove-books")
}

// subscribe installs the operator in system for targets, and waits until it runs.
func subscribe(t *testing.T, system string, targets []string) {
	t.Helper()
	for _, name := range append([]string{system}, targets...) {
		namespace := &corev1.Namespace{ObjectMeta: restricted(name)}
		if err := admin.Create(t.Context(), namespace); client.IgnoreAlreadyExists(err) != nil {
			t.Fatal(err)
		}
	}
	create(t, &operatorsv1.OperatorGroup{
		ObjectMeta: named(system, "markdown-view"), Spec: operatorsv1.OperatorGroupSpec{TargetNamespaces: targets},
	})
	create(t, &v1alpha1.Subscription{ObjectMeta: named(system, "markdown-view"), Spec: &v1alpha1.SubscriptionSpec{
		CatalogSource: "markdown-view", CatalogSourceNamespace: "operator-lifecycle-manager", Package: "markdown-view",
		Channel: "candidate", InstallPlanApproval: v1alpha1.ApprovalAutomatic,
	}})
	eventually(t, "the operator in "+system+" has Succeeded", 6*time.Minute, func() error {
		subscription, err := get(t.Context(), &v1alpha1.Subscription{}, system, "markdown-view")
		if err != nil {
			return err
		}
		name := subscription.Status.InstalledCSV
		if name == "" {
			return fmt.Errorf("nothing is installed: %+v", subscription.Status)
		}
		csv, err := get(t.Context(), &v1alpha1.ClusterServiceVersion{}, system, name)
		if err == nil && csv.Status.Phase != v1alpha1.CSVPhaseSucceeded {
			err = fmt.Errorf("%s is %s: %s", csv.Name, csv.Status.Phase, csv.Status.Message)
		}
		return err
	})
}

// watchesOnly checks what OLM tells the operator to watch.
func watchesOnly(t *testing.T, system string, targets []string) {
	t.Helper()
	deployment, err := get(t.Context(), &appsv1.Deployment{}, system, deploymentName)
	if err != nil {
		t.Fatal(err)
	}
	if got := deployment.Spec.Template.Annotations["olm.targetNamespaces"]; got != strings.Join(targets, ",") {
		t.Errorf("the operator in %s is told to watch %q, want %v", system, got, targets)
	}
	for _, env := range deployment.Spec.Template.Spec.Containers[0].Env {
		if env.Name == "WATCH_NAMESPACE" && env.ValueFrom.FieldRef.FieldPath == "metadata.annotations['olm.targetNamespaces']" {
			return
		}
	}
	t.Error(errors.New("WATCH_NAMESPACE does not come from OLM's annotation"))
}

// mayWriteOnly asks the API server what OLM's roles let the operator do: create Deployments in its targets,
// and neither elsewhere nor in the whole cluster.
func mayWriteOnly(t *testing.T, system string, targets []string, elsewhere string) {
	t.Helper()
	ask := func(namespace string, want bool) {
		review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
			User:   "system:serviceaccount:" + system + ":" + deploymentName,
			Groups: []string{"system:serviceaccounts", "system:serviceaccounts:" + system, "system:authenticated"},
			ResourceAttributes: &authorizationv1.ResourceAttributes{
				Namespace: namespace, Verb: "create", Group: "apps", Resource: "deployments",
			},
		}}
		create(t, review)
		if review.Status.Allowed != want {
			t.Errorf("may the operator in %s create Deployments in %q: %t, want %t (%s)",
				system, namespace, review.Status.Allowed, want, review.Status.Reason)
		}
	}
	for _, target := range targets {
		ask(target, true)
	}
	ask(elsewhere, false)
	ask("", false)
}

// unsubscribe removes the operator in a namespace, in the page's order.
func unsubscribe(t *testing.T, system string) {
	t.Helper()
	for _, object := range []client.Object{&v1alpha1.Subscription{}, &v1alpha1.ClusterServiceVersion{}} {
		if err := admin.DeleteAllOf(t.Context(), object, client.InNamespace(system)); err != nil {
			t.Fatal(err)
		}
	}
}

func removeNamespaces(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		namespace := &corev1.Namespace{ObjectMeta: named("", name)}
		if err := admin.Delete(t.Context(), namespace); client.IgnoreNotFound(err) != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		gone(t, name)
	}
}
