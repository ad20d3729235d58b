##@ Demo

.PHONY: demo
demo: ## Publish this project's documentation on a real cluster, everything included (root; else on the kubectl context).
	@hack/demo.sh up

.PHONY: demo-down
demo-down: ## Remove the demo: its cluster, or what it installed into the kubectl context's.
	@hack/demo.sh down

.PHONY: demo-check
demo-check: ## Run the demo twice under another name, read the book, and see that demo-down leaves nothing (root).
	@hack/demo-check.sh
