#!/usr/bin/env bash
# Puts the fifteen faults of the tutorial's operator back, one change at a time, and sees that the test
# that test/architecture names for it fails. By hand: it takes minutes, for what few edits alter.
#
#   hack/mutate.sh              all of them
#   hack/mutate.sh 05 12        some of them
#
# Each change is made in a copy of the checkout and undone there. A change that no longer fits the code,
# or that does not compile, counts as a fault that nobody sees.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export LOCALBIN=${LOCALBIN:-$PWD/bin}
export KUBEBUILDER_ASSETS=${KUBEBUILDER_ASSETS:-$LOCALBIN}
wanted=" $* "
[ "$KUBEBUILDER_ASSETS" != "$LOCALBIN" ] || hack/tools/install etcd kube-apiserver kubectl
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -co --exclude-standard | while read -r f; do [ ! -f "$f" ] || echo "$f"; done | tar -c -T - | tar -x -C "$copy"
cd "$copy"
unseen=0

fault() { # NUMBER WHAT FILE CHANGE(sed) PACKAGE TEST
  local verdict=seen original="$copy/original" log="$copy/log"
  [ "$wanted" = "  " ] || [[ $wanted == *" $1 "* ]] || return 0
  cp "$3" "$original"
  sed -i "$4" "$3"
  if cmp -s "$3" "$original"; then
    verdict="the change does not fit $3"
  elif go test -count=1 -run "^$6\$" "$5" >"$log" 2>&1; then
    verdict="NOT SEEN"
  elif ! grep -q -- "^--- FAIL: $6" "$log"; then
    verdict="the test does not run: $(head -3 "$log" | tr '\n' ' ')"
  fi
  cp "$original" "$3"
  [ "$verdict" = seen ] || unseen=$((unseen + 1))
  printf '%s  %-62s %-58s %s\n' "$1" "$2" "${5#./} $6" "$verdict"
}

chart=helm-charts/markdownview/templates/deployment.yaml crd=config/crd/bases/view.bobuhiro11.net_markdownviews.yaml
fault 01 "content keeps its name, so that no file can leave it" internal/values/layout.go 's/Hash: hash(files)/Hash: hash(nil)/' ./internal/operator TestRemovedFileLeaves
fault 02 "the pods' template does not name the content" $chart 's/net\/content: {{ .Values.content.hash | quote }}/net\/content: fixed/' ./internal/operator TestEditReplacesContentAndKeepsHistoryShort
fault 02 "a failed build is not looked for" internal/health/health.go 's/; found {$/; found \&\& false {/' ./internal/health TestOf
fault 03 "gauges outlive their operator" internal/operator/operator.go 's/defer unregister()/_ = unregister/' ./internal/operator TestGaugesFollowTheObject
fault 03 "gauges wait for a status that changes" internal/metrics/metrics.go 's/range views.Items {/range views.Items[:0] {/' ./internal/operator TestGaugesFollowTheObject
fault 04 "every pass sets lastTransitionTime" internal/status/status.go 's/^\tmeta.SetStatusCondition(/\tmeta.RemoveStatusCondition(\&status.Conditions, kind)\n&/' ./internal/status TestTransitionTimes
fault 04 "every pass writes the status" internal/controller/statuswriter.go 's/if equality.Semantic.DeepEqual(view.Status, now) {/if equality.Semantic.DeepEqual(view.Status, now) \&\& false {/' ./internal/controller TestSettledPassIsSilent
fault 04 "an error reads as done" internal/controller/errors.go 's/^\tstanding := r.recorded(p, false, /\tstanding := r.recorded(p, true, /;s/^\t\tstanding := r.recorded(p, false, /\t\tstanding := r.recorded(p, true, /' ./internal/controller TestClassify
fault 05 "one replica of three is enough" internal/health/health.go 's/status.AvailableReplicas == desired/status.AvailableReplicas > 0/' ./internal/health TestOf
fault 06 "a path is its own ConfigMap key" internal/values/layout.go 's/fmt.Fprintf(&out, "_%02x", c)/out.WriteByte(c)/' ./internal/values TestKey
fault 07 "SUMMARY.md's links are not checked" internal/book/book.go '/in.checkSummary()/d' ./internal/book TestSummary
fault 07 "mdBook creates missing pages" $chart '/CREATE_MISSING/{n;s/false/true/}' ./internal/render TestObjectsAreGolden
fault 08 "includes are not checked" internal/book/book.go '/in.checkIncludes()/d' ./internal/book TestIncludes
fault 08 "the pod has a token that a page could include" $chart 's/automountServiceAccountToken: false/automountServiceAccountToken: true/' ./internal/render TestPodsReachNothing
fault 09 "all files are text" internal/values/layout.go 's/Binary: !printable(text)/Binary: false \&\& printable(text)/' ./internal/values TestContentValues
fault 09 "one ConfigMap holds more than the API server takes" internal/values/layout.go 's/ConfigMapCapacity = 900 << 10/ConfigMapCapacity = 1800 << 10/' ./internal/values TestLayout
fault 10 "names may have any length" $crd 's/self.metadata.name.size() <= 56/self.metadata.name.size() <= 560/' ./api/v1 TestSchemaRefuses
fault 10 "a release's name is never cut" internal/render/mark.go 's/^const maxReleaseName = 53/const maxReleaseName = 63/' ./internal/render TestReleaseName
fault 11 "no replicas are replicas" $crd 's/rule: self >= 1 \&\& self <= 5/rule: self >= 0 \&\& self <= 5/' ./api/v1 TestSchemaRefuses
fault 11 "a foreign object is seized" internal/plan/changes.go 's/return Refuse/return Apply/' ./internal/plan TestChanges
fault 12 "an autoscaler's replicas are drift" internal/plan/plan.go 's/live.Scaled || applied.Replicas == nil/applied.Replicas == nil/' ./internal/plan TestDecide
fault 13 "pods run as root" $chart 's/runAsNonRoot: true/runAsNonRoot: false/' ./internal/render TestPodsAreRestricted
fault 13 "a preview server serves" $chart 's/args: \[--root/args: [serve, --root/' ./internal/render TestObjectsAreGolden
fault 14 "everybody's objects are cached" internal/live/cache.go 's/ours := labels.SelectorFromSet(.*/ours := labels.Everything()/' ./internal/live TestCachesHoldOnlyOurs
fault 14 "objects are cached whole" internal/live/strip.go 's/^\treturn strip(object), nil/\treturn object, nil/' ./internal/live TestStrip
fault 15 "a status that is text is an error" api/v1/markdownview_types.go 's/if json.Unmarshal(data, &legacy) == nil {/if legacy != "" {/' ./api/v1 TestStatusOfTheTutorialsType
[ "$unseen" = 0 ] || { echo "hack/mutate.sh: $unseen changes are not seen by their test" >&2; exit 1; }
