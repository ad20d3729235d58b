// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator

import (
	"crypto/sha256"
	"encoding/hex"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// leaseName returns the lease of a shard: operators whose watches.yaml selects different objects must
// not wait for each other, and two with the same selector must.
func leaseName(name string, selector *metav1.LabelSelector) string {
	if selector == nil || len(selector.MatchLabels)+len(selector.MatchExpressions) == 0 {
		return name
	}
	sum := sha256.Sum256([]byte(metav1.FormatLabelSelector(selector)))
	return name + "-" + hex.EncodeToString(sum[:4])
}
