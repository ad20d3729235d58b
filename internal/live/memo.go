// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// memoSize bounds the memory. An entry is taken within moments of being put, or never.
const memoSize = 512

// memo remembers what was worked out of an object for the second time that the same version of it
// comes by: this process's own writes do so twice, as the response and as the watch's event, and
// reading managed fields is most of the work on either.
type memo struct {
	mu     sync.Mutex
	found  map[version]owned
	oldest []version // a ring, next is where the next one goes
	next   int
}

// version names one state of one object; the API server never gives another state the same one.
type version struct {
	kind            string
	uid             types.UID
	resourceVersion string
}

// digests is shared by everything that strips, because a cache's transform is a plain function.
var digests = memo{found: map[version]owned{}, oldest: make([]version, memoSize)}

// owned returns ownedOf(object), from memory where this version was seen before.
func (m *memo) owned(object client.Object) (owned, error) {
	v := version{kind: kindName(object), uid: object.GetUID(), resourceVersion: object.GetResourceVersion()}
	if v.uid == "" || v.resourceVersion == "" {
		return ownedOf(object)
	}
	if found, ok := m.take(v); ok {
		return found, nil
	}
	found, err := ownedOf(object)
	if err == nil {
		m.put(v, found)
	}
	return found, err
}

func (m *memo) take(v version) (owned, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found, ok := m.found[v]
	delete(m.found, v)
	return found, ok
}

func (m *memo) put(v version, found owned) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.found, m.oldest[m.next])
	m.oldest[m.next] = v
	m.next = (m.next + 1) % memoSize
	m.found[v] = found
}
