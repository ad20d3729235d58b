# markdown-view: `make help` lists every target. Fragments by subject live in hack/make/.
SHELL := /usr/bin/env bash -o pipefail
.SHELLFLAGS := -ec
.DEFAULT_GOAL := help

# The version that programs, the bundle and the images are stamped with.
VERSION ?= 0.3.0
# The operator's own image, and the one that serves a built book.
IMG ?= controller:latest
SERVER_IMG ?= server:latest

# Programs built from the modules under hack/tools are linked here.
LOCALBIN ?= $(CURDIR)/bin
export LOCALBIN
TOOLS := hack/tools/install

.PHONY: all
all: build

include $(sort $(wildcard hack/make/*.mk))

# After the fragments: prerequisites are read where they stand, and each fragment adds its generators.
.PHONY: generated
generated: $(GENERATORS) ## Regenerate every generated file.

##@ General

.PHONY: help
help: ## Show every target.
	@awk 'BEGIN {FS = ":.*##"; printf "\nUsage: make \033[36m<target>\033[0m\n"} /^[a-zA-Z_0-9-]+:.*?##/ { printf "  \033[36m%-20s\033[0m %s\n", $$1, $$2 } /^##@/ { printf "\n\033[1m%s\033[0m\n", substr($$0, 5) }' $(MAKEFILE_LIST)
