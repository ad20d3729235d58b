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
# For our own cluster the kubectl that was built with it; on another the one that its user has.
if hack/cluster.sh ours || ! kubectl=$(type -P kubectl); then
  hack/tools/install kubectl
  kubectl=$LOCALBIN/kubectl
fi
run_make() { make --no-print-directory KUBECTL="$kubectl" "$@" >&2; }

# viewer loads the image that builds books, and prints its name.
viewer() {
  local image archive reason
  if reason=$(hack/setup.sh --check mdbook 2>&1); then
    image=localhost/mdbook:v$(cat hack/tools/mdbook/VERSION)
    archive=$(test/cluster/images/build mdbook) && hack/cluster.sh load "$archive=$image" || return 1
  else
    image=$(hack/images.sh viewer)
    echo "hack/operator.sh: mdBook cannot be built here (${reason#hack/setup.sh: }); fetching $image instead" >&2
    archive=$(mktemp -u --suffix=.tar)
    hack/tools/install crane && "$LOCALBIN/crane" pull --platform "linux/$(go env GOARCH)" "$image" "$archive" || {
      echo "hack/operator.sh: $image cannot be fetched either. Install Rust (https://rustup.rs) and try again." >&2; return 1; }
    hack/cluster.sh load "$archive=$image" || return 1
    rm -f "$archive"
  fi
  echo "$image"
}

install() {
  if hack/cluster.sh ours; then
    run_make docker-build
    hack/cluster.sh load "$IMG" "$SERVER_IMG"
    # Rendered with the rest, because a change afterwards would restart the manager each time.
    VIEWER_IMG=$(viewer); export VIEWER_IMG
  fi
  run_make install
  run_make deploy
  "$kubectl" rollout status --namespace $namespace $manager --timeout=180s >&2
  answered
}

# answered waits until a MarkdownView can be written: kube-proxy learns a moment after the Deployment's
# status where the webhooks are.
answered() {
  local problem start=$SECONDS
  until problem=$("$kubectl" apply --dry-run=server --namespace default -f config/samples/view_v1_markdownview.yaml 2>&1); do
    if ((SECONDS - start > 60)); then
      echo "hack/operator.sh: the operator runs, but its webhooks do not answer: $problem" >&2; return 1
    fi
    sleep 0.5
  done
}

uninstall() {
  run_make undeploy ignore-not-found=true
}

case ${1:-} in
  install|uninstall) "$1" ;;
  *) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2 ;;
esac
