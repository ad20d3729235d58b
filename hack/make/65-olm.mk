##@ OLM on a real cluster

# Clusters of their own, for they are removed afterwards.
OLM_CLUSTER ?= markdown-view-olm
SCORECARD_CLUSTER ?= markdown-view-scorecard

.PHONY: olm-e2e
olm-e2e: ## Install, upgrade and remove the operator by OLM on a real cluster (root).
	@hack/setup.sh build cluster olm
	@CLUSTER_NAME=$(OLM_CLUSTER) hack/olm-e2e.sh $(OLM_E2E_ARGS)

.PHONY: scorecard
scorecard: ## Run operator-sdk scorecard on the bundle against a real cluster (root); the report is in dist/.
	@hack/setup.sh build cluster
	@CLUSTER_NAME=$(SCORECARD_CLUSTER) hack/scorecard.sh
