##@ Deployment

# What `make deploy` installs: config/default (cert-manager makes the certificates) or
# config/own-certs (you do), or a kustomization of your own.
CONFIG ?= config/default
ignore-not-found ?= false
KUBECTL ?= $(shell command -v kubectl || echo $(LOCALBIN)/kubectl)

.PHONY: kubectl
kubectl:
	@command -v $(KUBECTL) >/dev/null || $(TOOLS) kubectl

.PHONY: install
install: manifests kubectl ## Install the CRD into the cluster of the current context.
	@$(TOOLS) kustomize
	$(LOCALBIN)/kustomize build config/crd | $(KUBECTL) apply --server-side --force-conflicts -f -

.PHONY: uninstall
uninstall: manifests kubectl ## Remove the CRD, and with it every MarkdownView.
	@$(TOOLS) kustomize
	$(LOCALBIN)/kustomize build config/crd | $(KUBECTL) delete --ignore-not-found=$(ignore-not-found) -f -

.PHONY: deploy
deploy: manifests kubectl ## Install the operator with the images IMG and SERVER_IMG.
	@if [ $(CONFIG) = config/default ] && ! $(KUBECTL) get crd certificates.cert-manager.io >/dev/null; then \
		echo "make deploy: this cluster has no cert-manager, which config/default takes its certificates from." >&2; \
		echo "Install cert-manager first, or use CONFIG=config/own-certs and follow docs/src/admin/install.md, With certificates of your own." >&2; exit 1; fi
	hack/render.sh $(CONFIG) $(IMG) $(SERVER_IMG) | $(KUBECTL) apply --server-side --force-conflicts -f -

.PHONY: undeploy
undeploy: kubectl ## Remove the operator, the CRD, and with it every MarkdownView.
	hack/render.sh $(CONFIG) $(IMG) $(SERVER_IMG) | $(KUBECTL) delete --ignore-not-found=$(ignore-not-found) -f -
