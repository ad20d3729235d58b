#!/usr/bin/env bash
# Checks what a reviewer should not have to: that regenerating changes nothing, that Go files are
# formatted and carry the licence header, and that go.mod files say what the code imports.
#
# The generators run in a copy of the checkout, so that neither a failed check nor uncommitted work
# is mixed into the other.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
failed=0
fail() { echo "verify: $1" >&2; failed=1; }

sources() { git ls-files -co --exclude-standard -- "$@" | while read -r f; do [ ! -f "$f" ] || echo "$f"; done; }

generated() {
  local copy; copy=$(mktemp -d)
  sources | tar -c -T - | tar -x -C "$copy"
  # A repository of its own, because generators ask git for the list of files.
  git -C "$copy" -c init.defaultBranch=main init -q && git -C "$copy" add -A
  if ! make --no-print-directory -C "$copy" generated LOCALBIN="${LOCALBIN:-$root/bin}" >"$copy.log" 2>&1 </dev/null; then
    tail -20 "$copy.log" >&2
    fail "a generator failed (its output is above)"
  elif ! git -C "$copy" diff --exit-code >&2 || [ -n "$(git -C "$copy" ls-files -o --exclude-standard)" ]; then
    git -C "$copy" ls-files -o --exclude-standard >&2
    fail "generated files are out of date (above); run 'make generated' and commit"
  fi
  rm -rf "$copy" "$copy.log"
}

format() {
  local unformatted; unformatted=$(sources '*.go' | xargs gofmt -l)
  [ -z "$unformatted" ] || fail "not gofmt-ed (run 'make fmt'): $unformatted"
}

headers() {
  local header f; header=$(cat hack/boilerplate.go.txt)
  while read -r f; do
    # Generated files have a build constraint before it.
    [[ $(head -8 "$f") == *"$header"* ]] || fail "$f lacks the header of hack/boilerplate.go.txt"
  done < <(sources '*.go')
}

modules() {
  local mod dir
  while read -r mod; do
    dir=$(dirname "$mod")
    case $dir in
      # A tool's module only pins one program: what it must say is what hack/tools/install builds.
      hack/tools/*) tool_module "$dir" ;;
      *) (cd "$dir" && go mod tidy -diff >&2) || fail "$mod is not tidy; run 'go mod tidy' in $dir" ;;
    esac
  done < <(sources 'go.mod' '**/go.mod')
}

tool_module() {
  local name module package
  while IFS=$'\t' read -r name module package _; do
    [ "hack/tools/$module" = "$1" ] || continue
    grep -qE "^(tool )?[[:space:]]*$package\$" "$1/go.mod" || fail "hack/tools/tools.tsv builds $name from $package, which is no tool of $1/go.mod"
  done < <(grep -v '^#' hack/tools/tools.tsv)
}

# Things that belong to one machine or to a mirror must not get into a file that everybody reads.
places() {
  local found
  found=$(sources | grep -vE '(^|/)go\.sum$|^hack/verify\.sh$' | xargs grep -lIE '/root/|(^|[^a-z])/work/|://proxy\.' || true)
  [ -z "$found" ] || fail "paths of one machine, or a registry's host, in: $found"
}

for check in ${*:-format headers places modules generated}; do
  echo "verify: $check" >&2
  $check
done
exit $failed
