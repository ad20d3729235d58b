// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// wantedMemory remembers what each MarkdownView asks for, so that a pass that some pod's event woke, of
// which a rollout makes a dozen, need not read the whole book to find that nothing is to be done.
// Everything else that decides it (chart, overrides, default images) is the same for the whole process.
type wantedMemory struct {
	mu   sync.Mutex
	last map[types.NamespacedName]wanted
}

// wanted is what one generation of a MarkdownView asks for. The API server raises the generation with
// every change of the spec.
type wanted struct {
	uid        types.UID
	generation int64
	// digest names the rendering, content the text in it.
	digest, content string
}

func newWantedMemory() *wantedMemory {
	return &wantedMemory{last: map[types.NamespacedName]wanted{}}
}

// of returns what the view asks for, if this generation of it was put before.
func (m *wantedMemory) of(view *viewv1.MarkdownView) (wanted, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w, ok := m.last[client.ObjectKeyFromObject(view)]
	return w, ok && w.uid == view.UID && w.generation == view.Generation
}

func (m *wantedMemory) put(view *viewv1.MarkdownView, digest, content string) wanted {
	w := wanted{uid: view.UID, generation: view.Generation, digest: digest, content: content}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last[client.ObjectKeyFromObject(view)] = w
	return w
}

func (m *wantedMemory) forget(key types.NamespacedName) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.last, key)
}
