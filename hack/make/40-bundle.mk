##@ OLM

# Where releases of the images go; the bundle names them.
IMAGE_TAG_BASE ?= ghcr.io/bobuhiro11/markdown-view
# The version before this one, and those that may be upgraded to this one in one step.
REPLACES ?= 0.2.0
SKIP_RANGE ?= >=0.1.0 <$(VERSION)
# The release's date: the bundle is the same bytes whenever it is built.
CREATED ?= 2026-11-30T00:00:00Z
BUNDLE_DIR ?= bundle

# IMG and SERVER_IMG are for images built on the spot; the bundle's come from a registry.
BUNDLE_MANAGER_IMG ?= $(IMAGE_TAG_BASE):v$(VERSION)
BUNDLE_SERVER_IMG ?= $(IMAGE_TAG_BASE)-server:v$(VERSION)
BUNDLE_VIEWER_IMG ?=
SCORECARD_IMG ?= $(IMAGE_TAG_BASE)-scorecard:v$(VERSION)

.PHONY: bundle-base
bundle-base: ## Regenerate the base of the CSV: descriptors from the API types' markers, the icon from its SVG.
	@$(TOOLS) operator-sdk
	$(LOCALBIN)/operator-sdk generate kustomize manifests -q --interactive=false --apis-dir api
	@sed -i "s#base64data: .*#base64data: $$(base64 -w0 config/manifests/bases/icon.svg)#" config/manifests/bases/markdown-view.clusterserviceversion.yaml

.PHONY: bundle
bundle: manifests generate bundle-base ## Generate the OLM bundle with operator-sdk.
	@$(MAKE) --no-print-directory bundle-files

# The bundle alone, of what is generated already; a release and a test build others beside bundle/.
.PHONY: bundle-files
bundle-files:
	VERSION='$(VERSION)' REPLACES='$(REPLACES)' SKIP_RANGE='$(SKIP_RANGE)' CREATED='$(CREATED)' \
	IMG='$(BUNDLE_MANAGER_IMG)' SERVER_IMG='$(BUNDLE_SERVER_IMG)' VIEWER_IMG='$(BUNDLE_VIEWER_IMG)' SCORECARD_IMG='$(SCORECARD_IMG)' \
	hack/bundle.sh $(BUNDLE_DIR) $(if $(filter bundle,$(BUNDLE_DIR)),bundle.Dockerfile)

GENERATORS += bundle

# Warnings count: a catalogue's pipeline refuses them. Left out: `operatorhub`, which warns of every bundle that
# it is deprecated itself (TestValidators runs it, and lets that pass), and `multiarch`, which asks a registry.
VALIDATORS := community operatorhubv2 capabilities categories good-practices alpha-deprecated-apis
.PHONY: bundle-validate
bundle-validate: ## Validate the bundle with every validator of operator-sdk that needs no registry; warnings are errors.
	@$(TOOLS) operator-sdk kustomize
	hack/bundle-validate.sh $(BUNDLE_DIR) $(VALIDATORS)
	go test -count=1 ./test/bundle/...

.PHONY: catalog
catalog: bundle ## Render the file-based catalogue from its template, with a bundle of each version, and what the community's wants.
	CREATED='$(CREATED)' hack/catalog.sh bundles bin/bundles
	hack/catalog.sh render bin/bundles catalog/markdown-view/catalog.yaml
	hack/catalog.sh community catalog/community

GENERATORS += catalog

.PHONY: catalog-validate
catalog-validate: ## Validate the catalogue with opm.
	@$(TOOLS) opm
	$(LOCALBIN)/opm validate catalog/markdown-view
	$(LOCALBIN)/opm alpha render-template basic catalog/community/catalog-templates/basic.yaml --output yaml >/dev/null
	go test ./test/catalog/...

BUNDLE_IMG ?= $(IMAGE_TAG_BASE)-bundle:v$(VERSION)
CATALOG_IMG ?= $(IMAGE_TAG_BASE)-catalog:v$(VERSION)

.PHONY: bundle-build
bundle-build: ## Build the bundle's image.
	hack/images.sh file bundle.Dockerfile $(BUNDLE_IMG) $(ARCH)

.PHONY: bundle-push
bundle-push: ## Push the bundle's image.
	hack/images.sh push $(BUNDLE_IMG)

.PHONY: catalog-build
catalog-build: ## Build the catalogue's image.
	hack/images.sh file catalog.Dockerfile $(CATALOG_IMG) $(ARCH)

.PHONY: catalog-push
catalog-push: ## Push the catalogue's image.
	hack/images.sh push $(CATALOG_IMG)

.PHONY: catalog-buildx
catalog-buildx: ## Build the catalogue's image for every architecture and push it as one.
	hack/images.sh multiarch catalog.Dockerfile $(CATALOG_IMG) $(ARCHES)

.PHONY: scorecard-buildx
scorecard-buildx: $(addprefix binaries-scorecard-,$(ARCHES)) ## Build the image of our scorecard tests for every architecture and push it as one.
	hack/images.sh multiarch scorecard $(SCORECARD_IMG) $(ARCHES)

.PHONY: publish
publish: ## Push what OLM installs, every version in the catalogue that the registry lacks, by digest (RELEASE.md).
	IMAGE_TAG_BASE='$(IMAGE_TAG_BASE)' hack/publish.sh dist/community

SCORECARD_CLUSTER ?= markdown-view-scorecard
.PHONY: scorecard
scorecard: ## Run the scorecard on a real cluster (root; or with the operator on the cluster that KUBECONFIG names).
	CLUSTER_NAME=$(SCORECARD_CLUSTER) hack/scorecard.sh $(BUNDLE_DIR) dist/scorecard.xml
