// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestMemo: the second look at a version is free and the same; another version is looked at anew.
func TestMemo(t *testing.T) {
	m := memo{found: map[version]owned{}, oldest: make([]version, memoSize)}
	first, err := m.owned(service())
	if err != nil {
		t.Fatal(err)
	}
	same := service()
	same.ManagedFields[0].FieldsV1 = nil // It must not be read again.
	if again, err := m.owned(same); err != nil || again != first {
		t.Errorf("the same version gives %+v, %v; want %+v", again, err, first)
	}
	if len(m.found) != 0 {
		t.Errorf("%d entries are left after the second look", len(m.found))
	}
	other := service()
	other.ResourceVersion, other.Spec.Ports[0].Port = "8", 81
	if changed, err := m.owned(other); err != nil || changed == first {
		t.Errorf("another version gives the same digest: %+v, %v", changed, err)
	}
}

func TestMemoIsBounded(t *testing.T) {
	m := memo{found: map[version]owned{}, oldest: make([]version, memoSize)}
	for i := range 3 * memoSize {
		object := &corev1.ServiceAccount{}
		object.UID, object.ResourceVersion = types.UID(fmt.Sprint("u", i)), "1"
		if _, err := m.owned(object); err != nil {
			t.Fatal(err)
		}
	}
	if len(m.found) > memoSize {
		t.Errorf("%d entries, want at most %d", len(m.found), memoSize)
	}
}
