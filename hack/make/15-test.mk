##@ Tests

# Programs that the tests start: a real API server, and the Helm CLI. KUBEBUILDER_ASSETS names a folder
# that has them already.
ifndef KUBEBUILDER_ASSETS
ENVTEST = $(TOOLS) etcd kube-apiserver kubectl helm
endif
export KUBEBUILDER_ASSETS ?= $(LOCALBIN)

# What regenerates committed files; a fragment that owns such files adds its target.
GENERATORS += generate manifests

.PHONY: test
test: lint test-go verify ## Lint, unit and chart tests, envtest, and that everything generated is up to date.

.PHONY: envtest-assets
envtest-assets:
	@$(ENVTEST)

.PHONY: test-go
test-go: envtest-assets ## Unit, chart and configuration tests, and those against a real API server.
	go vet ./...
	go test -timeout 20m ./...

.PHONY: test-unit
test-unit: ## Only the tests that need no API server.
	go test -short ./...

.PHONY: generated
generated: $(GENERATORS) ## Regenerate every generated file.

.PHONY: verify
verify: ## Check that generated files, formats, headers and go.mod files are up to date.
	hack/verify.sh
