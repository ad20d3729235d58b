##@ Site server

.PHONY: bench-server
bench-server: ## Benchmark the site server beside the standard library's file server.
	go test -run '^$$' -bench . -benchmem ./internal/site

.PHONY: fuzz-server
fuzz-server: ## Fuzz the site server's paths and page policies, FUZZTIME (20s) each.
	go test -run '^$$' -fuzz FuzzPath -fuzztime $(or $(FUZZTIME),20s) ./internal/site
	go test -run '^$$' -fuzz FuzzPolicy -fuzztime $(or $(FUZZTIME),20s) ./internal/site

.PHONY: test-browser
test-browser: ## Build the tests' books with the real mdBook, and read some in a headless Chromium.
	@hack/setup.sh --check browser mdbook
	@$(TOOLS) mdbook
	MDBOOK=$(LOCALBIN)/mdbook go test -count=1 ./internal/book
	MDBOOK=$(LOCALBIN)/mdbook go test -tags browser -count=1 ./test/browser
	$(call without_guide,TestMdBookGuide TestRealBook)
