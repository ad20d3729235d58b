// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Images that the chart's values name; nothing pulls them here.
const (
	ViewerImage = "docker.io/peaceiris/mdbook:v0.5.0"
	ServerImage = "server:latest"
)

// Values returns the chart's values for a view. It is what the operator's own package values makes,
// for the simple paths of this workload: that package is built against another version of
// Kubernetes' libraries than the peer, so it cannot be linked with it.
func Values(view *unstructured.Unstructured) map[string]any {
	markdowns, _, _ := unstructured.NestedStringMap(view.Object, "spec", "markdowns")
	sum := sha256.New()
	data, items := map[string]any{}, []any{}
	for _, path := range slices.Sorted(maps.Keys(markdowns)) {
		sum.Write([]byte(path + "\x00" + markdowns[path] + "\x00"))
		key := strings.ReplaceAll(path, "/", "_2f")
		data[key] = markdowns[path]
		items = append(items, map[string]any{"key": key, "path": "src/" + path})
	}
	hash := hex.EncodeToString(sum.Sum(nil)[:8])
	return map[string]any{
		"name": view.GetName(), "replicas": int64(1),
		"viewer": map[string]any{"image": ViewerImage},
		"server": map[string]any{"image": ServerImage},
		"content": map[string]any{
			"hash": hash, "settings": false,
			"configMaps": []any{map[string]any{
				"name": "markdowns-" + view.GetName() + "-" + hash, "data": data, "binaryData": map[string]any{}, "items": items,
			}},
		},
	}
}
