// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build e2e

package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// book is one MarkdownView under test.
type book struct {
	types.NamespacedName
}

// publish creates a MarkdownView and waits until it is Ready.
func publish(t *testing.T, namespace, name string, spec viewv1.MarkdownViewSpec) book {
	t.Helper()
	b := create(t, namespace, name, spec)
	b.waitReady(t)
	return b
}

func create(t *testing.T, namespace, name string, spec viewv1.MarkdownViewSpec) book {
	t.Helper()
	view := &viewv1.MarkdownView{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: spec}
	if err := kube.Create(t.Context(), view); err != nil {
		t.Fatalf("create MarkdownView %s: %v", name, err)
	}
	return book{client.ObjectKeyFromObject(view)}
}

func (b book) get(t *testing.T) *viewv1.MarkdownView {
	t.Helper()
	view := &viewv1.MarkdownView{}
	if err := kube.Get(t.Context(), b.NamespacedName, view); err != nil {
		t.Fatalf("get MarkdownView %s: %v", b.Name, err)
	}
	return view
}

// edit changes the spec.
func (b book) edit(t *testing.T, change func(*viewv1.MarkdownViewSpec)) {
	t.Helper()
	view := b.get(t)
	before := view.DeepCopy()
	change(&view.Spec)
	if err := kube.Patch(t.Context(), view, client.MergeFrom(before)); err != nil {
		t.Fatalf("edit MarkdownView %s: %v", b.Name, err)
	}
}

// waitReady waits until the spec of this moment is served by every replica.
func (b book) waitReady(t *testing.T) {
	t.Helper()
	generation := b.get(t).Generation
	eventually(t, "MarkdownView "+b.Name+" is Ready", func() error {
		status := b.get(t).Status
		ready := meta.FindStatusCondition(status.Conditions, viewv1.ConditionReady)
		switch {
		case status.ObservedGeneration < generation:
			return fmt.Errorf("generation %d is observed, not %d", status.ObservedGeneration, generation)
		case ready == nil || ready.Status != metav1.ConditionTrue:
			return fmt.Errorf("conditions %+v", status.Conditions)
		}
		return nil
	})
}

// waitCondition waits for a condition with this status and reason, and returns its message.
func (b book) waitCondition(t *testing.T, kind string, status metav1.ConditionStatus, reason string) string {
	t.Helper()
	var message string
	eventually(t, fmt.Sprintf("MarkdownView %s has %s=%s (%s)", b.Name, kind, status, reason), func() error {
		conditions := b.get(t).Status.Conditions
		got := meta.FindStatusCondition(conditions, kind)
		if got == nil || got.Status != status || got.Reason != reason {
			return fmt.Errorf("conditions %+v", conditions)
		}
		message = got.Message
		return nil
	})
	return message
}

// waitEvent waits for an event about the book with exactly these words.
func (b book) waitEvent(t *testing.T, kind, reason, message string) {
	t.Helper()
	eventually(t, fmt.Sprintf("an event tells %q of MarkdownView %s", message, b.Name), func() error {
		var list corev1.EventList
		if err := kube.List(t.Context(), &list, client.InNamespace(b.Namespace)); err != nil {
			return err
		}
		var about []string
		for _, event := range list.Items {
			if event.InvolvedObject.Kind != "MarkdownView" || event.InvolvedObject.Name != b.Name {
				continue
			}
			if event.Type == kind && event.Reason == reason && event.Message == message {
				return nil
			}
			about = append(about, strings.Join([]string{event.Type, event.Reason, event.Message}, " "))
		}
		return fmt.Errorf("there are %q", about)
	})
}

// fetch gets a path of the book through its Service, as a reader in the cluster reaches it: the API
// server's proxy picks a ready pod, as kube-proxy does.
func (b book) fetch(t *testing.T, path string) (status int, body string) {
	t.Helper()
	status, body, err := b.tryFetch(t, path)
	if err != nil {
		t.Fatalf("fetch %s: %v", path, err)
	}
	return status, body
}

func (b book) tryFetch(t *testing.T, path string) (status int, body string, err error) {
	t.Helper()
	address := restConfig.Host + "/api/v1/namespaces/" + b.Namespace + "/services/http:viewer-" + b.Name + ":80/proxy/" + (&url.URL{Path: path}).EscapedPath()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		return 0, "", err
	}
	response, err := httpClient.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	return response.StatusCode, string(raw), err
}

// mustServe waits until path is served with 200 and holds each text. It waits, because the Service
// follows the pods a moment later than the Deployment's status does: watchBook is for a claim that a
// book is served at every moment.
func (b book) mustServe(t *testing.T, path string, texts ...string) {
	t.Helper()
	eventually(t, path+" is served", func() error { return b.serves(t, path, texts...) })
}

func (b book) serves(t *testing.T, path string, texts ...string) error {
	t.Helper()
	status, body, err := b.tryFetch(t, path)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return fmt.Errorf("%s is answered with %d", path, status)
	}
	for _, text := range texts {
		if !strings.Contains(body, text) {
			return fmt.Errorf("%s does not hold %q", path, text)
		}
	}
	return nil
}

// mustNotFind waits until path is answered with 404, for the same reason.
func (b book) mustNotFind(t *testing.T, path string) {
	t.Helper()
	eventually(t, path+" is not there", func() error {
		status, _, err := b.tryFetch(t, path)
		if err == nil && status != http.StatusNotFound {
			err = fmt.Errorf("it is answered with %d", status)
		}
		return err
	})
}

// handbook is a small book with folders, a name in another alphabet, an image and settings.
func handbook() viewv1.MarkdownViewSpec {
	return viewv1.MarkdownViewSpec{
		Markdowns: map[string]string{
			"SUMMARY.md":       "# Summary\n\n- [Welcome](welcome.md)\n- [Guide](guide/README.md)\n  - [Install](guide/install.md)\n- [手順](日本語/手順.md)\n",
			"welcome.md":       "# Welcome\n\nFirst words of the handbook.\n\n![Plan](images/plan.png)\n",
			"guide/README.md":  "# Guide\n\nOverview of the guide.\n",
			"guide/install.md": "# Install\n\nPut it on a shelf.\n",
			"日本語/手順.md":        "# 手順\n\n本を棚に置く。\n",
			"book.toml":        "[book]\ntitle = \"The Handbook\"\n",
		},
		Assets: map[string]viewv1.Base64{"images/plan.png": viewv1.EncodeBase64([]byte(planPNG))},
	}
}

// planPNG need not be a picture to be served byte for byte; it must not be text.
const planPNG = "\x89PNG\r\n\x1a\n\x00\xff\xfe not a picture"
