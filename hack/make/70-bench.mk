##@ Benchmark

# full takes about 40 minutes on two cores, quick two to three; or plans of your own, see test/bench/README.md.
BENCH ?= full
BENCH_NOTE ?=
BENCH_TOOLS := etcd kube-apiserver
ifneq ($(BENCH),quick)
BENCH_TOOLS += kube-controller-manager kube-scheduler kwok
endif

.PHONY: bench
bench: ## Measure the operator beside a bare client and helm-operator-plugins (BENCH=quick for two minutes).
	@$(TOOLS) $(BENCH_TOOLS)
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/manager ./cmd
	cd test/bench && CGO_ENABLED=0 go build -trimpath -o $(LOCALBIN)/bench .
	KUBEBUILDER_ASSETS=$(LOCALBIN) $(LOCALBIN)/bench run -root $(CURDIR) -mode '$(BENCH)' -note '$(BENCH_NOTE)'

.PHONY: test-bench
test-bench: ## Test the benchmark's own counting and verdicts.
	cd test/bench && go vet ./... && go test ./...
