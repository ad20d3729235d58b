// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// lagLimit is how long a write is believed over a cache that shows nothing of it. It only matters
// for an object that was deleted again before the cache ever saw it.
const lagLimit = 10 * time.Second

// Written remembers this process's own writes until the cache shows them.
type Written struct {
	clock clock.PassiveClock
	mu    sync.Mutex
	// owners holds an entry a written object, by the owner of its release.
	owners map[types.NamespacedName]map[objectKey]entry
}

type objectKey struct{ kind, name string }

type entry struct {
	// object is the stripped response of the write; nil for a deletion.
	object client.Object
	uid    types.UID
	at     time.Time
}

// NewWritten returns an empty memory.
func NewWritten(clock clock.PassiveClock) *Written {
	return &Written{clock: clock, owners: map[types.NamespacedName]map[objectKey]entry{}}
}

// Applied remembers the API server's response to a write of a release's object, unstripped.
func (w *Written) Applied(owner types.NamespacedName, kind string, response client.Object) client.Object {
	stripped := strip(response)
	w.put(owner, objectKey{kind, response.GetName()}, entry{object: stripped, uid: response.GetUID()})
	return stripped
}

// Deleted remembers that the object with that UID was deleted.
func (w *Written) Deleted(owner types.NamespacedName, kind, name string, uid types.UID) {
	w.put(owner, objectKey{kind, name}, entry{uid: uid})
}

// Forget drops everything about an owner.
func (w *Written) Forget(owner types.NamespacedName) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.owners, owner)
}

func (w *Written) put(owner types.NamespacedName, key objectKey, e entry) {
	e.at = w.clock.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.owners[owner] == nil {
		w.owners[owner] = map[objectKey]entry{}
	}
	w.owners[owner][key] = e
}

// overlay returns the objects of one kind as the cache would show them if it did not lag, and
// whether it does lag.
func (w *Written) overlay(owner types.NamespacedName, kind string, cached []client.Object) (objects []client.Object, lagging bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	entries := w.owners[owner]
	if len(entries) == 0 {
		return cached, false
	}
	seen := map[string]bool{}
	for _, object := range cached {
		seen[object.GetName()] = true
		key := objectKey{kind, object.GetName()}
		e, written := entries[key]
		switch {
		case !written:
			objects = append(objects, object)
		case e.caughtUp(object):
			delete(entries, key)
			objects = append(objects, object)
		default:
			lagging = true
			if e.object != nil {
				objects = append(objects, e.object)
			}
		}
	}
	for key, e := range entries {
		if key.kind != kind || seen[key.name] {
			continue
		}
		if e.object == nil || w.clock.Since(e.at) > lagLimit {
			delete(entries, key)
			continue
		}
		objects, lagging = append(objects, e.object), true
	}
	if len(entries) == 0 {
		delete(w.owners, owner)
	}
	return objects, lagging
}

// caughtUp tells whether the cached object is at least as new as the write.
func (e entry) caughtUp(cached client.Object) bool {
	if e.object == nil {
		return cached.GetUID() != e.uid || cached.GetDeletionTimestamp() != nil
	}
	if cached.GetUID() != e.uid {
		// One of the two is a later object of the same name; the younger one is the truth.
		return !cached.GetCreationTimestamp().Time.Before(e.object.GetCreationTimestamp().Time)
	}
	order, err := resourceversion.CompareResourceVersion(cached.GetResourceVersion(), e.object.GetResourceVersion())
	return err != nil || order >= 0
}
