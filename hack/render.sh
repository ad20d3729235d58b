#!/usr/bin/env bash
# Renders a kustomization with the images set, without editing a file of the checkout.
#
#   hack/render.sh config/default IMG SERVER_IMG > install.yaml
#
# VIEWER_IMG, if set, replaces mdBook's image (a mirror, a digest); SCORECARD_IMG that of the tests.
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
viewer=$(hack/images.sh viewer)
cat config/manager/kustomizeconfig.yaml > "$overlay/kustomizeconfig.yaml"
sed -n '/^- kind/,$p' config/scorecard/kustomizeconfig.yaml >> "$overlay/kustomizeconfig.yaml"
{
  printf 'resources:\n- ../../%s\nconfigurations:\n- kustomizeconfig.yaml\nimages:\n' "$config"
  image controller "$img"
  image server "$server"
  [ -z "${VIEWER_IMG:-}" ] || image "${viewer%:*}" "$VIEWER_IMG"
  [ -z "${SCORECARD_IMG:-}" ] || image scorecard "$SCORECARD_IMG"
} > "$overlay/kustomization.yaml"
"${LOCALBIN:-bin}/kustomize" build "$overlay"
