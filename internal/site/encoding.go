// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package site

import (
	"strconv"
	"strings"
)

// The content codings that a file may be stored in, as they are named in HTTP.
const (
	codingIdentity = "identity"
	codingGzip     = "gzip"
	codingZstd     = "zstd"
)

// accepts is what a client's Accept-Encoding header says of one coding: its weight, 0 (refused)
// to 1, by RFC 9110, section 12.5.3. An absent header is the empty string and refuses every coding
// but identity, because a client that does not speak of codings may not know them.
//
// The libraries that negotiate content codings are either archived or bound to compressing on the
// fly, which costs a strong ETag its meaning; hence these few lines.
func accepts(header, coding string) float64 {
	wildcard := 0.0
	for entry := range strings.SplitSeq(header, ",") {
		name, parameters, _ := strings.Cut(entry, ";")
		switch name = strings.TrimSpace(name); {
		case strings.EqualFold(name, coding), coding == codingGzip && strings.EqualFold(name, "x-gzip"):
			return weight(parameters)
		case name == "*":
			wildcard = weight(parameters)
		}
	}
	return wildcard
}

// weight reads the parameters of one Accept-Encoding entry, such as "q=0.5". A weight that cannot
// be read counts as a refusal: the plain form is always right.
func weight(parameters string) float64 {
	for parameter := range strings.SplitSeq(parameters, ";") {
		key, value, found := strings.Cut(strings.TrimSpace(parameter), "=")
		if !found || !strings.EqualFold(key, "q") {
			continue
		}
		q, err := strconv.ParseFloat(value, 64)
		if err != nil || !(q >= 0 && q <= 1) {
			return 0
		}
		return q
	}
	return 1
}
