#!/usr/bin/env bash
# Publishes what OLM installs: of every version in catalog/template.yaml the images, for all architectures,
# and a bundle that names them by digest; then the catalogue, which names the bundles by digest. A version whose
# bundle is in the registry stays as it is: what was published never changes, and a release that broke off goes on.
#
#   hack/publish.sh OUTPUT_DIR      OUTPUT_DIR/operators/markdown-view gets what the community catalogues are sent
#
# IMAGE_TAG_BASE says where to (default: as released). 127.0.0.1:PORT/markdown-view is a rehearsal, with a registry
# by `crane registry serve`; VIEWER_IMG and OPM_IMAGE replace images whose own registries are out of reach.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ $# -eq 1 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
released=ghcr.io/bobuhiro11/markdown-view
export LOCALBIN=${LOCALBIN:-$PWD/bin} IMAGE_TAG_BASE=${IMAGE_TAG_BASE:-$released}
base=$IMAGE_TAG_BASE submission=$1/operators/markdown-view
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
hack/tools/install crane opm kustomize operator-sdk

http=()
case $base in 127.0.0.1:*) http=(--use-http) ;; esac

# published REFERENCE prints an image's name by digest, or nothing if its registry has none of that tag.
published() {
  local digest
  if digest=$("$LOCALBIN/crane" digest "$1" 2>"$work/crane.log"); then
    echo "${1%:*}@$digest"
  elif ! grep -qE '(MANIFEST|NAME)_UNKNOWN|404 Not Found|DENIED' "$work/crane.log"; then
    # Some say DENIED of a name that nobody has pushed to. But a registry that does not answer is no reason to push
    # over what it has.
    cat "$work/crane.log" >&2
    return 1
  fi
}

# pinned REFERENCE prints the same of an image that must be there.
pinned() {
  local name
  name=$(published "$1")
  [ -n "$name" ] || { echo "hack/publish.sh: $1 is not in its registry" >&2; return 1; }
  echo "$name"
}

# build VERSION REPLACES SKIP_RANGE DIR pushes a version's images and builds its bundle into DIR.
build() {
  local manager=$base:v$1 server=$base-server:v$1 scorecard=$base-scorecard:v$1 viewer=${VIEWER_IMG:-}
  make --no-print-directory docker-buildx scorecard-buildx VERSION="$1" IMG="$manager" SERVER_IMG="$server" SCORECARD_IMG="$scorecard"
  manager=$(pinned "$manager")
  server=$(pinned "$server")
  scorecard=$(pinned "$scorecard")
  viewer=${viewer:-$(pinned "$(hack/images.sh viewer)")}
  make --no-print-directory bundle-files VERSION="$1" REPLACES="${2/#-/}" SKIP_RANGE="${3/#-/}" BUNDLE_DIR="$4" \
    BUNDLE_MANAGER_IMG="$manager" BUNDLE_SERVER_IMG="$server" BUNDLE_VIEWER_IMG="$viewer" SCORECARD_IMG="$scorecard"
}

bundles() { # names every bundle in the template by its digest, and unpacks each into the submission
  local version replaces range bundle
  while read -r version replaces range; do
    bundle=$(published "$base-bundle:v$version")
    if [ -z "$bundle" ]; then
      build "$version" "$replaces" "$range" "$work/bundle" </dev/null >&2
      hack/catalog.sh image "$work/bundle" "$base-bundle:v$version" </dev/null
      bundle=$(pinned "$base-bundle:v$version")
    fi
    "$LOCALBIN/crane" export "$bundle" - </dev/null | tar -x -C "$submission/$version"
    sed -i "s#$released-bundle:v$version\$#$bundle#" "$work/template.yaml"
    echo "published $bundle" >&2
  done < <(hack/catalog.sh versions)
}

catalogue() {
  local version catalog=$work/context/catalog/markdown-view/catalog.yaml
  version=$(make --no-print-directory print-version)
  mkdir -p "${catalog%/*}"
  "$LOCALBIN/opm" alpha render-template basic "$work/template.yaml" "${http[@]}" -o yaml --migrate-level bundle-object-to-csv-metadata > "$catalog"
  "$LOCALBIN/opm" validate "$work/context/catalog"
  if grep -nE '^(- )?image: ' "$catalog" | grep -v @sha256:; then
    echo "hack/publish.sh: the images above are tags, which cannot be mirrored" >&2
    return 1
  fi
  BUILD_CONTEXT=$work/context make --no-print-directory catalog-buildx CATALOG_IMG="$base-catalog:v$version"
  echo "published $(pinned "$base-catalog:v$version")" >&2
}

mkdir -p "$submission"
hack/catalog.sh community "$submission"
cp catalog/community/ci.yaml "$submission/"
sed "s#ICON#$(base64 -w0 config/manifests/bases/icon.svg)#" catalog/template.yaml > "$work/template.yaml"
bundles
catalogue
