##@ End to end

# A cluster of its own, for it is removed afterwards.
E2E_CLUSTER ?= markdown-view-e2e

.PHONY: e2e
e2e: ## Publish and read books on a real cluster (root; or on the cluster that KUBECONFIG names).
	@hack/setup.sh build cluster browser
	@CLUSTER_NAME=$(E2E_CLUSTER) hack/e2e.sh $(E2E_ARGS)
