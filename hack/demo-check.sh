#!/usr/bin/env bash
# Does what README.md tells a visitor to do: runs `make demo` and reads the book at the address that it prints,
# runs it again, which must change nothing, and runs `make demo-down`, which must leave nothing.
#
# As root on Linux, on a cluster of its own, one a checkout, so that a demo that is up is not in its way.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ "$(uname)" = Linux ] && [ "$(id -u)" = 0 ] || { echo "hack/demo-check.sh: the demo's cluster needs Linux and root" >&2; exit 1; }
DEMO_CLUSTER=demo-check-$(pwd | cksum | cut -d' ' -f1)
export DEMO_CLUSTER LOCALBIN=${LOCALBIN:-$PWD/bin} KUBECONFIG=
kubeconfig=$(CLUSTER_NAME=$DEMO_CLUSTER hack/cluster.sh kubeconfig); kubeconfig=${kubeconfig#*=}
manager=deployment/markdown-view-controller-manager

fail() { printf 'hack/demo-check.sh: %s\n' "$@" >&2; exit 1; }
finish() { local status=$?; make --no-print-directory demo-down || status=1; exit "$status"; }
trap finish EXIT
trap 'exit 130' INT TERM

# book runs the demo and prints the address of the book.
book() {
  local said; said=$(make --no-print-directory demo </dev/null) || fail "make demo failed, see above"
  sed -n 's/^Book: //p' <<<"$said"
}

# reads PAGE TEXT fails unless the page has the text.
reads() {
  local page; page=$(curl --fail --silent --show-error --noproxy '*' --max-time 20 "$url$1") || fail "$url$1 cannot be read"
  [[ $page == *"$2"* ]] || fail "$url$1 does not say '$2'"
}

generation() { "$LOCALBIN/kubectl" --kubeconfig "$kubeconfig" get --namespace markdown-view-system $manager --output 'jsonpath={.metadata.generation}'; }

# left prints what a demo could leave; the brackets keep grep from finding itself.
left() {
  local name="clusters/[${DEMO_CLUSTER:0:1}]${DEMO_CLUSTER:1}"
  [ ! -e "${kubeconfig%/*}" ] || echo "${kubeconfig%/*}"
  grep "$name" /proc/mounts || true
  grep -ls "$name" /proc/[0-9]*/cmdline /proc/[0-9]*/environ || true
  find /sys/fs/cgroup -type d -name "*$DEMO_CLUSTER*" 2>/dev/null || true
}

url=$(book)
[ -n "$url" ] || fail "make demo printed no line 'Book: http://…'"
reads "" "This documentation is such a book."
reads runbooks/BuildFailed.html BuildFailed
before=$(generation)
[ "$(book)" = "$url" ] || fail "a second make demo printed another address than $url"
[ "$(generation)" = "$before" ] || fail "a second make demo changed the manager's Deployment, which restarts it"
reads architecture.html "One way"

make --no-print-directory demo-down
trap - EXIT
rest=$(left)
[ -z "$rest" ] || fail "make demo-down left" "$rest"
! curl --silent --noproxy '*' --max-time 5 "$url" >/dev/null || fail "$url still answers after make demo-down"
echo "make demo and make demo-down work: the book was read at $url, and nothing is left ($SECONDS s)" >&2
