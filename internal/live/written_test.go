// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	testingclock "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TestWritten: what a decision sees between a write and the moment when the cache shows it.
func TestWritten(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	key := types.NamespacedName{Namespace: "docs", Name: "book"}
	object := func(name, uid, version string, created int) client.Object {
		return strip(&corev1.Service{ObjectMeta: metav1.ObjectMeta{
			Namespace: "docs", Name: name, UID: types.UID(uid), ResourceVersion: version,
			CreationTimestamp: metav1.NewTime(start.Add(time.Duration(created) * time.Second)),
		}})
	}
	cases := map[string]struct {
		reason  string
		write   func(*Written)
		later   time.Duration
		cached  []client.Object
		want    []string // name/uid/resourceVersion
		lagging bool
	}{
		"NothingWritten": {
			reason: "The cache is the truth.",
			cached: []client.Object{object("a", "1", "5", 0)},
			want:   []string{"a/1/5"},
		},
		"CreatedNotSeen": {
			reason:  "An object that this process made exists, whatever the cache says.",
			write:   func(w *Written) { w.Applied(key, "Service", object("a", "1", "5", 0)) },
			want:    []string{"a/1/5"},
			lagging: true,
		},
		"ChangedNotSeen": {
			reason:  "The older version of the cache would look like drift.",
			write:   func(w *Written) { w.Applied(key, "Service", object("a", "1", "10", 0)) },
			cached:  []client.Object{object("a", "1", "9", 0), object("b", "2", "3", 0)},
			want:    []string{"a/1/10", "b/2/3"},
			lagging: true,
		},
		"Seen": {
			reason: "The cache shows the write.",
			write:  func(w *Written) { w.Applied(key, "Service", object("a", "1", "10", 0)) },
			cached: []client.Object{object("a", "1", "10", 0)},
			want:   []string{"a/1/10"},
		},
		"ChangedBySomebodyLater": {
			reason: "A later version is somebody's change, not our write; 10 is more than 9, as a number.",
			write:  func(w *Written) { w.Applied(key, "Service", object("a", "1", "9", 0)) },
			cached: []client.Object{object("a", "1", "10", 0)},
			want:   []string{"a/1/10"},
		},
		"DeletedNotSeen": {
			reason:  "What this process deleted is gone, though the cache still has it.",
			write:   func(w *Written) { w.Deleted(key, "Service", "a", "1") },
			cached:  []client.Object{object("a", "1", "5", 0)},
			lagging: true,
		},
		"DeletedSeen": {
			reason: "The cache has it no longer.",
			write:  func(w *Written) { w.Deleted(key, "Service", "a", "1") },
		},
		"DeletedAndRecreated": {
			reason: "Somebody made another one of that name.",
			write:  func(w *Written) { w.Deleted(key, "Service", "a", "1") },
			cached: []client.Object{object("a", "2", "8", 1)},
			want:   []string{"a/2/8"},
		},
		"RecreatedByUs": {
			reason:  "The cache still shows the one of before.",
			write:   func(w *Written) { w.Applied(key, "Service", object("a", "2", "8", 60)) },
			cached:  []client.Object{object("a", "1", "5", 0)},
			want:    []string{"a/2/8"},
			lagging: true,
		},
		"RecreatedAfterUs": {
			reason: "Ours was deleted and another one made: the younger is the truth.",
			write:  func(w *Written) { w.Applied(key, "Service", object("a", "1", "5", 0)) },
			cached: []client.Object{object("a", "2", "8", 60)},
			want:   []string{"a/2/8"},
		},
		"NeverSeen": {
			reason: "Deleted by somebody before the cache saw it: believed for a while, then no longer, so that it comes back.",
			write:  func(w *Written) { w.Applied(key, "Service", object("a", "1", "5", 0)) },
			later:  lagLimit + time.Second,
		},
		"AnotherKind": {
			reason: "A write of another kind says nothing of this one.",
			write:  func(w *Written) { w.Applied(key, "Deployment", object("a", "1", "10", 0)) },
			cached: []client.Object{object("a", "1", "9", 0)},
			want:   []string{"a/1/9"},
		},
		"AnotherOwner": {
			reason: "Nor does a write of another release.",
			write: func(w *Written) {
				w.Applied(types.NamespacedName{Namespace: "docs", Name: "other"}, "Service", object("a", "1", "10", 0))
			},
			cached: []client.Object{object("a", "1", "9", 0)},
			want:   []string{"a/1/9"},
		},
		"Forgotten": {
			reason: "With the MarkdownView goes what is remembered of it.",
			write: func(w *Written) {
				w.Applied(key, "Service", object("a", "1", "5", 0))
				w.Forget(key)
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			clock := testingclock.NewFakeClock(start)
			w := NewWritten(clock)
			if c.write != nil {
				c.write(w)
			}
			clock.Step(c.later)
			objects, lagging := w.overlay(key, "Service", c.cached)
			var got []string
			for _, o := range objects {
				got = append(got, o.GetName()+"/"+string(o.GetUID())+"/"+o.GetResourceVersion())
			}
			slices.Sort(got)
			if diff := cmp.Diff(c.want, got); diff != "" || lagging != c.lagging {
				t.Errorf("%s\nlagging %v, want %v; -want +got:\n%s", c.reason, lagging, c.lagging, diff)
			}
			if !c.lagging && name != "AnotherKind" && len(w.owners[key]) != 0 {
				t.Errorf("%s: %d writes are remembered on, without a use", c.reason, len(w.owners[key]))
			}
		})
	}
}
