// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package operator wires the manager together from its Settings: caches, controller, webhooks,
// metrics and probes. It must not decide anything about a release, nor read a flag: cmd/ parses the
// settings, tests and benchmarks start the same manager with their own.
package operator

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/discovery"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrlconfig "sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/metrics/filters"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	markdownview "github.com/bobuhiro11/markdown-view"
	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
	"github.com/bobuhiro11/markdown-view/internal/controller"
	"github.com/bobuhiro11/markdown-view/internal/live"
	"github.com/bobuhiro11/markdown-view/internal/metrics"
	"github.com/bobuhiro11/markdown-view/internal/release"
	"github.com/bobuhiro11/markdown-view/internal/render"
	"github.com/bobuhiro11/markdown-view/internal/upgradeable"
	"github.com/bobuhiro11/markdown-view/internal/values"
	"github.com/bobuhiro11/markdown-view/internal/watches"
	webhookv1 "github.com/bobuhiro11/markdown-view/internal/webhook/v1"
)

// Settings are what an administrator may set.
type Settings struct {
	// MetricsAddr and ProbeAddr are "HOST:PORT"; "0" turns the server off.
	MetricsAddr, ProbeAddr string
	// PprofAddr is "HOST:PORT" of Go's profiles, for whoever can reach it; empty turns them off.
	PprofAddr string
	// SecureMetrics serves metrics over TLS, to clients that the API server authorizes.
	SecureMetrics bool
	// Webhooks are served with the certificate in WebhookCertDir, at WebhookHost:WebhookPort where
	// those are set.
	Webhooks                    bool
	WebhookCertDir, WebhookHost string
	WebhookPort                 int
	// WebhookDrain is how long webhooks are still answered, and all else goes on, when the manager is told
	// to stop.
	WebhookDrain time.Duration
	// LeaderElect takes the lease LeaseName, in LeaseNamespace where the process is not in a pod.
	LeaderElect               bool
	LeaseName, LeaseNamespace string
	// WatchesFile replaces the built-in watches.yaml; its chart is read from beside it, unless it is the
	// built-in one and not there.
	WatchesFile string
	// MaxHistory is the number of Helm records kept a release, at least 1.
	MaxHistory int
	// SecretRecords keeps Helm records in Secrets instead of ConfigMaps.
	SecretRecords bool
	// Namespaces to watch; empty is all.
	Namespaces []string
	// RequestTimeout bounds each request but watches; 0 is a little more than the API server's own limit.
	RequestTimeout time.Duration
	// Restartable lets one process run the operator more than once, as tests do.
	Restartable bool
	// ViewerImage and ServerImage are the defaults of the viewer pod's images.
	ViewerImage, ServerImage string
}

// gracefulStop is how long the manager waits, after the drain, for what it runs to end: answers to webhooks are
// finished, a release that is being changed is cut at its next request, and the next manager takes it up. The pod's
// terminationGracePeriodSeconds is longer than both.
const gracefulStop = 20 * time.Second

// builtInChart is the path of the chart that the operator carries, as the built-in watches.yaml names it.
const builtInChart = "helm-charts/markdownview"

// watchedKind is the kind that this operator has an API for.
var watchedKind = viewv1.GroupVersion.WithKind("MarkdownView")

// Run starts the manager and returns after ctx ended, the drain is over and everything has stopped.
func Run(ctx context.Context, config *rest.Config, s Settings) error {
	config = rest.CopyConfig(config)
	// The API server's own fairness limits requests; a limit here would only add to it.
	config.QPS = -1
	// Only lists at the start are long enough to be compressed, and both ends pay more for that than the
	// network of a cluster does.
	config.DisableCompression = true
	config.Wrap(withDeadline(cmp.Or(s.RequestTimeout, requestTimeout)))
	watch, chart, err := loadWatch(s)
	if err != nil {
		return err
	}
	selector, err := metav1.LabelSelectorAsSelector(watch.Selector)
	if err != nil {
		return fmt.Errorf("watches.yaml: selector: %w", err)
	}
	s.LeaseName = leaseName(s.LeaseName, watch.Selector)
	webhooks := newWebhooks(s)
	mgr, err := newManager(config, s, webhooks, live.CacheOptions(s.Namespaces, selector, s.SecretRecords))
	if err != nil {
		return err
	}
	reconciler, err := newReconciler(config, mgr, s, watch, chart)
	if err != nil {
		return err
	}
	if err := reconciler.SetupWithManager(ctx, mgr, controller.Setup{
		Workers: watch.MaxConcurrentReconciles, Dependents: watch.DependentResources(),
	}); err != nil {
		return err
	}
	if reconciler.InFlight, err = reportUpgradeable(config, mgr); err != nil {
		return err
	}
	if s.Webhooks {
		if err := webhookv1.SetupWithManager(mgr, s.ViewerImage); err != nil {
			return fmt.Errorf("webhooks: %w", err)
		}
		if err := mgr.Add(drain{webhooks, s.WebhookDrain}); err != nil {
			return fmt.Errorf("webhooks: %w", err)
		}
	}
	if s.MetricsAddr != "0" {
		unregister, err := metrics.Register(mgr.GetCache())
		if err != nil {
			return fmt.Errorf("metrics: %w", err)
		}
		defer unregister()
	}
	idle := newIdleRelease(mgr.GetLogger())
	defer idle.timer.Stop()
	reconciler.AtWork = idle.pass
	return mgr.Start(ctx)
}

// loadWatch reads watches.yaml, the built-in one or the administrator's, and the chart it names. An
// administrator's file need not have the built-in chart beside it.
func loadWatch(s Settings) (watches.Watch, *render.Chart, error) {
	var files fs.FS = markdownview.Files
	name := "watches.yaml"
	if s.WatchesFile != "" {
		files, name = os.DirFS(filepath.Dir(s.WatchesFile)), filepath.Base(s.WatchesFile)
	}
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return watches.Watch{}, nil, fmt.Errorf("watches file: %w", err)
	}
	list, err := watches.Parse(data, os.Getenv)
	if err != nil {
		return watches.Watch{}, nil, err
	}
	if len(list) != 1 || list[0].GroupVersionKind != watchedKind {
		return watches.Watch{}, nil, fmt.Errorf("watches.yaml: want exactly one entry, for %s", watchedKind)
	}
	if _, err := fs.Stat(files, list[0].Chart); errors.Is(err, fs.ErrNotExist) && list[0].Chart == builtInChart {
		files = markdownview.Files
	}
	chart, err := render.LoadChart(files, list[0].Chart)
	return list[0], chart, err
}

// NewScheme returns a scheme of every type that the operator speaks of.
func NewScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, viewv1.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	return scheme, nil
}

// hardened is what every server of the manager's is served with.
var hardened = []func(*tls.Config){modernTLS}

func newWebhooks(s Settings) *drainedWebhooks {
	return &drainedWebhooks{Server: webhook.NewServer(webhook.Options{
		CertDir: s.WebhookCertDir, Host: s.WebhookHost, Port: s.WebhookPort, TLSOpts: hardened,
	})}
}

func newManager(config *rest.Config, s Settings, webhooks webhook.Server, caches cache.Options) (ctrl.Manager, error) {
	scheme, err := NewScheme()
	if err != nil {
		return nil, err
	}
	grace := s.WebhookDrain + gracefulStop
	options := ctrl.Options{
		Scheme: scheme, Cache: caches,
		MapperProvider:         func(*rest.Config, *http.Client) (meta.RESTMapper, error) { return live.Mapper(), nil },
		Controller:             ctrlconfig.Controller{SkipNameValidation: &s.Restartable},
		Metrics:                metricsserver.Options{BindAddress: s.MetricsAddr, SecureServing: s.SecureMetrics, TLSOpts: hardened},
		WebhookServer:          webhooks,
		HealthProbeBindAddress: s.ProbeAddr,
		PprofBindAddress:       s.PprofAddr,
		LeaderElection:         s.LeaderElect, LeaderElectionID: s.LeaseName, LeaderElectionNamespace: s.LeaseNamespace,
		// The next manager need not wait for the lease to run out: this one has stopped writing by then.
		LeaderElectionReleaseOnCancel: true,
		GracefulShutdownTimeout:       &grace,
	}
	if s.SecureMetrics {
		options.Metrics.FilterProvider = filters.WithAuthenticationAndAuthorization
	}
	mgr, err := ctrl.NewManager(config, options)
	if err != nil {
		return nil, fmt.Errorf("manager: %w", err)
	}
	if err := mgr.AddHealthzCheck("healthz", healthz.Ping); err != nil {
		return nil, err
	}
	ready := healthz.Ping
	if s.Webhooks {
		ready = mgr.GetWebhookServer().StartedChecker()
	}
	return mgr, mgr.AddReadyzCheck("readyz", ready)
}

// modernTLS turns HTTP/2 off, as kubebuilder does: its stream resets have been used for denial of service.
func modernTLS(c *tls.Config) {
	c.MinVersion = tls.VersionTLS12
	c.NextProtos = []string{"http/1.1"}
}

func newReconciler(config *rest.Config, mgr ctrl.Manager, s Settings, watch watches.Watch, chart *render.Chart) (*controller.Reconciler, error) {
	direct, err := client.New(config, client.Options{Scheme: mgr.GetScheme(), Mapper: mgr.GetRESTMapper(), HTTPClient: mgr.GetHTTPClient()})
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	binary := rest.CopyConfig(config)
	binary.ContentType = runtime.ContentTypeProtobuf
	core, err := corev1client.NewForConfigAndClient(binary, mgr.GetHTTPClient())
	if err != nil {
		return nil, fmt.Errorf("client of records: %w", err)
	}
	var records corev1client.ConfigMapsGetter = core
	if s.SecretRecords {
		records = release.SecretRecords{Secrets: core}
	}
	version, err := serverVersion(config, mgr.GetHTTPClient())
	if err != nil {
		return nil, err
	}
	capabilities, err := render.Capabilities(version)
	if err != nil {
		return nil, err
	}
	written := live.NewWritten(clock.RealClock{})
	return controller.New(controller.Options{
		Client: mgr.GetClient(),
		Live:   &live.Reader{Cache: mgr.GetCache(), Written: written, SecretRecords: s.SecretRecords},
		Engine: &release.Engine{
			Client:  client.WithFieldValidation(direct, metav1.FieldValidationStrict),
			Records: records, Written: written, Chart: chart, Capabilities: capabilities, MaxHistory: s.MaxHistory,
		},
		Recorder:  mgr.GetEventRecorder(viewv1.NameController),
		Clock:     clock.RealClock{},
		Images:    values.Images{Viewer: s.ViewerImage, Server: s.ServerImage},
		Overrides: watch.OverrideValues,
		Period:    watch.Period(),
	}), nil
}

// reportUpgradeable keeps OLM informed, where OLM runs the operator, of whether an upgrade would cut a
// change short. It returns what the changes are to be told to: nil where nobody asks.
func reportUpgradeable(config *rest.Config, mgr ctrl.Manager) (func(delta int), error) {
	gate := upgradeable.NewGate(clock.RealClock{})
	reporter, err := upgradeable.FromEnvironment(config, gate)
	if err != nil {
		// Books are served all the same; OLM takes silence for "may be upgraded".
		mgr.GetLogger().Error(err, "OLM cannot be told whether the operator may be upgraded")
		return nil, nil //nolint:nilnil // Nobody is to be told: that is no error.
	}
	if reporter == nil {
		return nil, nil //nolint:nilnil // Nobody is to be told: that is no error.
	}
	return gate.InFlight, mgr.Add(reporter)
}

// serverVersion asks the API server for its version, the one thing about it that a chart may read.
func serverVersion(config *rest.Config, client *http.Client) (string, error) {
	d, err := discovery.NewDiscoveryClientForConfigAndClient(config, client)
	if err != nil {
		return "", fmt.Errorf("discovery: %w", err)
	}
	info, err := d.ServerVersion()
	if err != nil {
		return "", fmt.Errorf("the API server's version: %w", err)
	}
	return info.GitVersion, nil
}
