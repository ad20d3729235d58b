##@ End to end

# A cluster of its own, for it is removed afterwards; one a checkout, for two may be tested at a time.
E2E_CLUSTER ?= markdown-view-e2e-$(shell pwd | cksum | cut -d' ' -f1)

.PHONY: e2e
e2e: ## Publish and read books on a real cluster (root; or on the cluster that KUBECONFIG names).
	@CLUSTER_NAME=$(E2E_CLUSTER) hack/e2e.sh $(E2E_ARGS)
	$(call without_guide,TestGuide)
