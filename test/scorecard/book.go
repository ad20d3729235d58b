// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// Examples sends every example of the bundle to the API server as a dry run: schema, CEL rules and
// webhooks judge it, and nothing is kept.
func Examples(ctx context.Context, bundle Bundle, cluster Cluster) []string {
	examples, err := bundle.Examples()
	if err != nil {
		return []string{err.Error()}
	}
	shown := map[string]bool{}
	var problems []string
	for _, example := range examples {
		shown[example.GetKind()+"/"+example.GroupVersionKind().Version] = true
		example.SetNamespace(cluster.Namespace)
		if err := cluster.Create(ctx, example, client.DryRunAll, client.FieldValidation("Strict")); err != nil {
			problems = append(problems, fmt.Sprintf("the API server refuses the example %s: %v", example.GetName(), err))
		}
	}
	for _, owned := range bundle.CSV.Spec.CustomResourceDefinitions.Owned {
		if !shown[owned.Kind+"/"+owned.Version] {
			problems = append(problems, fmt.Sprintf("%s of version %s has no example", owned.Kind, owned.Version))
		}
	}
	return problems
}

// BookLifecycle publishes a book, edits it, breaks it, mends it and deletes it: what a reader sees is
// always the last good text.
func BookLifecycle(ctx context.Context, _ Bundle, cluster Cluster) []string {
	book, err := cluster.publish(ctx, "scorecard-lifecycle", "# One\n\nFirst words.\n")
	if err != nil {
		return []string{err.Error()}
	}
	problems := steps(ctx, book)
	if err := book.remove(ctx); err != nil {
		problems = append(problems, err.Error())
	}
	return problems
}

// steps stops at the first that fails: each needs the one before.
func steps(ctx context.Context, book Book) []string {
	page := func(text string) func(map[string]string) {
		return func(markdowns map[string]string) {
			delete(markdowns, viewv1.SettingsPath)
			markdowns["page.md"] = text
		}
	}
	for name, step := range []func() error{
		func() error { return book.waitReady(ctx, viewv1.ReasonHealthy) },
		func() error { return book.waitServed(ctx, "First words.") },
		func() error { return book.edit(ctx, page("# Two\n\nSecond words.\n")) },
		func() error { return book.waitReady(ctx, viewv1.ReasonHealthy) },
		func() error { return book.waitServed(ctx, "Second words.") },
		// Only mdBook itself finds this one wrong.
		func() error {
			return book.edit(ctx, func(markdowns map[string]string) {
				markdowns[viewv1.SettingsPath] = "[book]\ntext-direction = \"up\"\n"
				markdowns["page.md"] = "# Three\n\nBroken words.\n"
			})
		},
		func() error { return book.waitReady(ctx, viewv1.ReasonBuildFailed) },
		func() error { return book.waitServed(ctx, "Second words.") },
		func() error { return book.edit(ctx, page("# Four\n\nMended words.\n")) },
		func() error { return book.waitReady(ctx, viewv1.ReasonHealthy) },
		func() error { return book.waitServed(ctx, "Mended words.") },
	} {
		if err := step(); err != nil {
			return []string{fmt.Sprintf("step %d: %v", name+1, err)}
		}
	}
	return nil
}

// nothingLeft names what is left of a deleted book.
func (b Book) nothingLeft(ctx context.Context) error {
	if _, err := b.get(ctx); !apierrors.IsNotFound(err) {
		return fmt.Errorf("the MarkdownView is still there (%w)", err)
	}
	for _, list := range []client.ObjectList{
		&corev1.ConfigMapList{}, &corev1.ServiceList{}, &corev1.ServiceAccountList{}, &corev1.PodList{}, &appsv1.DeploymentList{},
	} {
		if err := b.List(ctx, list, client.InNamespace(b.Namespace), client.MatchingLabels{
			viewv1.LabelName: viewv1.NameMdbook, viewv1.LabelInstance: b.Name,
		}); err != nil {
			return fmt.Errorf("list what is left: %w", err)
		}
		if count := items(list); count > 0 {
			return fmt.Errorf("%d objects are left in a %T", count, list)
		}
	}
	return nil
}
