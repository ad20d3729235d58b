// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package crash proves by enumeration that no fault leaves a release stuck.
//
// Its tests sit between the operator and a real API server, on the operator's own transport. They
// count the requests of an action (install, upgrade, repair, rollback put right, uninstall), and then,
// for every request of it, kill the operator there or answer with an error, and compare what the
// API server holds in the end with what an undisturbed run leaves.
package crash
