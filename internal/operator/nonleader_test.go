// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/util/cert"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/operator"
)

// TestNonLeaderAnswersAdmission: the Service of the webhooks has every replica of the manager behind
// it, so one that waits for the lease must judge MarkdownViews as well, while it reconciles none.
func TestNonLeaderAnswersAdmission(t *testing.T) {
	c := newCluster(t)
	lease := &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: "leader"},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity: new("another"), LeaseDurationSeconds: new(int32(3600)),
			AcquireTime: new(metav1.NowMicro()), RenewTime: new(metav1.NowMicro()),
		},
	}
	if err := c.Create(t.Context(), lease); err != nil {
		t.Fatal(err)
	}
	view := c.view("book", book("# Hello"))
	if err := c.Create(t.Context(), view); err != nil {
		t.Fatal(err)
	}
	end := newWebhookEnd(t)
	c.startOperator(func(s *operator.Settings) {
		s.LeaderElect, s.LeaseName, s.LeaseNamespace = true, lease.Name, c.namespace
		s.Webhooks, s.WebhookCertDir, s.WebhookHost, s.WebhookPort = true, end.folder, end.host, end.port
	})

	var good *admissionv1.AdmissionResponse
	c.eventually("an answer", func() (err error) {
		good, err = end.review(view)
		return err
	})
	if !good.Allowed {
		t.Errorf("a good book is refused: %v", good.Result)
	}
	bad, err := end.review(c.view("bad", map[string]string{"SUMMARY.md": "- [Home](gone.md)\n"}))
	if err != nil {
		t.Fatal(err)
	}
	if bad.Allowed || !strings.Contains(bad.Result.Message, "SUMMARY.md:1:3: page gone.md is not in spec.markdowns") {
		t.Errorf("a book with a dead link is answered with %v", bad)
	}

	c.settle()
	if err := c.Get(t.Context(), c.key(lease.Name), lease); err != nil {
		t.Fatal(err)
	}
	if holder := *lease.Spec.HolderIdentity; holder != "another" {
		t.Errorf("the lease is held by %s: the test has asked a leader", holder)
	}
	if writes := c.requests.writes(); len(writes) > 0 {
		t.Errorf("without the lease it wrote: %v", writes)
	}
}

// TestWebhooksOutliveTheOrderToStop: a manager that is told to stop still answers until the Service has
// forgotten it, or the API server would refuse what people write meanwhile.
func TestWebhooksOutliveTheOrderToStop(t *testing.T) {
	c := newCluster(t)
	end := newWebhookEnd(t)
	const drain = 2 * time.Second
	c.startOperator(func(s *operator.Settings) {
		s.Webhooks, s.WebhookCertDir, s.WebhookHost, s.WebhookPort = true, end.folder, end.host, end.port
		s.WebhookDrain = drain
	})
	view := c.view("book", book("# Hello"))
	c.eventually("an answer", func() error {
		_, err := end.review(view)
		return err
	})
	stopped := make(chan struct{})
	told := time.Now()
	go func() {
		defer close(stopped)
		c.stop()
	}()
	// As the API server does, it keeps its connection: an answer that does not end it would have the next
	// question meet a server that closes.
	end.client.Transport.(*http.Transport).DisableKeepAlives = false
	for answered := 0; ; answered++ {
		_, err := end.review(view)
		if err == nil {
			if end.kept.Load() && time.Since(told) > time.Second {
				t.Fatal("an answer in the drain keeps its connection")
			}
			continue
		}
		if lasted := time.Since(told); lasted < drain || answered == 0 {
			t.Errorf("%d reviews are answered, and none after %s; want %s: %v", answered, lasted, drain, err)
		}
		break
	}
	<-stopped
}

// webhookEnd is where a manager under test serves its webhooks, and a client that trusts it alone.
type webhookEnd struct {
	folder, host string
	port         int
	client       *http.Client
	// kept tells that the last answer left its connection open.
	kept *atomic.Bool
}

func newWebhookEnd(t *testing.T) webhookEnd {
	t.Helper()
	end := webhookEnd{folder: t.TempDir(), host: "127.0.0.1", kept: &atomic.Bool{}}
	certificate, key, err := cert.GenerateSelfSignedCertKey(end.host, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, pem := range map[string][]byte{"tls.crt": certificate, "tls.key": key} {
		if err := os.WriteFile(filepath.Join(end.folder, name), pem, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(certificate)
	end.client = &http.Client{
		Timeout:   5 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}, DisableKeepAlives: true},
	}
	// The manager takes 0 for its default port, so a free one is looked for here.
	listener, err := net.Listen("tcp", net.JoinHostPort(end.host, "0"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	end.port = listener.Addr().(*net.TCPAddr).Port
	return end
}

// review asks the validating webhook about a new MarkdownView, as the API server does.
func (e webhookEnd) review(view *viewv1.MarkdownView) (*admissionv1.AdmissionResponse, error) {
	view = view.DeepCopy()
	view.SetGroupVersionKind(viewv1.GroupVersion.WithKind("MarkdownView"))
	object, err := json.Marshal(view)
	if err != nil {
		return nil, err
	}
	question, err := json.Marshal(admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "AdmissionReview"},
		Request: &admissionv1.AdmissionRequest{
			UID: "1", Operation: admissionv1.Create, Namespace: view.Namespace, Name: view.Name,
			Kind: metav1.GroupVersionKind(view.GroupVersionKind()), Object: runtime.RawExtension{Raw: object},
		},
	})
	if err != nil {
		return nil, err
	}
	address := "https://" + net.JoinHostPort(e.host, strconv.Itoa(e.port)) + "/validate-view-bobuhiro11-net-v1-markdownview"
	response, err := e.client.Post(address, "application/json", bytes.NewReader(question))
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	e.kept.Store(!response.Close)
	var answer admissionv1.AdmissionReview
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || answer.Response == nil {
		return nil, fmt.Errorf("the answer has status %s and no AdmissionReview: %w", response.Status, err)
	}
	return answer.Response, nil
}
