// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package release

import (
	"crypto/rand"
	"encoding/base64"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/storage/driver"
	helmtime "helm.sh/helm/v3/pkg/time"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
)

func someRelease(manifest string) *release.Release {
	at := helmtime.Unix(1_800_000_000, 0)
	return &release.Release{
		Name: "book", Namespace: "docs", Version: 3, Manifest: manifest,
		Labels: map[string]string{"app": "mdbook"},
		Info:   &release.Info{Status: release.StatusDeployed, FirstDeployed: at, LastDeployed: at},
		Chart:  &chart.Chart{Metadata: &chart.Metadata{Name: "markdownview", Version: "1.0.0"}},
		Config: map[string]any{"name": "book"},
	}
}

// TestHelmReadsWhatIsEncoded gives a record to Helm's own driver, and compares its object with the one
// that this driver would have made.
func TestHelmReadsWhatIsEncoded(t *testing.T) {
	t.Parallel()
	want := someRelease(strings.Repeat("kind: ConfigMap\n", 1000))
	record, err := recordOf(want, createdAt)
	if err != nil {
		t.Fatal(err)
	}
	record.Namespace = want.Namespace
	client := fake.NewClientset(record).CoreV1().ConfigMaps(want.Namespace)
	helm := driver.NewConfigMaps(client)
	got, err := helm.Get(record.Name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(chart.Chart{})); diff != "" {
		t.Errorf("Helm reads another release (-written +read):\n%s", diff)
	}
	if err := helm.Create("theirs", want); err != nil {
		t.Fatal(err)
	}
	theirs, err := client.Get(t.Context(), "theirs", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	shape := func(object *corev1.ConfigMap) any {
		return []any{slices.Sorted(maps.Keys(object.Labels)), object.Labels["status"], object.Labels["version"], object.Labels["name"], object.Labels["owner"], slices.Sorted(maps.Keys(object.Data))}
	}
	if diff := cmp.Diff(shape(theirs), shape(record)); diff != "" {
		t.Errorf("the record differs from Helm's (-Helm's +ours):\n%s", diff)
	}
}

// TestImagesFit: bytes that do not compress still lose what base64 added to them.
func TestImagesFit(t *testing.T) {
	t.Parallel()
	noise := make([]byte, 700<<10)
	if _, err := rand.Read(noise); err != nil {
		t.Fatal(err)
	}
	if err := checkSize(someRelease(base64.StdEncoding.EncodeToString(noise))); err != nil {
		t.Error(err)
	}
}

func BenchmarkEncode(b *testing.B) {
	rls := someRelease(strings.Repeat("Ten KiB of words in a book. ", 380))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := encode(rls); err != nil {
			b.Fatal(err)
		}
	}
}
