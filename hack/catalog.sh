#!/usr/bin/env bash
# Builds the catalogue from catalog/template.yaml, offline and to the same bytes every time.
#
#   hack/catalog.sh versions             prints "VERSION REPLACES SKIP_RANGE" a line, oldest first
#   hack/catalog.sh channels VERSION     prints the channels that have a version, comma-separated
#   hack/catalog.sh bundles DIR          builds the bundle of each version, stamped with it, into DIR/vVERSION
#   hack/catalog.sh render DIR OUTPUT    renders the template from those bundles into OUTPUT
#   hack/catalog.sh image DIR REFERENCE  pushes one bundle as an image
#   hack/catalog.sh community DIR        writes what the community catalogues want beside the bundles into DIR
#
# IMAGE_TAG_BASE says where the images are (default: as released); MANAGER_IMG, SERVER_IMG, VIEWER_IMG and
# SCORECARD_IMG replace them one by one, the word VERSION in them standing for each version.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
released=ghcr.io/bobuhiro11/markdown-view
base=${IMAGE_TAG_BASE:-$released}
bin=${LOCALBIN:-bin}
template=catalog/template.yaml
work=

# The channel candidate has every version; an entry's fields follow its name.
versions() {
  awk '
    /^  name: / { candidate = ($2 == "candidate") }
    !candidate { next }
    /^  - name: markdown-view\.v/ { if (v != "") print v, (r == "" ? "-" : r), (s == "" ? "-" : s); v = $3; sub(/^markdown-view\.v/, "", v); r = s = "" }
    /^    replaces: / { r = $2; sub(/^markdown-view\.v/, "", r) }
    /^    skipRange: / { s = $0; sub(/^    skipRange: "/, "", s); sub(/"$/, "", s) }
    END { print v, (r == "" ? "-" : r), (s == "" ? "-" : s) }' "$template"
}

# A version that the template does not name yet would enter candidate.
channels() { # VERSION
  awk -v entry="  - name: markdown-view.v$1" '
    /^  name: / { channel = $2 }
    $0 == entry { found = found (found == "" ? "" : ",") channel }
    END { print found == "" ? "candidate" : found }' "$template"
}

bundles() { # DIR
  local dir=$1 version replaces range
  hack/tools/install kustomize operator-sdk
  while read -r version replaces range; do
    local of=${MANAGER_IMG:-$base:vVERSION} server=${SERVER_IMG:-$base-server:vVERSION} scorecard=${SCORECARD_IMG:-$base-scorecard:vVERSION}
    VERSION=$version REPLACES=${replaces/#-/} SKIP_RANGE=${range/#-/} CREATED=${CREATED:?} \
      IMG=${of/VERSION/$version} SERVER_IMG=${server/VERSION/$version} SCORECARD_IMG=${scorecard/VERSION/$version} \
      VIEWER_IMG=${VIEWER_IMG:-} hack/bundle.sh "$dir/v$version" </dev/null
  done < <(versions)
}

# image DIR REFERENCE pushes a bundle as an image, labelled as bundle.Dockerfile labels it. Its bytes
# depend on the files alone.
image() {
  local dir=$1 reference=$2 labels=() key value
  [ -n "$work" ] || { hack/tools/install crane; work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; }
  tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$dir" -cf "$work/layer.tar" manifests metadata tests
  while IFS='=' read -r key value; do labels+=(--label "$key=$value"); done < <(sed -n 's/^  \(operators[^:]*\): /\1=/p' "$dir/metadata/annotations.yaml")
  # Two steps, and the tag only for what both have made.
  "$bin/crane" append -f "$work/layer.tar" -t "${reference%:*}:unlabelled" >/dev/null 2>"$work/crane.log" || { cat "$work/crane.log" >&2; return 1; }
  # Files for every platform; some clients refuse an image that names none.
  "$bin/crane" mutate --set-platform linux/amd64 "${labels[@]}" -t "$reference" "${reference%:*}:unlabelled" >/dev/null 2>"$work/crane.log" ||
    { cat "$work/crane.log" >&2; return 1; }
}

render() { # DIR OUTPUT
  local dir=$1 output=$2 version port
  hack/tools/install opm crane
  work=$(mktemp -d)
  # opm reads bundles from a registry only: one of our own, on loopback, for as long as this takes.
  "$bin/crane" registry serve --address 127.0.0.1:0 >"$work/registry.log" 2>&1 &
  registry=$!
  trap 'kill $registry 2>/dev/null; rm -rf "$work"' EXIT
  for _ in $(seq 50); do
    port=$(grep -oE 'port:? ?[0-9]+' "$work/registry.log" | grep -oE '[0-9]+' | tail -1 || true)
    [ -z "$port" ] || break
    sleep 0.1
  done
  [ -n "$port" ] || { echo "hack/catalog.sh: the registry did not start:" >&2; cat "$work/registry.log" >&2; exit 1; }
  while read -r version _; do
    image "$dir/v$version" "127.0.0.1:$port/bundle:v$version"
  done < <(versions)
  sed -e "s#$released-bundle:#127.0.0.1:$port/bundle:#" -e "s#ICON#$(base64 -w0 config/manifests/bases/icon.svg)#" "$template" > "$work/template.yaml"
  mkdir -p "$(dirname "$output")"
  "$bin/opm" alpha render-template basic "$work/template.yaml" --use-http -o yaml --migrate-level bundle-object-to-csv-metadata > "$work/catalog.yaml"
  sed "s#127.0.0.1:$port/bundle:#$base-bundle:#" "$work/catalog.yaml" > "$output"
}

# release_config VERSION REPLACES SKIP_RANGE prints where the community's pipeline puts a version.
release_config() {
  echo "# For the community catalogues: operators/markdown-view/$1/release-config.yaml. The pipeline adds"
  echo "# the version to these channels, by these edges."
  printf 'catalog_templates:\n- template_name: basic.yaml\n  channels:\n'
  channels "$1" | tr , '\n' | sed 's/^/  - /'
  [ "$2" = - ] || echo "  replaces: markdown-view.v$2"
  [ "$3" = - ] || echo "  skipRange: \"$3\""
}

# DIR is what operators/markdown-view/ is in the community's repository, but for the bundles. Its pipeline
# accepts bundle images of its own registry only, so the template names the package and none of ours.
community() { # DIR
  local dir=$1 version replaces range
  rm -rf "$dir/catalog-templates" "$dir"/[0-9]*
  mkdir -p "$dir/catalog-templates"
  {
    echo "# For the community catalogues: operators/markdown-view/catalog-templates/basic.yaml. Their pipeline"
    echo "# adds channels and bundles, as each version's release-config.yaml says."
    sed -e '/^- schema: olm.channel/,$d' -e '/^ *#/d' -e "s#ICON#$(base64 -w0 config/manifests/bases/icon.svg)#" "$template"
  } > "$dir/catalog-templates/basic.yaml"
  while read -r version replaces range; do
    mkdir -p "$dir/$version"
    release_config "$version" "$replaces" "$range" > "$dir/$version/release-config.yaml"
  done < <(versions)
}

case ${1:-} in
  versions|channels|bundles|render|image|community) "$@" ;;
  *) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2 ;;
esac
