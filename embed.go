// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package markdownview embeds what the operator carries with it: watches.yaml and the charts that
// it names. It lives at the module's root because an embedded file must be below its package.
package markdownview

import "embed"

// Files holds watches.yaml and helm-charts/ under their own names.
//
//go:embed watches.yaml all:helm-charts
var Files embed.FS
