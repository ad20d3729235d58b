#!/usr/bin/env bash
# Runs operator-sdk's validators over a bundle; a warning fails it as an error does.
#
#   hack/bundle-validate.sh BUNDLE_DIR VALIDATOR...
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bundle=$1; shift
sdk=${LOCALBIN:-bin}/operator-sdk
failed=0
check() { # NAME ARGS...
  local name=$1 report; shift
  if ! report=$("$sdk" bundle validate "$bundle" --output json-alpha1 "$@" 2>&1); then
    echo "FAIL $name" >&2; echo "$report" >&2; failed=1
  elif grep -qE '"type": *"(warning|error)"' <<<"$report"; then
    echo "FAIL $name: warnings count" >&2; echo "$report" >&2; failed=1
  else
    echo "ok   $name"
  fi
}
check default
check suite=operatorframework --select-optional suite=operatorframework
for validator in "$@"; do
  check "$validator" --select-optional "name=$validator" --optional-values=k8s-version=1.37
done
exit $failed
