#!/usr/bin/env bash
# Runs operator-sdk's scorecard on the bundle, on a real cluster: the one that KUBECONFIG names, with the
# operator installed, or a one-node cluster that is brought up for it and removed afterwards.
#
#   hack/scorecard.sh BUNDLE_DIR REPORT      REPORT: the file for the results as xunit
#
# SELECTOR limits the tests (suite=custom); KEEP=1 leaves the cluster as it is.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ $# -eq 2 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
bundle=$1 report=$2 namespace=markdown-view-scorecard
export LOCALBIN=${LOCALBIN:-$PWD/bin} CLUSTER_NAME=${CLUSTER_NAME:-markdown-view-scorecard} KEEP=${KEEP:-}
own=false
if hack/cluster.sh ours; then own=true; fi

finish() {
  local status=$?
  if $own && [ -z "$KEEP" ]; then
    KUBECONFIG='' hack/cluster.sh down || status=1
  else
    "$LOCALBIN/kubectl" delete --ignore-not-found --namespace "$namespace" --filename=test/scorecard/rbac.yaml >&2 || status=1
    "$LOCALBIN/kubectl" delete --ignore-not-found namespace "$namespace" >&2 || status=1
  fi
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM
step() { echo "--- scorecard: $* ($SECONDS s)" >&2; }

# image FILE TARGET NAME builds an image and loads it into our cluster under its public name.
image() {
  hack/images.sh file "$1" "$3" "$(go env GOARCH)" --target "$2" >&2
  KUBECONFIG='' hack/cluster.sh load "$3" >&2
}

# images replaces what the scorecard would pull: names that the bundle's configuration says, and untar.
images() {
  hack/tools/install scorecard-test
  mkdir -p bin/scorecard-images
  cp -L "$LOCALBIN/scorecard-test" "$(type -P busybox)" bin/scorecard-images/
  make --no-print-directory binaries-scorecard >&2
  image test/scorecard/Dockerfile sdk "$(awk '/image: .*scorecard-test:/ {print $2; exit}' "$bundle/tests/scorecard/config.yaml")"
  image Dockerfile scorecard "$(awk '/image: .*-scorecard:/ {print $2; exit}' "$bundle/tests/scorecard/config.yaml")"
  image test/scorecard/Dockerfile untar "$untar"
}

untar=quay.io/markdown-view/scorecard-untar:v1
extra=()
hack/tools/install operator-sdk kubectl
if $own; then
  step cluster
  hack/setup.sh build cluster
  line=$(hack/cluster.sh up)
  export KUBECONFIG=${line#*=}
  step operator
  hack/operator.sh install
  step images
  images
  extra=(--untar-image "$untar")
fi

step tests
"$LOCALBIN/kubectl" create namespace "$namespace" --dry-run=client --output=yaml |
  "$LOCALBIN/kubectl" label --local --filename=- --output=yaml pod-security.kubernetes.io/enforce=restricted |
  "$LOCALBIN/kubectl" apply --server-side --filename=- >&2
"$LOCALBIN/kubectl" apply --server-side --namespace "$namespace" --filename=test/scorecard/rbac.yaml >&2
mkdir -p "$(dirname "$report")"
"$LOCALBIN/operator-sdk" scorecard "$bundle" --namespace "$namespace" --service-account markdown-view-scorecard \
  --pod-security restricted --wait-time 300s --output xunit ${SELECTOR:+--selector "$SELECTOR"} "${extra[@]}" > "$report" || {
  status=$?
  # The report says which test failed; without one, the scorecard itself did.
  grep -q '<testcase' "$report" || { cat "$report" >&2; exit "$status"; }
}
go run ./hack/scorecardreport "$report"
