#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages that the project's commands need and that are missing here.
#
#   hack/setup.sh GROUP...      build: git, make, a C compiler, an image builder
#                               cluster: what the one-node cluster needs
#                               olm: jq, which the documented mirroring commands use
#                               browser: Chromium, which reads a served book in the tests
#   hack/setup.sh --check GROUP...   only says what is missing (exit 1 if anything is)
set -euo pipefail

packages() {
  case $1 in
    build) echo git make gcc libc6-dev pkg-config libseccomp-dev ca-certificates buildah ;;
    cluster) echo iproute2 nftables iptables procps util-linux curl libseccomp-dev pkg-config gcc libc6-dev busybox-static ;;
    olm) echo jq ;;
    browser) echo chromium fonts-ipafont-gothic ;;
    *) echo "hack/setup.sh: no group '$1'; there are build, cluster, olm and browser" >&2; return 2 ;;
  esac
}

check=false
[ "${1:-}" != --check ] || { check=true; shift; }
[ $# -gt 0 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }

wanted=()
for group in "$@"; do
  list=$(packages "$group")
  # shellcheck disable=SC2206 # a list of package names, split on purpose
  wanted+=($list)
done

command -v go >/dev/null || { echo "hack/setup.sh: Go is missing; install the version that go.mod names (see https://go.dev/doc/install)" >&2; exit 1; }
command -v dpkg-query >/dev/null || {
  echo "hack/setup.sh: this is no Debian or Ubuntu. Install what stands for these packages: ${wanted[*]}" >&2; exit 1; }

missing=()
for p in $(printf '%s\n' "${wanted[@]}" | sort -u); do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null || true)" = installed ] || missing+=("$p")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if $check || [ "$(id -u)" != 0 ]; then
  echo "hack/setup.sh: missing Debian packages: ${missing[*]}" >&2
  echo "Install them by: sudo apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 1
fi
echo "hack/setup.sh: installing these Debian packages, which are missing here: ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
# Package lists may be absent on a fresh machine; a failed refresh (no network) is not fatal by itself.
apt-get update -qq || echo "hack/setup.sh: apt-get update failed; trying with the lists that are there" >&2
apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null >&2
