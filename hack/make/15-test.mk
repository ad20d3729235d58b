##@ Tests

# Programs that the tests start: the Helm CLI, and a real API server unless KUBEBUILDER_ASSETS names a
# folder that has one already.
ENVTEST_TOOLS := helm
ifndef KUBEBUILDER_ASSETS
ENVTEST_TOOLS += etcd kube-apiserver kubectl
endif
export KUBEBUILDER_ASSETS ?= $(LOCALBIN)

# mdBook's own guide is a book of the tests that is not in this repository: MDBOOK_GUIDE names the folder
# guide of mdBook's sources. `go test` is silent about what it skips, so the targets say it.
override MDBOOK_GUIDE := $(abspath $(or $(MDBOOK_GUIDE),../shared/cases/books/mdbook-guide))
export MDBOOK_GUIDE
without_guide = @[ -d '$(MDBOOK_GUIDE)' ] || echo "SKIPPED, for there is no mdBook guide in $(MDBOOK_GUIDE) (set MDBOOK_GUIDE): $(1)" >&2

# What regenerates committed files; a fragment that owns such files adds its target.
GENERATORS += generate manifests

.PHONY: test
test: lint test-go verify ## Lint, unit and chart tests, envtest, and that everything generated is up to date.

.PHONY: envtest-assets
envtest-assets:
	@$(TOOLS) $(ENVTEST_TOOLS)

.PHONY: envtest setup-envtest
envtest: envtest-assets ## kubebuilder's name of setup-envtest.
setup-envtest: envtest-assets ## Build the API server that the tests use, or take that of KUBEBUILDER_ASSETS.

.PHONY: test-go
test-go: envtest-assets ## Unit, chart and configuration tests, and those against a real API server.
	go vet ./...
	go test -timeout 20m ./...
	$(MAKE) --no-print-directory test-bench
	$(call without_guide,TestMdBookGuide)

.PHONY: test-unit
test-unit: ## Only the tests that need no API server.
	go test -short ./...
	$(call without_guide,TestMdBookGuide)

.PHONY: verify
verify: ## Check that generated files, formats, headers and go.mod files are up to date.
	hack/verify.sh
