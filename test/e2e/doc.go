// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package e2e publishes books on a real cluster and reads them as a reader does.
//
// `make e2e` runs it: it brings up the one-node cluster of test/cluster (or takes the one that
// KUBECONFIG names), loads the images, installs the operator by `make deploy`, and runs the tests,
// which have the build tag e2e. Each test has a namespace of its own, where the restricted Pod
// Security level is enforced, and can be run alone.
package e2e
