##@ End to end

.PHONY: e2e
e2e: ## Publish and read books on a real cluster (root; or on the cluster that KUBECONFIG names).
	@hack/setup.sh build cluster browser
	@hack/e2e.sh $(E2E_ARGS)
