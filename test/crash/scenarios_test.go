// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"helm.sh/helm/v3/pkg/action"
	helmkube "helm.sh/helm/v3/pkg/kube"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// scenario is one action of the operator.
type scenario struct {
	name string
	// hooks uses a chart with deletion hooks, so that the finalizer is set.
	hooks bool
	// annotations of the MarkdownView from its creation on.
	annotations map[string]string
	// edits are applied one by one, with the cluster at rest in between, before the action.
	edits []func(*viewv1.MarkdownView)
	// act is what the operator must answer to. It runs while no operator does. Nil where the
	// creation of the MarkdownView is the action.
	act func(*place)
	// silent tells that the operator has nothing to do.
	silent bool
}

const firstText = "# One\n"

// hookFiles are chart files with hooks around the deletion.
var hookFiles = map[string]string{
	"templates/before.yaml": hook("before", "pre-delete", "before-hook-creation"),
	"templates/after.yaml":  hook("after", "post-delete", "hook-succeeded"),
}

func hook(name, event, policy string) string {
	return `apiVersion: v1
kind: ConfigMap
metadata:
  name: hook-` + name + `-{{ .Values.name }}
  annotations:
    helm.sh/hook: ` + event + `
    helm.sh/hook-delete-policy: ` + policy + `
data:
  event: ` + event + `
`
}

func scenarios() []scenario {
	text := func(text string) func(*viewv1.MarkdownView) {
		return func(view *viewv1.MarkdownView) { view.Spec.Markdowns = book(text) }
	}
	grow := func(view *viewv1.MarkdownView) {
		replicas := int32(2)
		view.Spec.Replicas = &replicas
		view.Spec.Markdowns = book("# Two\n")
	}
	shrink := func(view *viewv1.MarkdownView) {
		replicas := int32(1)
		view.Spec.Replicas = &replicas
		view.Spec.Markdowns = book("# Three\n")
	}
	remove := func(p *place) { p.must(kube.Delete(p.Context(), p.view())) }
	return []scenario{
		{name: "install"},
		{name: "upgrade that adds objects", act: func(p *place) { p.edit(grow) }},
		{name: "upgrade that removes objects", edits: []func(*viewv1.MarkdownView){grow}, act: func(p *place) { p.edit(shrink) }},
		{
			name:  "upgrade with a full history",
			edits: []func(*viewv1.MarkdownView){text("# 2\n"), text("# 3\n"), text("# 4\n")},
			act:   func(p *place) { p.edit(text("# 5\n")) },
		},
		{name: "drift repair", edits: []func(*viewv1.MarkdownView){grow}, act: drift},
		{name: "helm rollback put right", edits: []func(*viewv1.MarkdownView){grow}, act: rollback},
		{name: "deletion without a finalizer", act: remove, silent: true},
		{name: "deletion with hooks", hooks: true, edits: []func(*viewv1.MarkdownView){grow}, act: remove},
		{
			name:        "deletion that keeps the site",
			annotations: map[string]string{viewv1.AnnotationDeletionPolicy: viewv1.DeletionPolicyKeep},
			edits:       []func(*viewv1.MarkdownView){grow}, act: remove,
		},
	}
}

// drift changes a Service and a Deployment, and deletes a ServiceAccount and the text.
func drift(p *place) {
	p.textMayGo = true
	var service corev1.Service
	p.must(kube.Get(p.Context(), p.key(viewerName), &service))
	service.Spec.Ports[0].TargetPort = intstr.FromInt32(1)
	p.must(kube.Update(p.Context(), &service))
	var deployment appsv1.Deployment
	p.must(kube.Get(p.Context(), p.key(viewerName), &deployment))
	deployment.Spec.Template.Spec.Containers[0].Image = "somebody/else"
	p.must(kube.Update(p.Context(), &deployment))
	var account corev1.ServiceAccount
	p.must(kube.Get(p.Context(), p.key(viewerName), &account))
	p.must(kube.Delete(p.Context(), &account))
	var text corev1.ConfigMap
	p.must(kube.Get(p.Context(), p.key("markdowns-book-"+p.view().Status.Content.Desired), &text))
	p.must(kube.Delete(p.Context(), &text))
}

// rollback does what `helm rollback book 1` does, by the library that the command is made of.
func rollback(p *place) {
	// Pods that only the rollback made lose their text with it: the book that is served is another.
	p.textMayGo = true
	configuration := &action.Configuration{}
	p.must(configuration.Init(clientGetter(p.namespace), p.namespace, "configmap", func(string, ...any) {}))
	configuration.KubeClient.(*helmkube.Client).Namespace = p.namespace
	back := action.NewRollback(configuration)
	back.Version = 1
	p.must(back.Run(viewName))
}

// clientGetter is how Helm's own client reaches the test's API server.
func clientGetter(namespace string) genericclioptions.RESTClientGetter {
	flags := genericclioptions.NewConfigFlags(false)
	flags.Namespace = &namespace
	return flags.WithWrapConfigFn(func(*rest.Config) *rest.Config { return rest.CopyConfig(server.Config) })
}
