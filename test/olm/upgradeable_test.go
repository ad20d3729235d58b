// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build olm

package olm

import (
	"fmt"
	"testing"
	"time"

	"github.com/operator-framework/api/pkg/operators/v1alpha1"
	operatorsv2 "github.com/operator-framework/api/pkg/operators/v2"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// heldBack has a release stuck in mid-change, by an API server that does not get to its requests,
// approves the upgrade from one version to the next, and checks that OLM keeps it back. The API server
// is well again once the function that it returns is called.
func heldBack(t *testing.T, from, to, text string) (well func()) {
	t.Helper()
	well = jam(t)
	edit(t, team, handbook, text)
	upgradeable(t, from, metav1.ConditionFalse, viewv1.OperatorReleasing)
	proposed(t, to)
	run(t, "approve")
	eventually(t, to+" waits", time.Minute, func() error { return waits(t, to) })
	holds(t, to+" is held back while a release is being changed", 10*time.Second, func() error { return waits(t, to) })
	runsImageOf(t, from)
	return well
}

// waits complains unless OLM holds a version back because of the operator's condition.
func waits(t *testing.T, version string) error {
	t.Helper()
	csv, err := get(t.Context(), &v1alpha1.ClusterServiceVersion{}, systemNamespace, csvName(version))
	if err != nil {
		return err
	}
	if csv.Status.Phase != v1alpha1.CSVPhasePending || csv.Status.Reason != v1alpha1.CSVReasonOperatorConditionNotUpgradeable {
		return fmt.Errorf("%s is %s, %s: %s", version, csv.Status.Phase, csv.Status.Reason, csv.Status.Message)
	}
	return nil
}

// upgradeable waits until the operator says so in the OperatorCondition that OLM made for it.
func upgradeable(t *testing.T, version string, status metav1.ConditionStatus, reason string) {
	t.Helper()
	eventually(t, fmt.Sprintf("Upgradeable is %s, %s", status, reason), time.Minute, func() error {
		condition, err := get(t.Context(), &operatorsv2.OperatorCondition{}, systemNamespace, csvName(version))
		if err != nil {
			return err
		}
		found := meta.FindStatusCondition(condition.Spec.Conditions, operatorsv2.Upgradeable)
		if found == nil || found.Status != status || found.Reason != reason {
			return fmt.Errorf("the operator says %+v", found)
		}
		return nil
	})
}

// jam makes the API server queue every change that the operator makes to a Deployment, as an
// overloaded one does, until the function that it returns is called. After a quarter of a minute it
// answers 429, and the client asks again.
func jam(t *testing.T) (end func()) {
	t.Helper()
	const name = "jam-markdown-view"
	level := &flowcontrolv1.PriorityLevelConfiguration{
		ObjectMeta: named("", name),
		Spec: flowcontrolv1.PriorityLevelConfigurationSpec{
			Type: flowcontrolv1.PriorityLevelEnablementLimited,
			Limited: &flowcontrolv1.LimitedPriorityLevelConfiguration{
				NominalConcurrencyShares: new(int32(0)), BorrowingLimitPercent: new(int32(0)),
				LimitResponse: flowcontrolv1.LimitResponse{
					Type:    flowcontrolv1.LimitResponseTypeQueue,
					Queuing: &flowcontrolv1.QueuingConfiguration{Queues: 1, HandSize: 1, QueueLengthLimit: 10},
				},
			},
		},
	}
	schema := &flowcontrolv1.FlowSchema{
		ObjectMeta: named("", name),
		Spec: flowcontrolv1.FlowSchemaSpec{
			PriorityLevelConfiguration: flowcontrolv1.PriorityLevelConfigurationReference{Name: name},
			MatchingPrecedence:         2, // 1 is reserved
			Rules: []flowcontrolv1.PolicyRulesWithSubjects{{
				Subjects: []flowcontrolv1.Subject{{
					Kind:           flowcontrolv1.SubjectKindServiceAccount,
					ServiceAccount: &flowcontrolv1.ServiceAccountSubject{Namespace: systemNamespace, Name: deploymentName},
				}},
				ResourceRules: []flowcontrolv1.ResourcePolicyRule{{
					Verbs: []string{"create", "patch", "update"}, APIGroups: []string{"apps"}, Resources: []string{"deployments"}, Namespaces: []string{team},
				}},
			}},
		},
	}
	create(t, level)
	create(t, schema)
	return func() {
		for _, object := range []client.Object{schema, level} {
			if err := admin.Delete(t.Context(), object); err != nil {
				t.Fatal(err)
			}
		}
	}
}
