#!/usr/bin/env bash
# Installs, upgrades and removes the operator by OLM itself, on a one-node cluster that is brought up
# for it and removed afterwards.
#
#   hack/olm-e2e.sh [ARGUMENT OF go test]...      e.g. -run TestInstallModes
#
# KEEP=1 leaves the cluster as it is; another run then goes on with it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export LOCALBIN=${LOCALBIN:-$PWD/bin} CLUSTER_NAME=${CLUSTER_NAME:-markdown-view-olm} KUBECONFIG=

finish() {
  local status=$?
  if [ -z "${KEEP:-}" ]; then KUBECONFIG='' hack/cluster.sh down || status=1; fi
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM

step() { echo "--- olm-e2e: $* ($((SECONDS)) s)" >&2; }
step "programs"
hack/tools/install olm catalog package-server copy-content cpb opm grpc_health_probe operator-sdk kustomize mdbook helm
step "cluster"
line=$(hack/cluster.sh up)
export KUBECONFIG=${line#*=}
step "OLM"
hack/olm.sh install
step "three releases and a catalogue of them"
CATALOG=$(hack/olm-releases.sh)
export CATALOG
step "tests"
go test -tags olm -count=1 -timeout 25m -v ./test/olm "$@"
step "done"
