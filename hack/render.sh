#!/usr/bin/env bash
# Renders a kustomization with the two images set, without editing a file of the checkout.
#
#   hack/render.sh config/default IMG SERVER_IMG > install.yaml
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ $# -eq 3 ] || { echo "usage: hack/render.sh KUSTOMIZATION IMG SERVER_IMG" >&2; exit 2; }
config=$1 img=$2 server=$3
hack/tools/install kustomize
mkdir -p bin
overlay=$(mktemp -d bin/render.XXXXXX)
trap 'rm -rf "$overlay"' EXIT

# image NAME REFERENCE prints an entry of kustomize's `images` for a tag or a digest.
image() {
  local name=$1 ref=$2
  case $ref in
    *@*) printf -- '- name: %s\n  newName: %s\n  digest: %s\n' "$name" "${ref%@*}" "${ref#*@}" ;;
    *) local tag=latest repo=$ref
       # A colon before the last slash is a registry's port.
       case ${ref##*/} in *:*) tag=${ref##*:} repo=${ref%:*} ;; esac
       printf -- '- name: %s\n  newName: %s\n  newTag: "%s"\n' "$name" "$repo" "$tag" ;;
  esac
}
cp config/manager/kustomizeconfig.yaml "$overlay/"
{
  printf 'resources:\n- ../../%s\nconfigurations:\n- kustomizeconfig.yaml\nimages:\n' "$config"
  image controller "$img"
  image server "$server"
} > "$overlay/kustomization.yaml"
"${LOCALBIN:-bin}/kustomize" build "$overlay"
