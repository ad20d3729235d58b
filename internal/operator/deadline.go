// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package operator

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// requestTimeout is a little more than the 60 s after which the API server itself gives a request up.
const requestTimeout = 70 * time.Second

// withDeadline gives every request but watches a deadline. Without one, an answer that never comes (a
// proxy that lost its backend, a connection that only looks alive) holds a worker for ever, and as many
// of them as there are workers hold the operator. rest.Config.Timeout would end watches too.
func withDeadline(timeout time.Duration) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper { return deadlines{next, timeout} }
}

type deadlines struct {
	next    http.RoundTripper
	timeout time.Duration
}

func (d deadlines) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Query().Has("watch") {
		return d.next.RoundTrip(request)
	}
	ctx, cancel := context.WithTimeoutCause(request.Context(), d.timeout, errNoAnswer)
	response, err := d.next.RoundTrip(request.WithContext(ctx))
	if err != nil {
		if cause := context.Cause(ctx); errors.Is(cause, errNoAnswer) {
			err = cause
		}
		cancel()
		return nil, err
	}
	response.Body = &cancelingBody{response.Body, cancel}
	return response, nil
}

// errNoAnswer is what a request ends with at its deadline. It is not context.DeadlineExceeded, so that
// nobody takes it for the end of the caller's own time.
var errNoAnswer = noAnswerError{}

type noAnswerError struct{}

func (noAnswerError) Error() string { return "the API server gave no answer in time" }

// Timeout makes it a timeout for net.Error's readers.
func (noAnswerError) Timeout() bool { return true }

// Temporary is true: the request may be tried again.
func (noAnswerError) Temporary() bool { return true }

// cancelingBody releases the deadline's timer once the answer was read.
type cancelingBody struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (b *cancelingBody) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}
