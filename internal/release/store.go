// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package release

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/storage/driver"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/bobuhiro11/markdown-view/internal/live"
	"github.com/bobuhiro11/markdown-view/internal/render"
)

// store is Helm's storage driver for one run. The encoding is that of driver.ConfigMaps, so the
// Helm CLI reads the records; when to read and when to write is decided here:
//
//   - The history is listed once, and only if the cache knows of a record.
//   - A pending record is held in memory. It is written once, when it is deployed. A failed one is
//     never written: the MarkdownView's conditions tell of the failure, and the next pass tries again.
//   - An old record is rewritten only if its status changed.
type store struct {
	run     *run
	records *records
	// reader decodes stored records.
	reader *driver.ConfigMaps

	loaded  bool
	history []*recorded
	held    *release.Release
	// doomed are old records that make room for the held one, once it is known to fit.
	doomed []string
	// hooks are what an uninstall runs. They are rendered anew: a tampered record must not make the
	// operator create anything.
	hooks []*release.Hook
	// reached tells that Helm got as far as storing something: rendering went well.
	reached bool
	// err is the first error of the run. Helm logs some of them and goes on.
	err error
}

// recorded is a record of the history. release is what Helm sees; the rest is what is stored.
type recorded struct {
	release  *release.Release
	manifest string
	hooks    []*release.Hook
	status   release.Status
}

var _ driver.Driver = &store{}

func newStore(r *run) *store {
	s := &store{run: r}
	s.records = newRecords(s)
	s.reader = driver.NewConfigMaps(s.records)
	return s
}

// fail keeps the first error of the run and returns it.
func (s *store) fail(err error) error {
	s.run.mu.Lock()
	defer s.run.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	return err
}

// failed returns the first error of the run, if there was one.
func (s *store) failed() error {
	s.run.mu.Lock()
	defer s.run.mu.Unlock()
	return s.err
}

// Name is the driver's name as Helm prints it.
func (s *store) Name() string { return driver.ConfigMapsDriverName }

// Get returns one record by its key, sh.helm.release.v1.NAME.vREVISION.
func (s *store) Get(key string) (*release.Release, error) {
	all, err := s.all()
	if err != nil {
		return nil, err
	}
	for _, rls := range all {
		if recordKey(rls) == key {
			return rls, nil
		}
	}
	return nil, driver.ErrReleaseNotFound
}

// List returns the records for which filter is true.
func (s *store) List(filter func(*release.Release) bool) ([]*release.Release, error) {
	all, err := s.all()
	return slices.DeleteFunc(all, func(rls *release.Release) bool { return !filter(rls) }), err
}

// Query returns the records with these labels. Helm asks by name, owner and status.
func (s *store) Query(labels map[string]string) ([]*release.Release, error) {
	all, err := s.all()
	if err != nil {
		return nil, err
	}
	status := labels["status"]
	found := slices.DeleteFunc(all, func(rls *release.Release) bool {
		return rls.Name != labels["name"] || status != "" && rls.Info.Status.String() != status
	})
	if len(found) == 0 {
		return nil, driver.ErrReleaseNotFound
	}
	return found, nil
}

// Create takes a pending record. Nothing is written yet, but for the check that it will fit.
func (s *store) Create(_ string, rls *release.Release) error {
	s.reached = true
	if err := checkSize(rls); err != nil {
		return s.fail(err)
	}
	for _, name := range s.doomed {
		if err := s.records.remove(name); err != nil {
			return s.fail(fmt.Errorf("record %s: %w", name, err))
		}
	}
	s.doomed, s.held = nil, rls
	return nil
}

// Update writes the held record once it is deployed, and an old one if its status changed.
func (s *store) Update(key string, rls *release.Release) error {
	if err := s.failed(); err != nil {
		// Helm only logs that an old record could not be superseded. The new one must not follow then:
		// both would be deployed, and nothing would be left to tell the next pass of it.
		return err
	}
	if s.held != nil && s.held.Version == rls.Version {
		if rls.Info.Status != release.StatusDeployed {
			return nil
		}
		if err := s.records.create(rls); err != nil {
			return s.fail(fmt.Errorf("record %s: %w", key, err))
		}
		return nil
	}
	return s.supersede(key, rls)
}

func (s *store) supersede(key string, rls *release.Release) error {
	for _, old := range s.history {
		if old.release.Version != rls.Version {
			continue
		}
		if rls.Info.Status == old.status || rls.Info.Status == release.StatusUninstalling {
			return nil
		}
		whole := *rls
		whole.Manifest, whole.Hooks = old.manifest, old.hooks
		if err := s.records.rewrite(&whole); err != nil {
			return s.fail(fmt.Errorf("record %s: %w", key, err))
		}
		old.status = rls.Info.Status
		return nil
	}
	return driver.ErrReleaseNotFound
}

// retire marks an old record superseded.
func (s *store) retire(name string) error {
	if err := s.load(); err != nil {
		return err
	}
	for _, old := range s.history {
		if recordKey(old.release) == name {
			old.release.Info.Status = release.StatusSuperseded
			return s.supersede(name, old.release)
		}
	}
	return nil
}

// Delete deletes a record: at once for an uninstall, else when the new record is known to fit.
func (s *store) Delete(key string) (*release.Release, error) {
	for i, old := range s.history {
		if recordKey(old.release) != key {
			continue
		}
		if s.run.request.Plan.Action != "" {
			// Helm makes room for a new record before it hands it over.
			s.doomed = append(s.doomed, key)
		} else if err := s.records.remove(key); err != nil {
			return nil, s.fail(fmt.Errorf("record %s: %w", key, err))
		}
		s.history = slices.Delete(s.history, i, i+1)
		return old.release, nil
	}
	return nil, driver.ErrReleaseNotFound
}

// all returns the history, newest last, and the held record.
func (s *store) all() ([]*release.Release, error) {
	if err := s.load(); err != nil {
		return nil, s.fail(err)
	}
	var out []*release.Release
	for _, old := range s.history {
		out = append(out, old.release)
	}
	if s.held != nil {
		out = append(out, s.held)
	}
	return out, nil
}

// manifest returns the recorded manifest of a revision, reduced to what a chart could have rendered;
// empty if there is no such record of that sum.
func (s *store) manifest(revision int, sum string) (string, error) {
	all, err := s.all()
	for _, rls := range all {
		stored := s.records.listed[recordKey(rls)]
		if rls.Version == revision && live.SumOf(stored.Annotations, stored.Data[payloadKey]) == sum {
			return rls.Manifest, err
		}
	}
	return "", err
}

// load lists the history once. Records of the release that do not decode, that speak of another
// release or that Helm does not find are deleted: nobody can use them, and they would stand in the way.
func (s *store) load() error {
	if s.loaded {
		return nil
	}
	s.loaded = true
	if len(s.run.request.Records) == 0 {
		return nil
	}
	decoded, err := s.reader.Query(s.records.selector())
	if err != nil && err != driver.ErrReleaseNotFound { //nolint:errorlint // Helm returns the bare value.
		return fmt.Errorf("records of release %s/%s: %w", s.run.request.Owner.Namespace, s.run.request.Owner.ReleaseName(), err)
	}
	if err := s.unobserved(); err != nil {
		return err
	}
	sound := map[string]bool{}
	for _, rls := range decoded {
		if old := s.accept(rls); old != nil {
			sound[recordKey(old.release)] = true
			s.history = append(s.history, old)
		}
	}
	// Only records that were observed as this release's are deleted: labels alone make nothing ours.
	for _, observed := range s.run.request.Records {
		if sound[observed.Name] {
			continue
		}
		if _, listed := s.records.listed[observed.Name]; !listed {
			// Somebody changed the labels by which Helm finds it.
			s.records.listed[observed.Name] = corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
				Name: observed.Name, UID: observed.UID, ResourceVersion: observed.ResourceVersion,
			}}
		}
		if err := s.records.remove(observed.Name); err != nil {
			return fmt.Errorf("damaged record %s: %w", observed.Name, err)
		}
	}
	slices.SortFunc(s.history, func(a, b *recorded) int { return a.release.Version - b.release.Version })
	return nil
}

// unobserved returns a conflict if there are records that the plan did not know of: the cache lags behind
// what a process before this one wrote. They are remembered, so that the next plan rests on them.
func (s *store) unobserved() error {
	r := s.run
	var unseen []string
	for name, record := range s.records.listed {
		_, ours := live.Revision(&record, r.request.Owner)
		if ours && !slices.ContainsFunc(r.request.Records, func(seen live.RecordRef) bool { return seen.Name == name }) {
			r.engine.Written.Applied(r.key(), live.RecordKind, &record)
			unseen = append(unseen, name)
		}
	}
	if len(unseen) == 0 {
		return nil
	}
	return apierrors.NewConflict(corev1.Resource("configmaps"), strings.Join(unseen, ", "), errors.New("the cache does not show it yet"))
}

// accept returns a decoded record as Helm may see it, or nil if it is not one of this release. Its
// manifest is reduced to what a chart could have rendered, its hooks are replaced, and a status that
// would stop an upgrade (pending since a crash, uninstalled by hand) reads as superseded.
func (s *store) accept(rls *release.Release) *recorded {
	owner := s.run.request.Owner
	stored, listed := s.records.listed[recordKey(rls)]
	if _, ours := live.Revision(&stored, owner); !listed || !ours || rls.Name != owner.ReleaseName() || rls.Namespace != owner.Namespace ||
		rls.Info == nil || rls.Chart == nil || rls.Chart.Metadata == nil {
		return nil
	}
	old := &recorded{release: rls, manifest: rls.Manifest, hooks: rls.Hooks, status: release.Status(stored.Labels["status"])}
	rls.Manifest = render.Sanitize(rls.Manifest, owner.Namespace)
	rls.Hooks = s.hooks
	if rls.Info.Status != release.StatusDeployed {
		rls.Info.Status = release.StatusSuperseded
	}
	rls.Labels = customLabels(stored)
	return old
}

// customLabels are a record's labels without those that Helm's driver sets itself.
func customLabels(record corev1.ConfigMap) map[string]string {
	labels := maps.Clone(record.Labels)
	for _, system := range driver.GetSystemLabels() {
		delete(labels, system)
	}
	return labels
}

func recordKey(rls *release.Release) string {
	return strings.Join([]string{"sh.helm.release.v1", rls.Name, fmt.Sprintf("v%d", rls.Version)}, ".")
}
