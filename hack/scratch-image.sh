#!/usr/bin/env bash
# Pushes an image made of files alone (FROM scratch) to the test cluster's registry, without a
# container tool, and prints its name in the cluster by digest.
#
#   hack/scratch-image.sh NAME:TAG [--user UID] [--entrypoint PROGRAM] [--label K=V]... FILE|DIR=PATH...
#
# NAME is what pods call it ("quay.io/operator-framework/olm:v0.46.0"): every registry's name leads a
# node of the test cluster to its own registry. Layers are kept in ${MARKDOWN_VIEW_CACHE:-~/.cache/markdown-view}/layers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ $# -ge 2 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
crane=${LOCALBIN:-$PWD/bin}/crane
cache=${MARKDOWN_VIEW_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/markdown-view}/layers
mkdir -p "$cache"
image=$1; shift
mutate=(--set-platform "linux/$(go env GOARCH)" --env PATH=/bin --user 65532)
files=()
while [ $# -gt 0 ]; do
  case $1 in
    --user|--entrypoint|--label) mutate+=("$1" "$2"); shift 2 ;;
    *) files+=("$1"); shift ;;
  esac
done

key=$(for pair in "${files[@]}"; do
  echo "${pair#*=}"; find -L "${pair%%=*}" -type f -print0 | sort -z | xargs -0 sha256sum
done | sha256sum | cut -c1-16)
layer=$cache/$key.tar.gz
if [ ! -s "$layer" ]; then
  tree=$(mktemp -d)
  trap 'rm -rf "$tree"' EXIT
  # /tmp is what programs take for granted, whoever they run as.
  mkdir -m 1777 "$tree/tmp"
  for pair in "${files[@]}"; do
    mkdir -p "$tree$(dirname "${pair#*=}")"
    cp -rL "${pair%%=*}" "$tree${pair#*=}"
  done
  # The same files are the same bytes, and so the same digest.
  tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --format=gnu -C "$tree" -c . | gzip -1n > "$layer.$$"
  mv "$layer.$$" "$layer"
fi

registry=$(hack/cluster.sh registry)
host=${image%%/*} path=${image#*/}
case $host in *.*|*:*|localhost) ;; *) host=docker.io path=$image ;; esac
case $host/$path in docker.io/*/*) ;; docker.io/*) path=library/$path ;; esac
"$crane" append --insecure --oci-empty-base -f "$layer" -t "$registry/$path" >/dev/null 2>"$layer.log" || { cat "$layer.log" >&2; exit 1; }
"$crane" mutate --insecure "$registry/$path" "${mutate[@]}" -t "$registry/$path" >/dev/null 2>"$layer.log" || { cat "$layer.log" >&2; exit 1; }
rm -f "$layer.log"
echo "$host/${path%:*}@$("$crane" digest --insecure "$registry/$path")"
