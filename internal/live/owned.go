// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	acapps "k8s.io/client-go/applyconfigurations/apps/v1"
	accore "k8s.io/client-go/applyconfigurations/core/v1"
	acpolicy "k8s.io/client-go/applyconfigurations/policy/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// owned is what our field manager holds of an object.
type owned struct {
	// digest of all fields but spec.replicas.
	digest string
	// replicas that we set, or nil.
	replicas *int32
	// scaled tells that an autoscaler sets the replicas.
	scaled bool
}

// ownedOf reads an object's managed fields. The digest covers the fields that our manager applied and
// their values as they are now: it changes when somebody changes, removes or takes over one of them,
// and does not change when somebody adds fields of their own.
//
// The library panics on managed fields that it cannot parse. No API server should return such, but one
// object must not end the process, so that is an error here.
func ownedOf(object client.Object) (out owned, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("managed fields of %T %s/%s: %v", object, object.GetNamespace(), object.GetName(), problem)
		}
	}()
	config, err := extract(object, &out)
	if err != nil {
		return out, fmt.Errorf("managed fields of %T %s/%s: %w", object, object.GetNamespace(), object.GetName(), err)
	}
	data, err := json.Marshal(config)
	if err != nil {
		return out, fmt.Errorf("managed fields of %T %s/%s: %w", object, object.GetNamespace(), object.GetName(), err)
	}
	sum := sha256.Sum256(data)
	out.digest = hex.EncodeToString(sum[:])[:32]
	return out, nil
}

func extract(object client.Object, out *owned) (any, error) {
	switch o := object.(type) {
	case *corev1.ConfigMap:
		return accore.ExtractConfigMap(asApplied(o), viewv1.FieldManager)
	case *corev1.Service:
		return accore.ExtractService(o, viewv1.FieldManager)
	case *corev1.ServiceAccount:
		return accore.ExtractServiceAccount(o, viewv1.FieldManager)
	case *policyv1.PodDisruptionBudget:
		return acpolicy.ExtractPodDisruptionBudget(o, viewv1.FieldManager)
	case *appsv1.Deployment:
		config, err := acapps.ExtractDeployment(o, viewv1.FieldManager)
		if err == nil && config.Spec != nil {
			out.replicas, config.Spec.Replicas = config.Spec.Replicas, nil
		}
		out.scaled = Scaled(o.ManagedFields)
		return config, err
	default:
		return nil, errors.New("not a kind that a chart may render")
	}
}

// asApplied returns a text whose fields we hold because we created it as one whose fields we applied,
// which is what the library extracts. Nothing sets defaults in a ConfigMap, so both are the same fields.
func asApplied(text *corev1.ConfigMap) *corev1.ConfigMap {
	created := -1
	for i, entry := range text.ManagedFields {
		switch {
		case entry.Manager != viewv1.FieldManager:
		case entry.Operation == metav1.ManagedFieldsOperationApply:
			return text
		default:
			created = i
		}
	}
	if created < 0 {
		return text
	}
	applied := *text
	applied.ManagedFields = slices.Clone(text.ManagedFields)
	applied.ManagedFields[created].Operation = metav1.ManagedFieldsOperationApply
	return &applied
}

// Scaled tells whether spec.replicas was last set through the scale subresource by
// something other than a person's kubectl: that is how a HorizontalPodAutoscaler and its kin write.
func Scaled(fields []metav1.ManagedFieldsEntry) bool {
	for _, entry := range fields {
		if entry.Subresource == "scale" && !strings.HasPrefix(entry.Manager, "kubectl") &&
			entry.FieldsV1 != nil && strings.Contains(string(entry.FieldsV1.GetRawBytes()), "f:replicas") {
			return true
		}
	}
	return false
}
