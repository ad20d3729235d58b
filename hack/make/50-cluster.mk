##@ Cluster on this machine

# Several clusters of different names can run side by side.
CLUSTER_NAME ?= markdown-view
export CLUSTER_NAME
CLUSTER := $(LOCALBIN)/cluster
CLUSTER_TOOLS := etcd kube-apiserver kube-controller-manager kube-scheduler kubelet kube-proxy kubectl \
	containerd containerd-shim-runc-v2 ctr runc crane ptp host-local loopback

.PHONY: cluster-tools
cluster-tools: ## Build what a node runs (once a machine: it is cached; about 25 minutes on two cores).
	@$(TOOLS) $(CLUSTER_TOOLS)
	@CGO_ENABLED=0 go build -trimpath -o $(CLUSTER) ./test/cluster
	@CGO_ENABLED=0 go build -trimpath -o $(LOCALBIN)/certissuer ./test/cluster/certissuer

.PHONY: cluster-up
cluster-up: ## Bring up a real one-node Kubernetes cluster on this machine (root; nothing to do where KUBECONFIG is set).
	@hack/cluster.sh up

.PHONY: cluster-down
cluster-down: ## Remove that cluster and all that it holds.
	@hack/cluster.sh down

.PHONY: cluster-load
cluster-load: ## Load the images IMG="a:1 b:2" into that cluster, as `kind load docker-image` does.
	@hack/cluster.sh load $(IMG)

.PHONY: kubeconfig
kubeconfig: ## Print the line that points kubectl at that cluster.
	@hack/cluster.sh kubeconfig
