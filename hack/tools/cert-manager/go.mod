// Pins the release of cert-manager whose CRDs the test cluster serves (see docs/src/adr): nothing is built from it.
module github.com/bobuhiro11/markdown-view/hack/tools/cert-manager

go 1.26.0

require github.com/cert-manager/cert-manager v1.21.1
