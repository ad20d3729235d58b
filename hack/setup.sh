#!/usr/bin/env bash
# Says what the project's commands need and this machine lacks; as root on Debian or Ubuntu it installs the packages.
#
#   hack/setup.sh GROUP...      go: a Go as new as go.mod asks for (every group includes it)
#                               build: git, make, a C compiler, an image builder
#                               cluster: what the one-node cluster needs
#                               olm: jq, which the documented mirroring commands use
#                               browser: Chromium, which reads a served book in the tests
#                               mdbook: Rust, unless mdBook is in the cache already
#   hack/setup.sh --check GROUP...   only says what is missing
#
# Exit status: 1 if packages are missing, 3 if something is that no package of this system brings.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
missing=()  # Debian packages
problems=() # sentences about what no package brings
debian=false
! command -v dpkg-query >/dev/null || debian=true

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]; }

# want PACKAGE [PROGRAM] asks for a package; on other systems for the program that it would bring.
want() {
  if $debian; then
    installed "$1" || missing+=("$1")
  elif [ -n "${2:-}" ] && ! command -v "$2" >/dev/null; then
    problems+=("$2 is missing (Debian has it in the package $1)")
  fi
}

# at_least HAVE WANT compares versions; what is no version is less than any.
at_least() { case $1 in [0-9]*) printf '%s\n' "$2" "$1" | sort -V -C ;; *) false ;; esac; }

# go.mod names the highest version that any of the project's modules asks for (a test compares them).
go_group() {
  local need have; need=$(awk '$1 == "go" {print $2}' go.mod)
  command -v go >/dev/null || { problems+=("Go is missing: install $need or newer (https://go.dev/doc/install)"); return; }
  # In the checkout go may fetch the version that go.mod names; where it may not, it says its own or nothing.
  have=$(go env GOVERSION 2>/dev/null || (cd / && GOTOOLCHAIN=local go env GOVERSION) 2>/dev/null || true)
  have=${have##*go} have=${have%% *}
  at_least "$have" "$need" || problems+=("Go here is ${have:-of an unknown version}, and go.mod asks for $need or newer: https://go.dev/doc/install")
}

build_group() {
  want git git; want make make; want gcc gcc; want libc6-dev; want pkg-config pkg-config; want ca-certificates
  libseccomp
  if $debian; then want buildah
  elif ! hack/images.sh tool >/dev/null 2>&1; then problems+=("no image builder works here: install docker, podman or buildah"); fi
}

libseccomp() { # for runc
  if $debian; then want libseccomp-dev
  elif ! pkg-config --exists libseccomp 2>/dev/null; then problems+=("libseccomp's headers are missing (Debian has them in the package libseccomp-dev)"); fi
}

cluster_group() {
  want iproute2 ip; want nftables nft; want iptables iptables; want procps sysctl; want util-linux nsenter; want curl curl
  want busybox-static busybox; want pkg-config pkg-config; want gcc gcc; want libc6-dev
  libseccomp
}

olm_group() { want jq jq; }

# The names are those that test/browser looks for.
browser_group() {
  local name found=false
  want fonts-ipafont-gothic
  if [ -n "${CHROMIUM:-}" ]; then
    [ -x "$CHROMIUM" ] || problems+=("CHROMIUM is $CHROMIUM, which is no program")
    return
  fi
  for name in chromium chromium-browser google-chrome; do ! command -v "$name" >/dev/null || found=true; done
  if $found; then return; fi
  if $debian && ! grep -qE '^ID(_LIKE)?=.*ubuntu' "${OS_RELEASE:-/etc/os-release}"; then want chromium
  else problems+=("there is no Chromium (Ubuntu has none but a snap): install Google Chrome, https://www.google.com/chrome/, or set CHROMIUM to the path of a Chromium"); fi
}

mdbook_group() {
  local need have package
  if hack/tools/install --cached mdbook 2>/dev/null; then return; fi
  need=$(cat hack/tools/mdbook/RUST)
  if command -v cargo >/dev/null; then
    have=$(cargo --version 2>/dev/null | awk '{print $2}' || true)
    at_least "$have" "$need" || problems+=("cargo here is ${have:-of no version}, and mdBook is built by Rust $need or newer: https://rustup.rs")
    return
  fi
  package=$(rust_package "$need")
  if [ -n "$package" ]; then want "$package"
  else problems+=("cargo is missing: mdBook is built by Rust $need or newer, which no package of this system brings: https://rustup.rs"); fi
}

# rust_package VERSION prints the package that has so new a cargo, if there is one. Debian's releases keep
# their first Rust, and get newer ones under a second name, for the browsers that need them.
rust_package() {
  local package version
  $debian || return 0
  # A fresh machine has no package lists.
  [ "$(id -u)" != 0 ] || [ -n "$(apt-cache policy cargo 2>/dev/null)" ] || apt-get update -qq >/dev/null 2>&1 || true
  for package in cargo cargo-web; do
    version=$(apt-cache policy "$package" 2>/dev/null | awk '$1 == "Candidate:" {print $2}')
    if at_least "$version" "$1"; then echo "$package"; return; fi
  done
}

check=false
[ "${1:-}" != --check ] || { check=true; shift; }
[ $# -gt 0 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
go_group
for group in "$@"; do
  case $group in
    go) ;;
    build|cluster|olm|browser|mdbook) "${group}_group" ;;
    *) echo "hack/setup.sh: no group '$group'; there are go, build, cluster, olm, browser and mdbook" >&2; exit 2 ;;
  esac
done

packages=
[ ${#missing[@]} = 0 ] || packages=$(printf '%s\n' "${missing[@]}" | sort -u | tr '\n' ' ')
packages=${packages% }
[ ${#problems[@]} = 0 ] || printf '%s\n' "${problems[@]}" | sort -u | sed 's/^/hack\/setup.sh: /' >&2
if [ -n "$packages" ] && { $check || [ "$(id -u)" != 0 ]; }; then
  echo "hack/setup.sh: missing Debian packages: $packages" >&2
  echo "Install them by: sudo apt-get install --no-install-recommends $packages" >&2
  [ ${#problems[@]} != 0 ] || exit 1
fi
[ ${#problems[@]} = 0 ] || exit 3
[ -n "$packages" ] || exit 0

echo "hack/setup.sh: installing these Debian packages, which are missing here: $packages" >&2
export DEBIAN_FRONTEND=noninteractive
# Package lists may be absent on a fresh machine; a failed refresh (no network) is not fatal by itself.
apt-get update -qq || echo "hack/setup.sh: apt-get update failed; trying with the lists that are there" >&2
# shellcheck disable=SC2086 # a list of package names, split on purpose
apt-get install -y -qq --no-install-recommends $packages </dev/null >&2
