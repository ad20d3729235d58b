##@ Tools

# All from pinned modules under hack/tools; the other targets build what they use by themselves.

.PHONY: controller-gen
controller-gen: ## Build controller-gen into bin/.
	@$(TOOLS) $@

.PHONY: kustomize
kustomize: ## Build kustomize into bin/.
	@$(TOOLS) $@

.PHONY: golangci-lint
golangci-lint: ## Build golangci-lint into bin/.
	@$(TOOLS) $@

.PHONY: operator-sdk
operator-sdk: ## Build operator-sdk into bin/.
	@$(TOOLS) $@

.PHONY: opm
opm: ## Build opm into bin/.
	@$(TOOLS) $@
