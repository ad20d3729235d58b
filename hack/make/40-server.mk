##@ Site server

.PHONY: bench-server
bench-server: ## Benchmark the site server beside the standard library's file server.
	go test -run '^$$' -bench . -benchmem ./internal/site

.PHONY: fuzz-server
fuzz-server: ## Fuzz the site server's paths and page policies, FUZZTIME (20s) each.
	go test -run '^$$' -fuzz FuzzPath -fuzztime $(or $(FUZZTIME),20s) ./internal/site
	go test -run '^$$' -fuzz FuzzPolicy -fuzztime $(or $(FUZZTIME),20s) ./internal/site

.PHONY: test-browser
test-browser: ## Read books in a headless Chromium: search, themes, what the page policy refuses.
	@hack/setup.sh --check browser
	@$(TOOLS) mdbook
	MDBOOK=$(LOCALBIN)/mdbook go test -tags browser -count=1 ./test/browser
