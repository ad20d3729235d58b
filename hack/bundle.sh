#!/usr/bin/env bash
# Builds an OLM bundle from config/manifests by operator-sdk. The same inputs give the same bytes.
#
#   VERSION=0.3.0 REPLACES=0.2.0 IMG=… SERVER_IMG=… VIEWER_IMG=… SCORECARD_IMG=… CREATED=… \
#     hack/bundle.sh OUTPUT_DIR [DOCKERFILE]
#
# REPLACES may be empty (the first version). CHANNELS are by default those that catalog/template.yaml
# puts the version into. OUTPUT_DIR is replaced.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
[ $# -ge 1 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
: "${VERSION:?}" "${IMG:?}" "${SERVER_IMG:?}" "${SCORECARD_IMG:?}" "${CREATED:?}"
output=$1 dockerfile=${2:-}
channels=${CHANNELS:-$(hack/catalog.sh channels "$VERSION")} default_channel=${DEFAULT_CHANNEL:-stable}
hack/tools/install kustomize operator-sdk

# operator-sdk writes to the current folder; it gets one of its own, of a fixed name in its files.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp PROJECT "$work/"
hack/render.sh config/manifests "$IMG" "$SERVER_IMG" > "$work/manifests.yaml"
(
  cd "$work"
  # It reads only a pipe: a redirected file counts as no input for it.
  # shellcheck disable=SC2002
  cat manifests.yaml | "${LOCALBIN:-$root/bin}/operator-sdk" generate bundle -q --overwrite --package markdown-view --version "$VERSION" \
    --channels "$channels" --default-channel "$default_channel"
)
go run ./hack/bundle -csv "$work/bundle/manifests/markdown-view.clusterserviceversion.yaml" -created "$CREATED" \
  -replaces "${REPLACES:+markdown-view.v$REPLACES}" -skip-range "${SKIP_RANGE:-}"
# OLM makes the webhooks' Service itself, with the name that its certificate is for.
rm "$work"/bundle/manifests/*-webhook-service_v1_service.yaml
rm -rf "$output"
mkdir -p "$(dirname "$output")"
cp -r "$work/bundle" "$output"
[ -z "$dockerfile" ] || cp "$work/bundle.Dockerfile" "$dockerfile"
