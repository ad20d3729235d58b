// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package render

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
)

// Chart is a parsed chart that many renderings share.
type Chart struct {
	chart  *chart.Chart
	files  []*loader.BufferedFile
	digest string
	hooks  bool
}

// LoadChart parses the chart in folder dir of files. The error names the file that is wrong.
func LoadChart(files fs.FS, dir string) (*Chart, error) {
	var buffered []*loader.BufferedFile
	sum := sha256.New()
	err := fs.WalkDir(files, dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(path, dir+"/")
		fmt.Fprintf(sum, "%d %s %d %s\n", len(name), name, len(data), data)
		buffered = append(buffered, &loader.BufferedFile{Name: name, Data: data})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("chart %s: %w", dir, err)
	}
	loaded, err := loader.LoadFiles(buffered)
	if err != nil {
		return nil, fmt.Errorf("chart %s: %w", dir, err)
	}
	if len(loaded.CRDObjects()) > 0 {
		return nil, fmt.Errorf("chart %s: it holds custom resource definitions; they are the bundle's, not a release's", dir)
	}
	return &Chart{chart: loaded, files: buffered, digest: hex.EncodeToString(sum.Sum(nil)), hooks: hasHooks(loaded)}, nil
}

// Copy returns the chart for one Helm action. Helm's ProcessDependencies writes into the chart, into
// its subcharts and into all their values, so actions never share one.
func (c *Chart) Copy() *chart.Chart {
	if len(c.chart.Dependencies()) > 0 {
		again, err := loader.LoadFiles(c.files)
		if err != nil {
			panic(fmt.Sprintf("render: chart %s was read before and does not read again: %v", c.Name(), err))
		}
		return again
	}
	own := *c.chart
	metadata := *c.chart.Metadata
	own.Metadata = &metadata
	own.Values = copyValues(c.chart.Values)
	return &own
}

// HasHooks tells whether any template, those of subcharts too, speaks of Helm hooks. Only Helm's own uninstall runs the
// deletion hooks, so such a chart's owner needs the finalizer.
func (c *Chart) HasHooks() bool { return c.hooks }

// hookAnnotation is the annotation as YAML's key, in any quotes or none, or as a string of a template that
// builds it. An annotation of a hook, such as helm.sh/hook-weight, makes none by itself.
var hookAnnotation = regexp.MustCompile("helm\\.sh/hook(?:[\"`]|'?\\s*:)")

func hasHooks(c *chart.Chart) bool {
	return slices.ContainsFunc(c.Dependencies(), hasHooks) || slices.ContainsFunc(c.Templates, func(file *chart.File) bool {
		return hookAnnotation.Match(file.Data)
	})
}

// Name of the chart, from Chart.yaml.
func (c *Chart) Name() string { return c.chart.Name() }

// Version of the chart, from Chart.yaml.
func (c *Chart) Version() string { return c.chart.Metadata.Version }

func copyValues(values map[string]any) map[string]any {
	out := make(map[string]any, len(values))
	for key, value := range values {
		if sub, ok := value.(map[string]any); ok {
			value = copyValues(sub)
		}
		out[key] = value
	}
	return out
}

// Capabilities returns what a chart may know of an API server of that version, such as "v1.37.2".
func Capabilities(version string) (*chartutil.Capabilities, error) {
	kubernetes, err := chartutil.ParseKubeVersion(version)
	if err != nil {
		return nil, fmt.Errorf("the API server's version %q: %w", version, err)
	}
	capabilities := chartutil.DefaultCapabilities.Copy()
	capabilities.KubeVersion = *kubernetes
	return capabilities, nil
}
