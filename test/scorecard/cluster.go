// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// Cluster is the cluster that the test's pod runs in, seen with its ServiceAccount's rights
// (test/scorecard/rbac.yaml).
type Cluster struct {
	client.Client
	// Namespace of the pod: test objects are made there.
	Namespace string
	Config    *rest.Config
}

// inCluster makes a test of a function that needs the cluster.
func inCluster(run func(context.Context, Bundle, Cluster) []string) test {
	return func(ctx context.Context, bundle Bundle) []string {
		cluster, err := connect()
		if err != nil {
			return []string{err.Error()}
		}
		return run(ctx, bundle, cluster)
	}
}

func connect() (Cluster, error) {
	config, err := ctrl.GetConfig()
	if err != nil {
		return Cluster{}, fmt.Errorf("no cluster to connect to: %w", err)
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, viewv1.AddToScheme} {
		if err := add(scheme); err != nil {
			return Cluster{}, fmt.Errorf("build the scheme: %w", err)
		}
	}
	api, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return Cluster{}, fmt.Errorf("connect to the cluster: %w", err)
	}
	namespace, err := os.ReadFile("/var/run/secrets/kubernetes.io/serviceaccount/namespace")
	if err != nil {
		return Cluster{}, fmt.Errorf("the namespace to test in: %w", err)
	}
	return Cluster{Client: api, Namespace: strings.TrimSpace(string(namespace)), Config: config}, nil
}

// eventually calls check once a second until it returns nil. The error tells what was waited for and
// what was seen last.
func eventually(ctx context.Context, what string, check func(context.Context) error) error {
	last := errors.New("nothing was seen")
	err := wait.PollUntilContextCancel(ctx, time.Second, true, func(ctx context.Context) (bool, error) {
		if err := check(ctx); err != nil {
			// The end of the wait is no news of its own.
			if ctx.Err() == nil {
				last = err
			}
			return false, nil
		}
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("waited in vain until %s: %w", what, last)
	}
	return nil
}

// fetch returns the text at a URL. Any status but 200 is an error.
func fetch(ctx context.Context, doer *http.Client, url, token string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return "", fmt.Errorf("GET %s: %w", url, err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := doer.Do(request)
	if err != nil {
		return "", fmt.Errorf("GET %s: %w", url, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return "", fmt.Errorf("GET %s: %w", url, err)
	}
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("GET %s: %s", url, response.Status)
	}
	return string(body), nil
}

// Book is a MarkdownView that a test makes, and removes when it ends.
type Book struct {
	Cluster
	Name string
}

// publish creates a book of one page.
func (c Cluster) publish(ctx context.Context, name, text string) (Book, error) {
	view := &viewv1.MarkdownView{}
	view.Namespace, view.Name = c.Namespace, name
	view.Spec.Markdowns = map[string]string{viewv1.SummaryPath: "- [Page](page.md)\n", "page.md": text}
	if err := c.Create(ctx, view); err != nil {
		return Book{}, fmt.Errorf("create MarkdownView %s: %w", name, err)
	}
	return Book{Cluster: c, Name: name}, nil
}

func (b Book) get(ctx context.Context) (*viewv1.MarkdownView, error) {
	view := &viewv1.MarkdownView{}
	err := b.Get(ctx, client.ObjectKey{Namespace: b.Namespace, Name: b.Name}, view)
	return view, err
}

// edit changes the book's files by a merge patch.
func (b Book) edit(ctx context.Context, change func(markdowns map[string]string)) error {
	view, err := b.get(ctx)
	if err != nil {
		return fmt.Errorf("read MarkdownView %s: %w", b.Name, err)
	}
	before := view.DeepCopy()
	change(view.Spec.Markdowns)
	if err := b.Patch(ctx, view, client.MergeFrom(before)); err != nil {
		return fmt.Errorf("edit MarkdownView %s: %w", b.Name, err)
	}
	return nil
}

// waitReady waits until the condition Ready of the present generation has a reason.
func (b Book) waitReady(ctx context.Context, reason string) error {
	return eventually(ctx, "Ready has the reason "+reason, func(ctx context.Context) error {
		view, err := b.get(ctx)
		if err != nil {
			return err
		}
		ready := meta.FindStatusCondition(view.Status.Conditions, viewv1.ConditionReady)
		if ready == nil || ready.ObservedGeneration != view.Generation || ready.Reason != reason {
			return fmt.Errorf("generation %d, Ready is %+v", view.Generation, ready)
		}
		return nil
	})
}

// waitServed waits until the book's page has a text.
func (b Book) waitServed(ctx context.Context, text string) error {
	url := fmt.Sprintf("http://viewer-%s.%s.svc/page.html", b.Name, b.Namespace)
	return eventually(ctx, fmt.Sprintf("%s says %q", url, text), func(ctx context.Context) error {
		body, err := fetch(ctx, http.DefaultClient, url, "")
		if err != nil {
			return err
		}
		if !strings.Contains(body, text) {
			return fmt.Errorf("the page says something else (%d bytes)", len(body))
		}
		return nil
	})
}

// remove deletes the book and waits until nothing of it is left.
func (b Book) remove(ctx context.Context) error {
	view := &viewv1.MarkdownView{}
	view.Namespace, view.Name = b.Namespace, b.Name
	if err := b.Delete(ctx, view); err != nil {
		return fmt.Errorf("delete MarkdownView %s: %w", b.Name, err)
	}
	return eventually(ctx, "everything of "+b.Name+" is gone", b.nothingLeft)
}
