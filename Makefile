# markdown-view: `make help` lists every target. Fragments by subject live in hack/make/.
SHELL := /usr/bin/env bash -o pipefail
.SHELLFLAGS := -ec
.DEFAULT_GOAL := help

# Programs built from the modules under hack/tools are linked here.
LOCALBIN ?= $(CURDIR)/bin
export LOCALBIN
TOOLS := hack/tools/install

include hack/make/*.mk

##@ General

.PHONY: help
help: ## Show every target.
	@awk 'BEGIN {FS = ":.*##"; printf "\nUsage: make \033[36m<target>\033[0m\n"} /^[a-zA-Z_0-9-]+:.*?##/ { printf "  \033[36m%-20s\033[0m %s\n", $$1, $$2 } /^##@/ { printf "\n\033[1m%s\033[0m\n", substr($$0, 5) }' $(MAKEFILE_LIST)
