#!/usr/bin/env bash
# Builds and pushes the project's images with whichever container tool works on this machine.
#
#   hack/images.sh tool                          prints the tool: docker, podman or buildah
#   hack/images.sh viewer                        prints the default image of mdBook
#   hack/images.sh build TARGET IMAGE ARCH       TARGET: manager, server, scorecard
#   hack/images.sh file DOCKERFILE IMAGE ARCH    an image with a Dockerfile of its own
#   hack/images.sh push IMAGE
#   hack/images.sh multiarch TARGET IMAGE ARCH...  builds for every ARCH and pushes one list; TARGET may be a
#                                                  Dockerfile of its own as well
#
# BUILD_CONTEXT is the folder whose files are copied (this checkout); OPM_IMAGE the base of the catalogue.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

context=${BUILD_CONTEXT:-.}
base=()
[ -z "${OPM_IMAGE:-}" ] || base=(--build-arg "OPM_IMAGE=$OPM_IMAGE")

# A docker client without a daemon is common: a tool counts only if it answers.
tool() {
  [ -z "${CONTAINER_TOOL:-}" ] || { echo "$CONTAINER_TOOL"; return; }
  if docker info >/dev/null 2>&1; then echo docker
  elif podman info >/dev/null 2>&1; then echo podman
  elif command -v buildah >/dev/null; then echo buildah
  else echo "hack/images.sh: none of docker (with its daemon), podman, buildah works here; run 'hack/setup.sh build' to install buildah" >&2; return 1; fi
}

# Buildah as root in a container has neither overlay nor user namespaces for sure; the images only
# copy two files, so nothing is lost by the plainest storage.
buildah_env() { export BUILDAH_ISOLATION=${BUILDAH_ISOLATION:-chroot} STORAGE_DRIVER=${STORAGE_DRIVER:-vfs}; }

# Docker takes a registry on loopback for one without TLS; podman and buildah want to be told.
plain() { case $1 in 127.0.0.1:*) echo --tls-verify=false ;; esac; } # IMAGE

build() { # TARGET IMAGE ARCH
  case $1 in
    *Dockerfile) file "$1" "$2" "$3" ;;
    *) file Dockerfile "$2" "$3" --target "$1" ;;
  esac
}

file() { # DOCKERFILE IMAGE ARCH ARGS...
  local tool; tool=$(tool)
  local args=(--build-arg "TARGETARCH=$3" --platform "linux/$3" -t "$2" -f "$1" "${@:4}" ${base[@]+"${base[@]}"} "$context")
  case $tool in
    docker) docker build "${args[@]}" ;;
    # shellcheck disable=SC2046 # one flag or none
    buildah) buildah_env; buildah bud $(plain "$2") "${args[@]}" ;;
    # shellcheck disable=SC2046
    *) "$tool" build $(plain "$2") "${args[@]}" ;;
  esac
}

push() { # IMAGE
  local tool; tool=$(tool)
  [ "$tool" != buildah ] || buildah_env
  "$tool" push "$1"
}

multiarch() { # TARGET IMAGE ARCH...
  local tool target=$1 image=$2; tool=$(tool); shift 2
  if [ "$tool" = docker ]; then
    local platforms stage=(-f Dockerfile --target "$target"); platforms=$(printf ',linux/%s' "$@")
    case $target in *Dockerfile) stage=(-f "$target") ;; esac
    docker buildx build "${stage[@]}" ${base[@]+"${base[@]}"} --platform "${platforms#,}" --push -t "$image" "$context"
    return
  fi
  [ "$tool" != buildah ] || buildah_env
  "$tool" manifest rm "$image" 2>/dev/null || true
  "$tool" manifest create "$image"
  local arch
  for arch in "$@"; do
    build "$target" "$image-$arch" "$arch"
    "$tool" manifest add "$image" "$([ "$tool" = buildah ] && echo containers-storage: || true)$image-$arch"
  done
  # shellcheck disable=SC2046
  "$tool" manifest push $(plain "$image") --all "$image" "docker://$image"
}

case ${1:-} in
  tool) tool ;;
  viewer) awk '/name: RELATED_IMAGE_VIEWER/{getline; print $2}' config/manager/manager.yaml ;;
  build|file|push|multiarch) "$@" ;;
  *) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2 ;;
esac
