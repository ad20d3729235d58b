// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/releaseutil"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Request is everything that decides a rendering.
type Request struct {
	Chart *Chart
	// Values are the release's values, merged over the chart's own by Helm.
	Values map[string]any
	// Owner is the object that the release belongs to.
	Owner Owner
	// Capabilities of the API server; only the Kubernetes version counts for the digest.
	Capabilities *chartutil.Capabilities
}

// marksVersion changes when Mark does, so that an operator's update reaches objects whose chart and
// values did not change.
const marksVersion = "1"

// digestLength is the number of hexadecimal digits of a digest: 128 bits, and short enough for a label.
const digestLength = 32

// Digest names the rendering of a request without rendering it: equal digests render equal objects.
func Digest(request Request) (string, error) {
	values, err := json.Marshal(request.Values)
	if err != nil {
		return "", fmt.Errorf("values do not marshal: %w", err)
	}
	sum := sha256.New()
	for _, part := range []string{
		marksVersion, request.Chart.digest, request.Capabilities.KubeVersion.Version,
		request.Owner.Namespace, request.Owner.ReleaseName(), string(request.Owner.UID), string(values),
	} {
		fmt.Fprintf(sum, "%d ", len(part))
		sum.Write([]byte(part))
	}
	return hex.EncodeToString(sum.Sum(nil))[:digestLength], nil
}

// Objects renders a request. Each object is marked; the order is Helm's install order. Hooks are left
// out: they belong to an action, not to the release's state.
func Objects(request Request) ([]*unstructured.Unstructured, error) {
	_, manifests, err := manifests(request)
	if err != nil {
		return nil, err
	}
	var objects []*unstructured.Unstructured
	for _, manifest := range manifests {
		object, err := parseOne(manifest.Content, request.Owner.Namespace)
		if err != nil {
			return nil, fmt.Errorf("chart %s: %s: %w", request.Chart.Name(), manifest.Name, err)
		}
		if object != nil {
			Mark(object, request.Owner)
			objects = append(objects, object)
		}
	}
	return objects, nil
}

// Hooks renders a request's hooks, as Helm's actions run them.
func Hooks(request Request) ([]*release.Hook, error) {
	hooks, _, err := manifests(request)
	return hooks, err
}

func manifests(request Request) ([]*release.Hook, []releaseutil.Manifest, error) {
	options := chartutil.ReleaseOptions{
		Name: request.Owner.ReleaseName(), Namespace: request.Owner.Namespace, Revision: 1, IsInstall: true,
	}
	top, err := chartutil.ToRenderValues(request.Chart.Copy(), request.Values, options, request.Capabilities)
	if err != nil {
		return nil, nil, fmt.Errorf("chart %s: %w", request.Chart.Name(), err)
	}
	files, err := engine.Engine{}.Render(request.Chart.Copy(), top)
	if err != nil {
		return nil, nil, fmt.Errorf("chart %s: %w", request.Chart.Name(), err)
	}
	for name := range files {
		if strings.HasSuffix(name, "NOTES.txt") {
			delete(files, name)
		}
	}
	hooks, sorted, err := releaseutil.SortManifests(files, nil, releaseutil.InstallOrder)
	if err != nil {
		return nil, nil, fmt.Errorf("chart %s: %w", request.Chart.Name(), err)
	}
	return hooks, sorted, nil
}

// ObjectDigest names a rendered object's whole content.
func ObjectDigest(object *unstructured.Unstructured) string {
	data, err := object.MarshalJSON()
	if err != nil {
		// An object that came out of a YAML parser always marshals.
		panic(fmt.Sprintf("render: %s %s does not marshal: %v", object.GetKind(), object.GetName(), err))
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])[:digestLength]
}
