#!/usr/bin/env bash
# Builds every release that catalog/template.yaml names, each stamped with its version, and the
# catalogue of them; pushes all to the test cluster's registry and prints the catalogue's name.
# Every image is named by digest, as in a mirror without access to the internet.
#
#   hack/olm-releases.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export LOCALBIN=${LOCALBIN:-$PWD/bin} CLUSTER_NAME=${CLUSTER_NAME:-markdown-view}
base=ghcr.io/bobuhiro11/markdown-view
registry=$(hack/cluster.sh registry)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
hack/tools/install crane opm mdbook operator-sdk kustomize grpc_health_probe
viewer=$(hack/scratch-image.sh "$(hack/images.sh viewer)" --entrypoint /bin/mdbook "$LOCALBIN/mdbook=/bin/mdbook")
opm=$(hack/scratch-image.sh quay.io/operator-framework/opm:pinned --user 1001 --entrypoint /bin/opm \
  "$LOCALBIN/opm=/bin/opm" "$LOCALBIN/grpc_health_probe=/bin/grpc_health_probe")

# program NAME PACKAGE VERSION pushes a program of that version as an image of its own.
program() {
  CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=v$3" -o "$work/$3/$1" "$2"
  hack/scratch-image.sh "$base$4:v$3" --entrypoint "/$1" "$work/$3/$1=/$1"
}

release() { # VERSION REPLACES SKIP_RANGE
  local dir=$work/$1 labels=() key value manager server
  manager=$(program manager ./cmd "$1" "")
  server=$(program server ./cmd/server "$1" -server)
  VERSION=$1 REPLACES=${2/#-/} SKIP_RANGE=${3/#-/} CREATED=2026-11-30T00:00:00Z IMG=$manager SERVER_IMG=$server \
    VIEWER_IMG=$viewer SCORECARD_IMG=$base-scorecard:v$1 hack/bundle.sh "$dir/bundle" </dev/null >&2
  while IFS='=' read -r key value; do labels+=(--label "$key=$value"); done \
    < <(sed -n 's/^  \(operators[^:]*\): /\1=/p' "$dir/bundle/metadata/annotations.yaml")
  hack/scratch-image.sh "$base-bundle:v$1" "${labels[@]}" "$dir/bundle/manifests=/manifests" "$dir/bundle/metadata=/metadata" \
    "$dir/bundle/tests=/tests"
}

mkdir -p "$work/context/catalog/markdown-view"
icon=$(base64 -w0 config/manifests/bases/icon.svg)
sed "s#ICON#$icon#" catalog/template.yaml > "$work/template.yaml"
while read -r version replaces range; do
  bundle=$(release "$version" "$replaces" "$range")
  # opm fetches by this machine's name of the registry; the catalogue has the cluster's.
  sed -i "s#$base-bundle:v$version\$#$registry/${bundle#*/}#" "$work/template.yaml"
done < <(hack/catalog.sh versions)
"$LOCALBIN/opm" alpha render-template basic "$work/template.yaml" --use-http --output yaml --migrate-level bundle-object-to-csv-metadata |
  sed "s#$registry/#${base%%/*}/#" > "$work/context/catalog/markdown-view/catalog.yaml"
"$LOCALBIN/opm" validate "$work/context/catalog" >&2

export BUILDAH_ISOLATION=${BUILDAH_ISOLATION:-chroot} STORAGE_DRIVER=${STORAGE_DRIVER:-vfs}
buildah bud --quiet --tls-verify=false --build-arg "OPM_IMAGE=$registry/${opm#*/}" -t localhost/olm-catalog -f catalog.Dockerfile "$work/context" >&2
buildah push --quiet --tls-verify=false --digestfile "$work/digest" localhost/olm-catalog "docker://$registry/${base#*/}-catalog:test"
buildah rmi --force localhost/olm-catalog >/dev/null
echo "$base-catalog@$(cat "$work/digest")"
