##@ Development

.PHONY: manifests
manifests: ## Generate the CRD, the manager's role and the webhook configurations from markers.
	@$(TOOLS) controller-gen
	$(LOCALBIN)/controller-gen rbac:roleName=manager-role crd webhook paths="./api/..." paths="./internal/..." \
		output:crd:artifacts:config=config/crd/bases output:rbac:artifacts:config=config/rbac output:webhook:artifacts:config=config/webhook

.PHONY: generate
generate: ## Generate the DeepCopy methods of the API types.
	@$(TOOLS) controller-gen
	$(LOCALBIN)/controller-gen object:headerFile="hack/boilerplate.go.txt" paths="./api/..."

.PHONY: fmt
fmt: ## Format the Go code.
	gofmt -w $$(git ls-files -co --exclude-standard '*.go')

.PHONY: vet
vet: ## Run go vet.
	go vet ./...

# The modules that hold code of ours. All are linted by the rules in the root.
MODULES := . test/bench hack/tools/coredns

.PHONY: lint
lint: ## Run golangci-lint with the project's rules.
	@$(TOOLS) golangci-lint
	for module in $(MODULES); do (cd $$module && $(LOCALBIN)/golangci-lint run --allow-parallel-runners); done

.PHONY: lint-fix
lint-fix: ## Run golangci-lint and let it mend what it can.
	@$(TOOLS) golangci-lint
	for module in $(MODULES); do (cd $$module && $(LOCALBIN)/golangci-lint run --fix); done

.PHONY: lint-config
lint-config: ## Check .golangci.yml itself.
	@$(TOOLS) golangci-lint
	$(LOCALBIN)/golangci-lint config verify

.PHONY: deps
deps: ## Install what the Debian packages must supply (says what, before it does).
	hack/setup.sh build cluster browser mdbook
