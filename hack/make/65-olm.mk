##@ OLM on a real cluster

# A cluster of its own, for it is removed afterwards.
OLM_CLUSTER ?= markdown-view-olm

.PHONY: olm-e2e
olm-e2e: ## Install, upgrade and remove the operator by OLM itself on a real cluster (root).
	@hack/setup.sh build cluster olm
	@CLUSTER_NAME=$(OLM_CLUSTER) hack/olm-e2e.sh $(OLM_E2E_ARGS)
