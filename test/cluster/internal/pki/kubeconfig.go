// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package pki

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
)

// kubeconfigFormat takes: context name, base64 of the authority, server URL, base64 of certificate and key.
const kubeconfigFormat = `apiVersion: v1
kind: Config
clusters:
- name: %[1]s
  cluster: {certificate-authority-data: %[2]s, server: "%[3]s"}
users:
- name: %[1]s
  user: {client-certificate-data: %[4]s, client-key-data: %[5]s}
contexts:
- name: %[1]s
  context: {cluster: %[1]s, user: %[1]s}
current-context: %[1]s
`

// WriteKubeconfig writes path: the certificate NAME of dir, as a client of server. The file
// holds the certificates themselves, so that it can be copied.
func WriteKubeconfig(dir, name, context, server, path string) error {
	var encoded [3]string
	for i, file := range []string{"ca.crt", name + ".crt", name + ".key"} {
		raw, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return fmt.Errorf("kubeconfig of %s: %w", name, err)
		}
		encoded[i] = base64.StdEncoding.EncodeToString(raw)
	}
	text := fmt.Sprintf(kubeconfigFormat, context, encoded[0], server, encoded[1], encoded[2])
	return os.WriteFile(path, []byte(text), 0o600)
}
