// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Release is what only the person who releases knows.
type Release struct {
	// Replaces is the name of the ClusterServiceVersion before this one, or empty for the first.
	Replaces string
	// SkipRange is a semver range of versions that upgrade to this one directly.
	SkipRange string
	// Created is the release's date, RFC 3339. The date of a build would make each build differ.
	Created string
}

// Complete edits csv in place. It is an error if operator-sdk left out what it builds on.
func Complete(csv map[string]any, release Release) error {
	images, err := RelatedImages(csv)
	if err != nil {
		return err
	}
	example, err := initializationResource(csv)
	if err != nil {
		return err
	}
	annotations := map[string]string{
		"createdAt":      release.Created,
		"containerImage": images[0].Image,
		"olm.skipRange":  release.SkipRange,
		"operatorframework.io/initialization-resource": example,
		"features.operators.openshift.io/disconnected": strconv.FormatBool(mirrorable(images)),
	}
	for key, value := range annotations {
		if err := setOrRemove(csv, value, "metadata", "annotations", key); err != nil {
			return err
		}
	}
	if err := setOrRemove(csv, release.Replaces, "spec", "replaces"); err != nil {
		return err
	}
	// Deleting the operator never deletes books: OLM's cleanup would.
	if err := unstructured.SetNestedField(csv, false, "spec", "cleanup", "enabled"); err != nil {
		return fmt.Errorf("set spec.cleanup: %w", err)
	}
	list := make([]any, len(images))
	for i, image := range images {
		list[i] = map[string]any{"name": image.Name, "image": image.Image}
	}
	if err := unstructured.SetNestedSlice(csv, list, "spec", "relatedImages"); err != nil {
		return fmt.Errorf("set spec.relatedImages: %w", err)
	}
	return nil
}

// mirrorable tells whether a mirror can stand for every image: it keeps digests, not what tags meant.
func mirrorable(images []RelatedImage) bool {
	return !slices.ContainsFunc(images, func(image RelatedImage) bool { return !strings.Contains(image.Image, "@sha256:") })
}

func setOrRemove(csv map[string]any, value string, fields ...string) error {
	if value == "" {
		unstructured.RemoveNestedField(csv, fields...)
		return nil
	}
	if err := unstructured.SetNestedField(csv, value, fields...); err != nil {
		return fmt.Errorf("set %v: %w", fields, err)
	}
	return nil
}

// initializationResource is the smallest of the examples: a console offers it right after the
// installation, and a person edits it into a first book.
func initializationResource(csv map[string]any) (string, error) {
	text, _, err := unstructured.NestedString(csv, "metadata", "annotations", "alm-examples")
	if err != nil {
		return "", fmt.Errorf("read alm-examples: %w", err)
	}
	var examples []json.RawMessage
	if err := json.Unmarshal([]byte(text), &examples); err != nil {
		return "", fmt.Errorf("read alm-examples: %w", err)
	}
	if len(examples) == 0 {
		return "", errors.New("alm-examples is empty: config/samples has no example")
	}
	smallest := slices.MinFunc(examples, func(a, b json.RawMessage) int { return len(a) - len(b) })
	indented, err := json.MarshalIndent(smallest, "", "  ")
	if err != nil {
		return "", fmt.Errorf("write the initialization resource: %w", err)
	}
	return string(indented), nil
}
