// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// Object is a MarkdownView as JSON, which can hold what a Go value cannot.
type Object struct {
	// Metadata is the JSON of metadata; empty means a name that suits.
	Metadata string
	// Spec is the JSON of spec; empty means that there is none.
	Spec string
}

// JSON is the whole object. name is used where the metadata is left to the table.
func (o Object) JSON(name string) []byte {
	metadata := o.Metadata
	if metadata == "" {
		metadata = fmt.Sprintf(`{"name": %q}`, name)
	}
	spec := ""
	if o.Spec != "" {
		spec = `, "spec": ` + o.Spec
	}
	return fmt.Appendf(nil, `{"apiVersion": %q, "kind": "MarkdownView", "metadata": %s%s}`, viewv1.GroupVersion, metadata, spec)
}

// Answer is what the API server said to an object.
type Answer struct {
	// Lines are what kubectl prints for a refusal, sorted: the API server's own order is random.
	Lines []string
	// Warnings are what kubectl prints before that, in order.
	Warnings []string
	// Created is the object as it was stored; empty for a refusal.
	Created viewv1.MarkdownView
}

// Server sends objects to one API server.
type Server struct {
	client *http.Client
	url    string
}

// NewServer makes a client for the MarkdownViews of namespace default.
func NewServer(config *rest.Config) (*Server, error) {
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("make a client: %w", err)
	}
	objects, err := url.JoinPath(config.Host, "apis", viewv1.GroupVersion.String(), "namespaces", metav1.NamespaceDefault, "markdownviews")
	if err != nil {
		return nil, fmt.Errorf("the API server's address: %w", err)
	}
	return &Server{client, objects}, nil
}

// Create posts the object as kubectl does, with strict field validation. The body is sent as it
// is, so that it may hold what no encoder writes. An error means that there was no answer.
func (s *Server) Create(ctx context.Context, object []byte) (Answer, error) {
	var answer Answer
	reply, err := s.do(ctx, http.MethodPost, "?fieldValidation=Strict&fieldManager=kubectl-create", object)
	if err != nil {
		return answer, err
	}
	warnings, _ := utilnet.ParseWarningHeaders(reply.warnings)
	for _, warning := range warnings {
		answer.Warnings = append(answer.Warnings, warning.Text)
	}
	if reply.code == http.StatusCreated {
		return answer, json.Unmarshal(reply.body, &answer.Created)
	}
	var status metav1.Status
	if err := json.Unmarshal(reply.body, &status); err != nil {
		return answer, fmt.Errorf("read the refusal %q: %w", reply.body, err)
	}
	answer.Lines = linesOf(status)
	return answer, nil
}

// Delete removes the objects that a test created.
func (s *Server) Delete(ctx context.Context) error {
	reply, err := s.do(ctx, http.MethodDelete, "", nil)
	if err == nil && reply.code != http.StatusOK {
		err = fmt.Errorf("delete the MarkdownViews: code %d: %s", reply.code, reply.body)
	}
	return err
}

// reply is an HTTP response, read.
type reply struct {
	code     int
	warnings []string
	body     []byte
}

func (s *Server) do(ctx context.Context, method, query string, object []byte) (reply, error) {
	request, err := http.NewRequestWithContext(ctx, method, s.url+query, bytes.NewReader(object))
	if err != nil {
		return reply{}, fmt.Errorf("make a request: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := s.client.Do(request)
	if err != nil {
		return reply{}, fmt.Errorf("ask the API server: %w", err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return reply{}, fmt.Errorf("read the answer: %w", err)
	}
	return reply{response.StatusCode, response.Header["Warning"], body}, nil
}

// linesOf writes a refusal as kubectl does.
func linesOf(status metav1.Status) []string {
	if status.Reason != metav1.StatusReasonInvalid || status.Details == nil || len(status.Details.Causes) == 0 {
		return []string{status.Message}
	}
	lines := make([]string, 0, len(status.Details.Causes))
	for _, cause := range status.Details.Causes {
		lines = append(lines, cause.Field+": "+cause.Message)
	}
	slices.Sort(lines)
	return lines
}

// spec is the JSON of a spec whose files are given as path, text, path, text.
func spec(files ...string) string { return specWith("", files...) }

// specWith adds other fields of the spec, as JSON that begins with a comma.
func specWith(more string, files ...string) string {
	m := map[string]string{}
	for i := 0; i < len(files); i += 2 {
		m[files[i]] = files[i+1]
	}
	return fmt.Sprintf(`{"markdowns": %s%s}`, encode(m), more)
}

// page is a book whose one page, a.md, has the text.
func page(text string, more ...string) string {
	return spec(append([]string{"SUMMARY.md", "- [A](a.md)", "a.md", text}, more...)...)
}

// withPath is a book that has one file more, with that path.
func withPath(path string) string { return page("", path, "") }

// settings is a book with a book.toml and a file extra.css.
func settings(toml string) string {
	return specWith(`, "assets": {"extra.css": ""}`, "SUMMARY.md", "- [A](a.md)", "a.md", "", "book.toml", toml)
}

// asset is a book with one asset.
func asset(path, content string) string {
	return specWith(`, "assets": `+encode(map[string]string{path: base64.StdEncoding.EncodeToString([]byte(content))}), "SUMMARY.md", "- [A](a.md)", "a.md", "")
}

// pages is n numbered pages and SUMMARY.md, as JSON.
func pages(n int) string {
	m := map[string]string{}
	var list strings.Builder
	for i := range n {
		m[fmt.Sprintf("%04d.md", i)] = ""
		fmt.Fprintf(&list, "- [%d](%04d.md)\n", i, i)
	}
	m["SUMMARY.md"] = list.String()
	return encode(m)
}

// images is n numbered assets, as JSON.
func images(n int) string {
	m := map[string]string{}
	for i := range n {
		m[fmt.Sprintf("%04d.png", i)] = ""
	}
	return encode(m)
}

// noise is n bytes that do not compress, the same ones every time.
func noise(n int) string {
	content := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{}).Read(content) // never fails
	return string(content)
}

func encode(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err) // a table holds nothing that has no JSON form
	}
	return string(encoded)
}
