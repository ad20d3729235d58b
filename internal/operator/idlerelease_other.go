// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package operator

// releaseFilePages does nothing where the kernel is another one.
func releaseFilePages() error { return nil }
