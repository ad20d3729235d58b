##@ Build

.PHONY: build
build: ## Build every program of the project.
	CGO_ENABLED=0 go build ./...
