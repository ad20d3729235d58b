// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package machine holds the tests of what the project's commands ask of a machine, and do on one that is
// not like the developers': another cluster, no root, no Debian, an old Go or Rust. They run the scripts
// with stand-ins of the programs on the PATH. It owns no code, and must not be imported.
package machine
