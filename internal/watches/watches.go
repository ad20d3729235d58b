// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package watches reads watches.yaml, the file that ties a kind to the chart that serves it, in the
// format that Operator SDK users know from the hybrid Helm operator.
//
// It is pure: the caller supplies the bytes and the environment, and it must not look for either itself.
package watches

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

// Watch ties one kind to its chart.
type Watch struct {
	schema.GroupVersionKind `json:",inline"`

	// Chart is the chart's folder, slash-separated, relative to the folder of watches.yaml.
	Chart string `json:"chart"`
	// WatchDependentResources: a changed or deleted child is put right at once. Default true.
	WatchDependentResources *bool `json:"watchDependentResources,omitempty"`
	// OverrideValues are chart values that win over the object's own. Keys may be dotted paths
	// ("viewer.pullPolicy"), values may name environment variables ($NAME or ${NAME}).
	OverrideValues map[string]any `json:"overrideValues,omitempty"`
	// ReconcilePeriod between two looks at an object without an event; 0 is none.
	ReconcilePeriod metav1.Duration `json:"reconcilePeriod,omitzero"`
	// MaxConcurrentReconciles is the number of workers, at least 1. Default 10.
	MaxConcurrentReconciles int `json:"maxConcurrentReconciles,omitempty"`
	// Selector limits the objects to those with matching labels, to split them over several operators.
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
}

// DependentResources tells whether children are watched.
func (w Watch) DependentResources() bool {
	return w.WatchDependentResources == nil || *w.WatchDependentResources
}

// Period returns ReconcilePeriod as a duration; 0 is none.
func (w Watch) Period() time.Duration { return w.ReconcilePeriod.Duration }

const defaultWorkers = 10

// Parse reads watches.yaml. Environment variables in override values are looked up by getenv. An
// unknown field, a missing field, a duplicate kind or a selector that does not parse is an error
// that names the entry.
func Parse(data []byte, getenv func(string) string) ([]Watch, error) {
	var list []Watch
	if err := yaml.UnmarshalStrict(bytes.TrimSpace(data), &list); err != nil {
		return nil, fmt.Errorf("watches.yaml: %w", err)
	}
	if len(list) == 0 {
		return nil, errors.New("watches.yaml: no entry; name at least one group, version, kind and chart")
	}
	seen := map[schema.GroupVersionKind]bool{}
	for i := range list {
		if err := complete(&list[i], getenv); err != nil {
			return nil, fmt.Errorf("watches.yaml: entry %d (%s): %w", i+1, list[i].Kind, err)
		}
		if seen[list[i].GroupVersionKind] {
			return nil, fmt.Errorf("watches.yaml: entry %d: %s is named twice", i+1, list[i].GroupVersionKind)
		}
		seen[list[i].GroupVersionKind] = true
	}
	return list, nil
}

func complete(w *Watch, getenv func(string) string) error {
	switch {
	case w.Version == "" || w.Kind == "":
		return errors.New("version and kind must be set")
	case w.Chart == "":
		return errors.New("chart must be set")
	case w.MaxConcurrentReconciles < 0:
		return fmt.Errorf("maxConcurrentReconciles is %d; it must be at least 1", w.MaxConcurrentReconciles)
	case w.ReconcilePeriod.Duration < 0:
		return fmt.Errorf("reconcilePeriod is %s; it must not be negative", w.ReconcilePeriod.Duration)
	}
	if w.MaxConcurrentReconciles == 0 {
		w.MaxConcurrentReconciles = defaultWorkers
	}
	if _, err := metav1.LabelSelectorAsSelector(w.Selector); err != nil {
		return fmt.Errorf("selector: %w", err)
	}
	overrides, err := expand(w.OverrideValues, getenv)
	if err != nil {
		return fmt.Errorf("overrideValues: %w", err)
	}
	w.OverrideValues = overrides
	return nil
}

// expandString replaces environment variables. It is strict where os.Expand is not: an unset
// variable is an error, because an empty image or limit is found out much later.
func expandString(value string, getenv func(string) string) (string, error) {
	var missing string
	out := os.Expand(value, func(name string) string {
		v := getenv(name)
		if v == "" {
			missing = name
		}
		return v
	})
	if missing != "" {
		return "", fmt.Errorf("environment variable %s is not set, or empty", missing)
	}
	return out, nil
}
