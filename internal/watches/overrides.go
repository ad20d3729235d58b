// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package watches

import (
	"fmt"
	"maps"
	"slices"

	"helm.sh/helm/v3/pkg/strvals"
)

// expand returns override values as a nested tree: dotted keys become paths, environment variables
// their values. A dotted key with a text value is read as `helm install --set` reads it, so numbers
// and booleans keep their types.
func expand(overrides map[string]any, getenv func(string) string) (map[string]any, error) {
	tree := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(overrides)) {
		value, err := expandValue(overrides[key], getenv)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		text, isText := value.(string)
		if !isText {
			tree[key] = value
			continue
		}
		if err := strvals.ParseInto(key+"="+text, tree); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
	}
	return tree, nil
}

func expandValue(value any, getenv func(string) string) (any, error) {
	switch v := value.(type) {
	case string:
		return expandString(v, getenv)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			item, err := expandValue(v[i], getenv)
			if err != nil {
				return nil, fmt.Errorf("[%d]: %w", i, err)
			}
			out[i] = item
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(v))
		for k := range v {
			item, err := expandValue(v[k], getenv)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", k, err)
			}
			out[k] = item
		}
		return out, nil
	default:
		return value, nil
	}
}
