##@ End to end

# A cluster of its own, for it is removed afterwards; one a checkout, for two may be tested at a time.
E2E_CLUSTER ?= markdown-view-e2e-$(shell pwd | cksum | cut -d' ' -f1)

.PHONY: e2e
e2e: ## Publish and read books on a real cluster (root; or on the cluster that KUBECONFIG names).
	@CLUSTER_NAME=$(E2E_CLUSTER) hack/e2e.sh $(E2E_ARGS)
	$(call without_guide,TestGuide)

.PHONY: test-e2e
test-e2e: e2e ## kubebuilder's name of e2e.

.PHONY: setup-test-e2e
setup-test-e2e: ## Bring up the cluster that e2e brings up itself, to keep it (KEEP=1 make e2e then uses it).
	@CLUSTER_NAME=$(E2E_CLUSTER) hack/cluster.sh up

.PHONY: cleanup-test-e2e
cleanup-test-e2e: ## Remove that cluster.
	@CLUSTER_NAME=$(E2E_CLUSTER) hack/cluster.sh down
