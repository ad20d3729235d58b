#!/usr/bin/env bash
# Makes a kind cluster with cert-manager, for `tilt up` or `make deploy`. Needs docker, kind and kubectl,
# and a network; without those, `make cluster-up` makes a one-node cluster from source.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
for program in docker kind kubectl; do
  command -v "$program" >/dev/null || { echo "hack/kind.sh: $program is missing" >&2; exit 1; }
done
certmanager=v1.19.1
kind get clusters | grep -qx markdown-view || kind create cluster --config hack/kind.yaml
kubectl --context kind-markdown-view apply -f "https://github.com/cert-manager/cert-manager/releases/download/$certmanager/cert-manager.yaml"
kubectl --context kind-markdown-view -n cert-manager wait --for=condition=Available deployment --all --timeout=3m
hack/tools/install kustomize
