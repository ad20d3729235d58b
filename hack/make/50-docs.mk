##@ Documentation

# `make verify` regenerates these and compares.
GENERATORS += api-docs

.PHONY: api-docs
api-docs: manifests ## Write the API reference of docs/ from the CRD and api/v1/names.go.
	go run ./hack/apireference

.PHONY: docs
docs: ## Build the documentation (docs/, an mdBook) into dist/book.
	@$(TOOLS) mdbook
	MDBOOK_BUILD__CREATE_MISSING=false $(LOCALBIN)/mdbook build docs --dest-dir $(CURDIR)/dist/book

.PHONY: docs-serve
docs-serve: docs ## Build the documentation and serve it on http://localhost:3000 as a viewer pod would.
	go run ./cmd/server --root dist/book --addr localhost:3000 --metrics-addr "" --drain 0s

.PHONY: screenshot
screenshot: ## Take the picture of README.md anew, in a real browser.
	@$(TOOLS) mdbook
	MDBOOK=$(LOCALBIN)/mdbook SCREENSHOT=$(CURDIR)/docs/images/served-book.png go test -tags browser -count=1 -run TestDocumentation ./test/browser
