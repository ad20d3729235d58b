#!/usr/bin/env bash
# Publishes this project's own documentation with one MarkdownView, on a real cluster.
#
#   hack/demo.sh up      as root on Linux: on a one-node cluster that it brings up on this machine;
#                        else, or where KUBECONFIG is set: on the cluster of the current kubectl context
#   hack/demo.sh down    removes all of it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export LOCALBIN=${LOCALBIN:-$PWD/bin} CLUSTER_NAME=${DEMO_CLUSTER:-markdown-view-demo}
# On the operator's namespace: that a demo installed it, and may remove it.
mine=view.bobuhiro11.net/installed-by-demo
namespace=markdown-view-demo book=docs port=${DEMO_PORT:-8000}
own=false # whether the cluster is one that the demo brought up
groups=(build cluster) # what that takes, by hack/setup.sh's names

say() { printf '%s\n' "$@" >&2; }
step() { say "" "== $* ($SECONDS s)"; }

# quietly runs a command whose output matters only when it fails.
quietly() {
  local log status=0; log=$(mktemp)
  "$@" >"$log" 2>&1 || status=$?
  [ $status = 0 ] || { tail -30 "$log" >&2; say "make demo: '$*' failed; its last lines are above, all of them in $log"; return $status; }
  rm -f "$log"
}

# here says whether the demo brings up a cluster of its own on this machine.
here() { hack/cluster.sh ours && [ "$(uname)" = Linux ] && [ "$(id -u)" = 0 ]; }

# program prints the kubectl built for our own cluster; else the one on the PATH, which its user chose for theirs.
program() { if $own || ! type -P kubectl; then echo "$LOCALBIN/kubectl"; fi; }
kubectl() { "$(program)" "$@"; }

# theirs points every script at the cluster that kubectl talks to: without KUBECONFIG they mean the demo's own.
theirs() { export KUBECONFIG=${KUBECONFIG:-$HOME/.kube/config}; }

# announce says what is going to happen, and stops where this machine lacks what no package brings.
announce() {
  local cache=${MARKDOWN_VIEW_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/markdown-view} status=0 said mdbook missing
  said=$(hack/setup.sh --check mdbook 2>&1) || status=$?
  if [ $status = 3 ]; then # no Rust: hack/operator.sh then pulls the image
    mdbook="pull mdBook's public image $(hack/images.sh viewer), because ${said#hack/setup.sh: }"
  else
    mdbook="build mdBook likewise, by Rust" groups+=(mdbook)
  fi
  status=0
  said=$(hack/setup.sh --check "${groups[@]}" 2>&1) || status=$?
  [ $status -le 1 ] || { say "$said" "make demo: that is missing on this machine. Install it, and run it again."; exit 1; }
  missing=$(sed -n 's/^hack\/setup.sh: missing Debian packages: //p' <<<"$said")
  say "This publishes the project's documentation on a Kubernetes cluster of its own, on this machine. It will" \
    "  1. install these Debian packages: ${missing:-none, all are there}" \
    "  2. build Kubernetes, containerd, runc, CoreDNS and others from pinned sources into" \
    "     $cache (about 2 GB; half an hour on two cores the first time, nothing the next)" \
    "  3. $mdbook" \
    "  4. start a one-node cluster in Linux namespaces of its own: no port but on 127.0.0.1, no change to" \
    "     this machine's network or settings" \
    "  5. install the operator there and publish docs/ with one MarkdownView" \
    "'make demo-down' removes the cluster; the packages and the cache stay."
  if [ -t 0 ]; then say "Ctrl-C within 5 seconds stops it."; sleep 5; fi
}

# publish applies docs/ and follows its status until it is Ready.
publish() {
  local manifest status='' now deadline=$((SECONDS + 300))
  kubectl create namespace "$namespace" --dry-run=client --output=yaml |
    kubectl label --local --filename=- --output=yaml pod-security.kubernetes.io/enforce=restricted |
    quietly kubectl apply --server-side --filename=-
  manifest=$(go run ./cmd/kubectl-mdv --name "$book" --namespace "$namespace" docs)
  say "  applying one MarkdownView of $(wc -c <<<"$manifest") bytes"
  quietly kubectl apply --server-side --filename=- <<<"$manifest"
  while :; do
    now=$(kubectl get mdv "$book" --namespace "$namespace" \
      --output 'jsonpath={.status.phase}: {.status.conditions[?(@.type=="Ready")].message}')
    [ "$now" = "$status" ] || [ "$now" = ": " ] || say "  $now"
    status=$now
    [ "$(kubectl get mdv "$book" --namespace "$namespace" --output 'jsonpath={.status.conditions[?(@.type=="Ready")].status}')" != True ] || return 0
    [ $SECONDS -lt $deadline ] || { say "make demo: the book is not ready after five minutes; its status is above"; return 1; }
    sleep 0.5
  done
}

up_here() {
  announce
  hack/setup.sh "${groups[@]}"
  own=true
  step "cluster"
  local line; line=$(hack/cluster.sh up)
  export KUBECONFIG=${line#*=}
  step "operator"
  say "  building its two images, loading them, installing it by 'make install deploy'"
  quietly hack/operator.sh install
  step "book"
  publish
  # A second `make demo` finds the address of the first.
  local url file=${KUBECONFIG%/*}/book-url
  url=$(cat "$file" 2>/dev/null) || { url=$("$LOCALBIN/cluster" publish --port "$port" "$namespace/viewer-$book"); echo "$url" >"$file"; }
  say "" "kubectl for this cluster:  export KUBECONFIG=$KUBECONFIG PATH=$LOCALBIN:\$PATH" \
    "Edit the book:             kubectl edit mdv $book -n $namespace" \
    "Remove it all:             make demo-down"
  echo "Book: $url"
}

# context prints the current kubectl context, or says how to get one.
context() {
  local name
  name=$(kubectl config current-context 2>/dev/null) && kubectl get --raw /readyz >/dev/null 2>&1 || {
    say "make demo: there is no cluster to use. Either" \
      "  * run it as root on Linux, where it brings up a cluster of its own, or" \
      "  * start a cluster (kind create cluster) so that kubectl reaches it, and run it again."
    exit 1; }
  echo "$name"
}

# images brings the two images into the cluster of a context.
images() {
  local context=$1 img=${IMG:-controller:latest} server=${SERVER_IMG:-server:latest}
  case $context in
    kind-*) command -v kind >/dev/null || { say "make demo: the context $context is kind's, but kind is not on the PATH"; exit 1; }
            quietly make --no-print-directory docker-build
            kind load docker-image --name "${context#kind-}" "$img" "$server" >&2 ;;
    minikube) quietly make --no-print-directory docker-build; minikube image load "$img" >&2; minikube image load "$server" >&2 ;;
    *) case $img$server in
         */*/*|*.*/*) say "make demo: using the images $img and $server" ;;
         *) say "make demo: the cluster $context pulls its images from a registry. Push them there and name them:" \
              "  make docker-build docker-push IMG=registry.example.com/controller:v1 SERVER_IMG=registry.example.com/server:v1" \
              "  make demo IMG=registry.example.com/controller:v1 SERVER_IMG=registry.example.com/server:v1"; exit 1 ;;
       esac ;;
  esac
}

up_there() {
  hack/setup.sh --check go || exit 1
  theirs
  type -P kubectl >/dev/null || [ -x "$LOCALBIN/kubectl" ] || {
    say "make demo: kubectl is missing. Install it, or run this as root on Linux, where a cluster is brought up as well."; exit 1; }
  local name; name=$(context)
  say "This installs the operator into the cluster of the kubectl context '$name' and publishes docs/ there." \
    "'make demo-down' removes both."
  if kubectl get namespace markdown-view-system >/dev/null 2>&1; then
    step "the operator is there already, and is left as it is"
  else
    kubectl get crd certificates.cert-manager.io >/dev/null 2>&1 || {
      say "make demo: that cluster has no cert-manager, which makes the operator's certificates. Install it first: https://cert-manager.io/docs/installation/"; exit 1; }
    step "operator"
    images "$name"
    quietly hack/operator.sh install
    kubectl annotate namespace markdown-view-system "$mine=true" >/dev/null
  fi
  step "book"
  publish
  say "" "The book is read through this command, until Ctrl-C ends it:"
  # Not by the function, whose shell the trap would end instead; and no local, which is gone by then.
  "$(program)" port-forward --namespace "$namespace" "svc/viewer-$book" "$port:80" >/dev/null &
  forward=$!
  trap 'kill $forward 2>/dev/null || true' EXIT
  sleep 2; kill -0 $forward 2>/dev/null || { say "make demo: port $port is taken; choose another by DEMO_PORT"; exit 1; }
  echo "Book: http://127.0.0.1:$port/"
  wait $forward
}

down() {
  if here; then hack/setup.sh --check go || exit 1; hack/cluster.sh down; say "the demo's cluster is gone"; return; fi
  theirs
  context >/dev/null
  kubectl delete namespace "$namespace" --ignore-not-found >&2
  local by; by=$(kubectl get namespace markdown-view-system --ignore-not-found --output "jsonpath={.metadata.annotations.${mine//./\\.}}")
  [ "$by" != true ] || hack/operator.sh uninstall
}

case ${1:-} in
  up) if here; then up_here; else up_there; fi ;;
  down) down ;;
  *) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2 ;;
esac
