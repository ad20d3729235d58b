// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package watches

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"helm.sh/helm/v3/pkg/strvals"
)

// expand returns override values as a nested tree: dotted keys become paths, environment variables
// their values. A text value is read as `helm install --set` reads it, so numbers and booleans keep
// their types; any other value as `helm install --set-json` reads it.
func expand(overrides map[string]any, getenv func(string) string) (map[string]any, error) {
	tree := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(overrides)) {
		value, err := expandValue(overrides[key], getenv)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		if err := put(tree, key, value); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
	}
	for key := range tree {
		tree[key] = whole(tree[key])
	}
	return tree, nil
}

func put(tree map[string]any, key string, value any) error {
	if text, ok := value.(string); ok {
		return strvals.ParseInto(key+"="+text, tree)
	}
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return strvals.ParseJSON(key+"="+string(data), tree)
}

// whole turns whole numbers, which YAML and JSON parsers read as float64, into int64: a template
// would print 1000000.0 as 1e+06, which is no integer to the API server.
func whole(value any) any {
	switch v := value.(type) {
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v)
		}
	case []any:
		for i := range v {
			v[i] = whole(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = whole(v[k])
		}
	}
	return value
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
