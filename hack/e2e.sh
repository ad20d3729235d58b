#!/usr/bin/env bash
# Runs the end-to-end tests on a real cluster: the one that KUBECONFIG names, or a one-node cluster
# that is brought up for them and removed afterwards.
#
#   hack/e2e.sh [ARGUMENT OF go test]...      e.g. -run TestBrokenEdit -v
#
# Where KUBECONFIG's cluster has the operator already, that one is tested, and is left as it is.
# KEEP=1 leaves the cluster, the operator, and the namespace of a test that failed, as they are.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export LOCALBIN=${LOCALBIN:-$PWD/bin} CLUSTER_NAME=${CLUSTER_NAME:-markdown-view-e2e} KEEP=${KEEP:-}
own=false
if hack/cluster.sh ours; then own=true; fi
# Another cluster takes nothing of this machine but a browser.
if $own; then hack/setup.sh build cluster browser; else hack/setup.sh browser; fi

finish() {
  local status=$?
  if $own && [ -z "$KEEP" ]; then KUBECONFIG='' hack/cluster.sh down || status=1; fi
  [ -z "$KEEP" ] || hack/cluster.sh kubeconfig >&2
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM

step() { echo "--- e2e: $* ($((SECONDS)) s)" >&2; }
step "cluster"
line=$(hack/cluster.sh up)
if $own; then export KUBECONFIG=${line#*=}; fi
hack/tools/install helm kubectl
installed=true
if ! $own && "$LOCALBIN/kubectl" get namespace markdown-view-system >/dev/null 2>&1; then
  installed=false
  step "the operator that is there"
else
  step "operator"
  hack/operator.sh install
fi
step "tests"
go test -tags e2e -count=1 -timeout 30m -parallel "${PARALLEL:-3}" ./test/e2e/... "$@"
if $installed && [ -z "$KEEP" ]; then
  step "removal"
  hack/operator.sh uninstall
  if "$LOCALBIN/kubectl" get namespace markdown-view-system 2>/dev/null; then
    echo "hack/e2e.sh: the operator's namespace is still there" >&2; exit 1
  fi
fi
# Who asks for some tests wants their result, not this one's.
if $own && [ $# = 0 ]; then
  step "a cluster leaves nothing behind"
  KUBECONFIG='' go test -tags e2e -count=1 -timeout 10m ./test/cluster/
fi
step "done"
