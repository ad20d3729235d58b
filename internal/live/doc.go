// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package live is the only reader of what exists: a release's objects, its records and its pods.
//
// It owns the caches' contents (Strip reduces an object to what decisions need before it is cached,
// content to hashes) and the memory of this process's own writes (Written), without which a cache
// that lags behind would make the operator write everything twice. It must not decide or write
// anything.
package live
