#!/usr/bin/env bash
# The one-node cluster of this machine (test/cluster), or the one that KUBECONFIG names.
#
#   hack/cluster.sh up            brings it up, with what is missing built first
#   hack/cluster.sh down          removes it
#   hack/cluster.sh load IMAGE... loads images into it, as `kind load docker-image` does
#   hack/cluster.sh kubeconfig    prints the line that points kubectl at it
#   hack/cluster.sh registry      prints the address of its registry on this machine
#
# CLUSTER_NAME names it (markdown-view). Where KUBECONFIG names another cluster, up and down leave it alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export LOCALBIN=${LOCALBIN:-$PWD/bin} CLUSTER_NAME=${CLUSTER_NAME:-markdown-view}

# kubeconfig prints the path of our cluster's administrator's kubeconfig.
kubeconfig() { echo "${MARKDOWN_VIEW_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/markdown-view}/clusters/$CLUSTER_NAME/kubeconfig"; }

# foreign says whether KUBECONFIG names a cluster that is not ours.
foreign() { [ -n "${KUBECONFIG:-}" ] && [ "$KUBECONFIG" != "$(kubeconfig)" ]; }

require_root() {
  [ "$(uname)" = Linux ] || { echo "hack/cluster.sh: a node takes Linux. Elsewhere, start a cluster by other means (kind does) and set KUBECONFIG." >&2; exit 1; }
  [ "$(id -u)" = 0 ] || { echo "hack/cluster.sh: a node needs root (namespaces, mounts, cgroups). Run it as root, or set KUBECONFIG to a cluster that is there." >&2; exit 1; }
}

program() { # builds the command itself
  CGO_ENABLED=0 go build -trimpath -o "$LOCALBIN/cluster" ./test/cluster
}

up() {
  if foreign; then echo "using the cluster of KUBECONFIG=$KUBECONFIG" >&2; return; fi
  require_root
  hack/setup.sh build cluster
  make --no-print-directory cluster-tools
  local archives args=() crds archive
  archives=$(test/cluster/images/build pause coredns)
  for archive in $archives; do args+=(--archive "$archive"); done
  crds=$(cd hack/tools/cert-manager && go mod download && go list -m -f '{{.Dir}}' github.com/cert-manager/cert-manager)/deploy/crds
  args+=(--addon "$crds/cert-manager.io_certificates.yaml" --addon "$crds/cert-manager.io_issuers.yaml")
  "$LOCALBIN/cluster" up --bin "$LOCALBIN" "${args[@]}"
  echo "export KUBECONFIG=$(kubeconfig)"
}

down() {
  if foreign; then echo "KUBECONFIG names another cluster, which is left as it is" >&2; return; fi
  require_root
  program
  "$LOCALBIN/cluster" down
}

load() {
  [ $# -gt 0 ] || { echo "hack/cluster.sh load: name at least one image, e.g. controller:latest" >&2; exit 2; }
  if foreign; then
    echo "hack/cluster.sh load: images go into our own cluster only. For the cluster of KUBECONFIG use its own way, e.g. kind load docker-image $*" >&2; exit 1
  fi
  require_root
  program
  "$LOCALBIN/cluster" load --tool "$(hack/images.sh tool)" "$@"
}

registry() {
  local record port
  record=$(dirname "$(kubeconfig)")/node.json
  ! foreign || { echo "hack/cluster.sh: KUBECONFIG names another cluster, whose registry is not ours to fill: unset KUBECONFIG" >&2; exit 1; }
  port=$(sed -n 's/.*"registryPort":\([0-9]*\).*/\1/p' "$record" 2>/dev/null || true)
  [ -n "$port" ] || { echo "hack/cluster.sh: the cluster $CLUSTER_NAME is not up: run 'make cluster-up' first" >&2; exit 1; }
  echo "127.0.0.1:$port"
}

case ${1:-} in
  up|down|registry) "$1" ;;
  load) shift; load "$@" ;;
  ours) ! foreign ;; # for other scripts
  kubeconfig) if foreign; then echo "export KUBECONFIG=$KUBECONFIG"; else echo "export KUBECONFIG=$(kubeconfig)"; fi ;;
  *) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2 ;;
esac
