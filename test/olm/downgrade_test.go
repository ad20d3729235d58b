// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build olm

package olm

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/operator-framework/api/pkg/operators/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// noDowngrade checks that a channel whose head is older changes nothing. Where OLM finds nothing to do
// it writes nothing, so it is led there by way of a channel that does not exist: its complaint of that
// one goes only after it has resolved the older channel, and has made its InstallPlan if it wants one.
func noDowngrade(t *testing.T) {
	t.Helper()
	before := installed(t)
	follow(t, "no-such-channel", corev1.ConditionTrue)
	follow(t, "stable", corev1.ConditionUnknown) // which is: no such condition
	if diff := cmp.Diff(before, installed(t)); diff != "" {
		t.Errorf("the older channel changed what OLM installs (-before +after):\n%s", diff)
	}
	subscription, err := get(t.Context(), &v1alpha1.Subscription{}, systemNamespace, "markdown-view")
	if err != nil {
		t.Fatal(err)
	}
	if status := subscription.Status; status.CurrentCSV != csvName("0.3.0") || status.InstalledCSV != csvName("0.3.0") {
		t.Errorf("the subscription is at %s with %s installed, want 0.3.0", status.CurrentCSV, status.InstalledCSV)
	}
	runs(t, "0.3.0")
}

// follow has the subscription follow a channel, with nobody to ask for approval, and waits until OLM
// says of it that its resolution failed, or no longer says so.
func follow(t *testing.T, channel string, failed corev1.ConditionStatus) {
	t.Helper()
	subscription, err := get(t.Context(), &v1alpha1.Subscription{}, systemNamespace, "markdown-view")
	if err != nil {
		t.Fatal(err)
	}
	before := subscription.DeepCopy()
	subscription.Spec.Channel, subscription.Spec.StartingCSV = channel, csvName("0.2.0")
	subscription.Spec.InstallPlanApproval = v1alpha1.ApprovalAutomatic
	if err := admin.Patch(t.Context(), subscription, client.MergeFrom(before)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "OLM has resolved the channel "+channel, time.Minute, func() error {
		subscription, err := get(t.Context(), &v1alpha1.Subscription{}, systemNamespace, "markdown-view")
		if err != nil {
			return err
		}
		if condition := subscription.Status.GetCondition(v1alpha1.SubscriptionResolutionFailed); condition.Status != failed {
			return fmt.Errorf("the subscription's condition is %+v", condition)
		}
		return nil
	})
}

// installed names the InstallPlans and ClusterServiceVersions of the operator's namespace, each with
// its UID: one that is made anew is another one.
func installed(t *testing.T) []string {
	t.Helper()
	plans, csvs := &v1alpha1.InstallPlanList{}, &v1alpha1.ClusterServiceVersionList{}
	for _, list := range []client.ObjectList{plans, csvs} {
		if err := admin.List(t.Context(), list, client.InNamespace(systemNamespace)); err != nil {
			t.Fatal(err)
		}
	}
	var found []string
	for _, plan := range plans.Items {
		found = append(found, fmt.Sprintf("InstallPlan %s of %v (%s)", plan.Name, plan.Spec.ClusterServiceVersionNames, plan.UID))
	}
	for _, csv := range csvs.Items {
		found = append(found, fmt.Sprintf("ClusterServiceVersion %s (%s)", csv.Name, csv.UID))
	}
	slices.Sort(found)
	return found
}
