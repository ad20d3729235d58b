// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
)

// TestNamespacedNeedsNoClusterRole: with the component, nothing outside its namespace is granted to the
// operator, and within it what the ClusterRole grants elsewhere.
func TestNamespacedNeedsNoClusterRole(t *testing.T) {
	wide, narrow := renderTree(t, "../../config/default"), renderTree(t, uncommented(t, "namespaced"))
	for _, objects := range []tree{narrow, renderTree(t, uncommented(t, "secret-driver", "namespaced"))} {
		for _, binding := range objects.of("ClusterRoleBinding") {
			t.Errorf("ClusterRoleBinding %s is rendered", binding.GetName())
		}
	}
	role := into[rbacv1.Role](t, narrow.named(t, "Role", "markdown-view-manager-role"))
	all := into[rbacv1.ClusterRole](t, wide.named(t, "ClusterRole", "markdown-view-manager-role"))
	if diff := cmp.Diff(all.Rules, role.Rules); diff != "" {
		t.Errorf("the Role is not the ClusterRole (-ClusterRole +Role):\n%s", diff)
	}
	binding := into[rbacv1.RoleBinding](t, narrow.named(t, "RoleBinding", "markdown-view-manager-rolebinding"))
	if binding.RoleRef.Kind != "Role" || binding.RoleRef.Name != role.Name || binding.Namespace != role.Namespace || role.Namespace != "markdown-view-system" {
		t.Errorf("the binding in %s is to %+v, the Role in %s", binding.Namespace, binding.RoleRef, role.Namespace)
	}
	manager := into[appsv1.Deployment](t, narrow.named(t, "Deployment", "markdown-view-controller-manager"))
	want := corev1.EnvVar{Name: "WATCH_NAMESPACE", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.namespace"}}}
	for _, env := range manager.Spec.Template.Spec.Containers[0].Env {
		if env.Name == want.Name {
			if diff := cmp.Diff(want, env); diff != "" {
				t.Errorf("WATCH_NAMESPACE (-want +got):\n%s", diff)
			}
		}
	}
}
