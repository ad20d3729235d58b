#!/usr/bin/env bash
# Installs the operator into a test cluster by the commands that a user types.
#
#   hack/operator.sh install      builds, loads and deploys it; returns when it is ready
#   hack/operator.sh uninstall    removes it, its CRD and every MarkdownView
#
# In the cluster of hack/cluster.sh, books are built by the mdBook of hack/tools/mdbook. Where KUBECONFIG
# names another cluster, the images IMG and SERVER_IMG must be there, and mdBook is the product's default.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export LOCALBIN=${LOCALBIN:-$PWD/bin} IMG=${IMG:-controller:latest} SERVER_IMG=${SERVER_IMG:-server:latest}
[ -n "${KUBECONFIG:-}" ] || { KUBECONFIG=$(hack/cluster.sh kubeconfig); export KUBECONFIG=${KUBECONFIG#*=}; }
namespace=markdown-view-system manager=deployment/markdown-view-controller-manager
hack/tools/install kubectl
kubectl=$LOCALBIN/kubectl

# viewer loads the image that builds books, and prints its name.
viewer() {
  local version image archive
  version=$(cat hack/tools/mdbook/VERSION); image=localhost/mdbook:v$version
  if command -v cargo >/dev/null || compgen -G "${MARKDOWN_VIEW_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/markdown-view}/tools/mdbook/*/mdbook" >/dev/null; then
    archive=$(test/cluster/images/build mdbook)
    hack/cluster.sh load "$archive=$image"
  else
    image=$(hack/images.sh viewer)
    echo "no cargo here to build mdBook with: fetching $image" >&2
    archive=$(mktemp -u --suffix=.tar)
    hack/tools/install crane
    "$LOCALBIN/crane" pull --platform "linux/$(go env GOARCH)" "$image" "$archive" || {
      echo "hack/operator.sh: neither cargo nor $image can be had here. Install Rust (https://rustup.rs) and try again." >&2; return 1; }
    hack/cluster.sh load "$archive=$image"; rm -f "$archive"
  fi
  echo "$image"
}

install() {
  local own=true
  hack/cluster.sh ours || own=false
  if $own; then
    make --no-print-directory docker-build >&2
    hack/cluster.sh load "$IMG" "$SERVER_IMG"
  fi
  make --no-print-directory install >&2
  make --no-print-directory deploy >&2
  if $own; then
    local image; image=$(viewer)
    "$kubectl" set env --namespace $namespace $manager RELATED_IMAGE_VIEWER="$image" >&2
  fi
  "$kubectl" rollout status --namespace $namespace $manager --timeout=180s >&2
}

uninstall() {
  make --no-print-directory undeploy ignore-not-found=true >&2
}

case ${1:-} in
  install|uninstall) "$1" ;;
  *) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2 ;;
esac
