// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package admission is the specification of what the API takes and refuses: a table of hostile
// objects with the exact words of each refusal, and a table of odd ones that must work. The suite
// beside api/v1 runs both against a real API server that has the schema alone, the suite beside
// internal/webhook/v1 with the webhooks as well.
package admission
