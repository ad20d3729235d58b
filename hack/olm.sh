#!/usr/bin/env bash
# OLM in the test cluster, from pinned modules, with images made here: no other network is needed.
#
#   hack/olm.sh install   installs OLM by its own Helm chart, and waits until it serves packages
#
# Removing the cluster removes it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export LOCALBIN=${LOCALBIN:-$PWD/bin} CLUSTER_NAME=${CLUSTER_NAME:-markdown-view}
eval "$(hack/cluster.sh kubeconfig)" # exports KUBECONFIG
version=$(cd hack/tools/olm && go list -m -f '{{.Version}}' github.com/operator-framework/operator-lifecycle-manager)

# module DIR MODULE prints where the module that DIR's go.mod pins is unpacked.
module() { (cd "$1" && go mod download "$2" && go list -m -f '{{.Dir}}' "$2"); }

# busybox prints the path of a static busybox: Debian's packages have no other image's `cp` and `tar`.
busybox() {
  type -P busybox || { echo "hack/olm.sh: busybox is missing; run 'hack/setup.sh cluster'" >&2; return 1; }
}

images() { # sets olm_image and opm_image
  hack/tools/install crane olm catalog package-server copy-content cpb opm grpc_health_probe
  olm_image=$(hack/scratch-image.sh "quay.io/operator-framework/olm:$version" --user 1001 --entrypoint /bin/olm \
    "$(busybox)=/bin/cp" "$LOCALBIN/olm=/bin/olm" "$LOCALBIN/catalog=/bin/catalog" "$LOCALBIN/package-server=/bin/package-server" \
    "$LOCALBIN/copy-content=/bin/copy-content" "$LOCALBIN/cpb=/bin/cpb")
  opm_image=$(hack/scratch-image.sh quay.io/operator-framework/opm:pinned --user 1001 --entrypoint /bin/opm \
    "$LOCALBIN/opm=/bin/opm" "$LOCALBIN/grpc_health_probe=/bin/grpc_health_probe")
}

install() {
  local chart api
  hack/tools/install helm kubectl
  images
  chart=$(module hack/tools/olm github.com/operator-framework/operator-lifecycle-manager)/deploy/chart
  api=$(module . github.com/operator-framework/api)/crds
  # The chart's own copies of the CRDs are those of an older API module.
  "$LOCALBIN/kubectl" apply --server-side --force-conflicts $(printf -- '-f %s ' "$api"/operators.coreos.com_*.yaml) >&2
  "$LOCALBIN/kubectl" wait --for=condition=Established --timeout=1m $(printf -- '-f %s ' "$api"/operators.coreos.com_*.yaml) >&2
  # One package server instead of two: it is a test's only node. No public catalogue: it is out of reach.
  # Helm's own record goes elsewhere, because OLM's namespace is part of its chart.
  "$LOCALBIN/helm" upgrade --install olm "$chart" --namespace kube-system --skip-crds --wait --timeout 5m \
    --set installType= --set package.replicaCount=1 --set "catalog.commandArgs=--configmapServerImage=$opm_image" \
    --set "catalog.opmImageArgs=--opmImage=$opm_image" \
    --set "olm.image.ref=$olm_image,catalog.image.ref=$olm_image,package.image.ref=$olm_image" \
    --set olm.image.pullPolicy=IfNotPresent,catalog.image.pullPolicy=IfNotPresent,package.image.pullPolicy=IfNotPresent >&2
  "$LOCALBIN/kubectl" wait --namespace operator-lifecycle-manager --for=jsonpath='{.status.phase}'=Succeeded \
    clusterserviceversion/packageserver --timeout=3m >&2
}

case ${1:-} in
  install) install ;;
  *) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2 ;;
esac
