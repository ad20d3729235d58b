// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package release

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
)

// secretType is the type that Helm gives its Secrets.
const secretType corev1.SecretType = "helm.sh/release.v1" //nolint:gosec // A type, not a credential.

// SecretRecords keeps records in Secrets, as Helm does by default, for administrators who want
// HELM_DRIVER=secret to find them. It needs permission on Secrets, which the operator otherwise has not.
// The payload is the same as in a ConfigMap, so only the wrapping differs.
type SecretRecords struct{ Secrets corev1client.SecretsGetter }

// ConfigMaps returns the Secrets of a namespace, seen as ConfigMaps.
func (s SecretRecords) ConfigMaps(namespace string) corev1client.ConfigMapInterface {
	return &secretsAsConfigMaps{secrets: s.Secrets.Secrets(namespace)}
}

// secretsAsConfigMaps implements the methods that records uses; the embedded nil interface makes any
// other call a panic rather than a silent error.
type secretsAsConfigMaps struct {
	corev1client.ConfigMapInterface
	secrets corev1client.SecretInterface
}

func (s *secretsAsConfigMaps) Create(ctx context.Context, record *corev1.ConfigMap, options metav1.CreateOptions) (*corev1.ConfigMap, error) {
	secret := &corev1.Secret{ObjectMeta: record.ObjectMeta, Type: secretType, StringData: record.Data}
	created, err := s.secrets.Create(ctx, secret, options)
	return asConfigMap(created, err)
}

func (s *secretsAsConfigMaps) Get(ctx context.Context, name string, options metav1.GetOptions) (*corev1.ConfigMap, error) {
	secret, err := s.secrets.Get(ctx, name, options)
	return asConfigMap(secret, err)
}

func (s *secretsAsConfigMaps) List(ctx context.Context, options metav1.ListOptions) (*corev1.ConfigMapList, error) {
	secrets, err := s.secrets.List(ctx, options)
	if err != nil {
		return nil, err
	}
	list := &corev1.ConfigMapList{ListMeta: secrets.ListMeta}
	for i := range secrets.Items {
		record, _ := asConfigMap(&secrets.Items[i], nil)
		list.Items = append(list.Items, *record)
	}
	return list, nil
}

// Patch takes a merge patch of a ConfigMap record; stringData is what data is to a ConfigMap.
func (s *secretsAsConfigMaps) Patch(
	ctx context.Context, name string, kind types.PatchType, data []byte, options metav1.PatchOptions, subresources ...string,
) (*corev1.ConfigMap, error) {
	patch, err := renameKey(data, "data", "stringData")
	if err != nil {
		return nil, err
	}
	secret, err := s.secrets.Patch(ctx, name, kind, patch, options, subresources...)
	return asConfigMap(secret, err)
}

func (s *secretsAsConfigMaps) Delete(ctx context.Context, name string, options metav1.DeleteOptions) error {
	return s.secrets.Delete(ctx, name, options)
}

func asConfigMap(secret *corev1.Secret, err error) (*corev1.ConfigMap, error) {
	if err != nil {
		return nil, err
	}
	record := &corev1.ConfigMap{ObjectMeta: secret.ObjectMeta, Data: map[string]string{}}
	for key, value := range secret.Data {
		record.Data[key] = string(value)
	}
	return record, nil
}
