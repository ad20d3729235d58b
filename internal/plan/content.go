// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// NeededContent names the contents that pods may still need, sorted: those of the pods there are, and
// the one last served in full, whose pods may be rescheduled at any time until the next one is served in
// full. served is the hash of that one, empty if no book ever was; rolledOut tells that every replica is
// of the newest Deployment and serves.
func NeededContent(in Input, pods []corev1.Pod, served string, rolledOut bool) []string {
	var needed []string
	for i := range pods {
		if pods[i].DeletionTimestamp.IsZero() {
			needed = append(needed, pods[i].Labels[viewv1.LabelContent])
		}
	}
	servedNow := rolledOut && in.Record != nil && in.Record.Digest == in.Digest
	if served != "" && !servedNow {
		needed = append(needed, served)
	}
	return slices.Compact(slices.Sorted(slices.Values(needed)))
}
