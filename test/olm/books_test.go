// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build olm

package olm

import (
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// newBook returns a book of one page with text.
func newBook(namespace, name, text string) *viewv1.MarkdownView {
	return &viewv1.MarkdownView{
		ObjectMeta: named(namespace, name),
		Spec:       viewv1.MarkdownViewSpec{Markdowns: pages(text)},
	}
}

func pages(text string) map[string]string {
	return map[string]string{viewv1.SummaryPath: "# Summary\n\n- [Welcome](welcome.md)\n", "welcome.md": "# Welcome\n\n" + text + "\n"}
}

// ready waits until a book is Ready as of its present generation.
func ready(t *testing.T, namespace, name string) {
	t.Helper()
	eventually(t, "book "+namespace+"/"+name+" is Ready", 4*time.Minute, func() error {
		book, err := get(t.Context(), &viewv1.MarkdownView{}, namespace, name)
		if err != nil {
			return err
		}
		condition := meta.FindStatusCondition(book.Status.Conditions, viewv1.ConditionReady)
		if condition == nil || condition.Status != metav1.ConditionTrue || condition.ObservedGeneration != book.Generation {
			return fmt.Errorf("condition %+v at generation %d", condition, book.Generation)
		}
		return nil
	})
}

// edit gives a book another text. For some seconds around an upgrade OLM's new certificate and the
// webhook that still has the old one do not match; a person would type the command again.
func edit(t *testing.T, namespace, name, text string) {
	t.Helper()
	eventually(t, "an edit is taken", time.Minute, func() error {
		book, err := get(t.Context(), &viewv1.MarkdownView{}, namespace, name)
		if err != nil {
			return err
		}
		before := book.DeepCopy()
		book.Spec.Markdowns = pages(text)
		return admin.Patch(t.Context(), book, client.MergeFrom(before))
	})
}

// publish makes a book's Service reachable from this machine and returns the page's URL.
func publish(t *testing.T, namespace, name string) string {
	t.Helper()
	output, err := exec.Command("../../bin/cluster", "publish", namespace+"/viewer-"+name).CombinedOutput()
	if err != nil {
		t.Fatalf("publish %s/%s: %v: %s", namespace, name, err, output)
	}
	return strings.TrimSpace(string(output)) + "welcome.html"
}

// fetch gets a page; anything but a whole 200 is an error.
func fetch(reader *http.Client, url string) (string, error) {
	response, err := reader.Get(url)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return "", err
	}
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s: %s", url, response.Status)
	}
	return string(body), nil
}

// serves waits until a page has text.
func serves(t *testing.T, url, text string) {
	t.Helper()
	reader := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	eventually(t, "the page says "+text, time.Minute, func() error {
		page, err := fetch(reader, url)
		if err == nil && !strings.Contains(page, text) {
			err = fmt.Errorf("the page lacks %q", text)
		}
		return err
	})
}

// readers fetch a page all the while, one by new connections and one by a connection that it keeps.
type readers struct {
	stop chan struct{}
	done sync.WaitGroup

	mu       sync.Mutex
	requests int
	failures []string
}

func startReaders(url string) *readers {
	r := &readers{stop: make(chan struct{})}
	for _, keep := range []bool{false, true} {
		reader := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: !keep}}
		r.done.Go(func() {
			for {
				select {
				case <-r.stop:
					return
				case <-time.After(50 * time.Millisecond):
				}
				_, err := fetch(reader, url)
				r.mu.Lock()
				r.requests++
				if err != nil {
					r.failures = append(r.failures, fmt.Sprintf("%s keep-alive=%t: %v", time.Now().Format(time.TimeOnly), keep, err))
				}
				r.mu.Unlock()
			}
		})
	}
	return r
}

// end stops the readers and fails the test if a single request failed.
func (r *readers) end(t *testing.T) {
	t.Helper()
	close(r.stop)
	r.done.Wait()
	t.Logf("readers: %d requests, %d failed", r.requests, len(r.failures))
	if len(r.failures) > 0 || r.requests == 0 {
		t.Errorf("%d of %d requests failed: %s", len(r.failures), r.requests, strings.Join(r.failures, "\n"))
	}
}
