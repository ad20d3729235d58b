// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package v1

import (
	"encoding/base64"
	"strings"
)

// Base64 is a string with a pattern, not []byte with the format "byte": that format refuses an
// empty file; for CEL rules the API server decodes it by the alphabet for URLs, so that every rule
// fails on a / or a +; and bytes that could not be decoded would stop a typed informer.

// Base64 is the bytes of a file in base64 (RFC 4648 section 4, padded). Spaces and line breaks
// are skipped.
//
// +kubebuilder:validation:Pattern=`^\s*(([A-Za-z0-9+/]\s*){4})*(([A-Za-z0-9+/]\s*){2}(=\s*){2}|([A-Za-z0-9+/]\s*){3}=\s*)?$`
type Base64 string

// EncodeBase64 writes bytes as a value of spec.assets.
func EncodeBase64(bytes []byte) Base64 {
	return Base64(base64.StdEncoding.EncodeToString(bytes))
}

// Bytes are the bytes that were encoded. What is not base64, which the schema refuses, is
// taken as it is.
func (b Base64) Bytes() []byte {
	decoded, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(string(b)), ""))
	if err != nil {
		return []byte(b)
	}
	return decoded
}

// AssetBytes is spec.assets decoded: path -> bytes, never nil.
func (s *MarkdownViewSpec) AssetBytes() map[string][]byte {
	assets := make(map[string][]byte, len(s.Assets))
	for path, content := range s.Assets {
		assets[path] = content.Bytes()
	}
	return assets
}
