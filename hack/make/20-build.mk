##@ Build

# The version is read by `/manager --version`, the logs and the release's labels.
LDFLAGS = -s -w -X main.version=$(VERSION)
ARCH ?= $(shell go env GOARCH)
# The architectures that images and the bundle claim.
ARCHES ?= amd64 arm64

.PHONY: build
build: ## Build the manager and the site server into bin/.
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/manager ./cmd
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/server ./cmd/server

.PHONY: run
run: manifests generate ## Run the manager on this machine against the current kubectl context (no webhooks).
	ENABLE_WEBHOOKS=false RELATED_IMAGE_SERVER=$(SERVER_IMG) RELATED_IMAGE_VIEWER="$$(hack/images.sh viewer)" go run ./cmd --metrics-bind-address=:8443 --health-probe-bind-address=:8081

# The images are FROM scratch and only copy, so the programs are built outside, once an architecture.
.PHONY: binaries
binaries: $(addprefix binaries-,$(ARCH))

.PHONY: binaries-%
binaries-%:
	CGO_ENABLED=0 GOOS=linux GOARCH=$* go build -trimpath -ldflags '$(LDFLAGS)' -o bin/linux_$*/manager ./cmd
	CGO_ENABLED=0 GOOS=linux GOARCH=$* go build -trimpath -ldflags '$(LDFLAGS)' -o bin/linux_$*/server ./cmd/server

.PHONY: docker-build
docker-build: binaries ## Build both images with docker, podman or buildah, whichever works (CONTAINER_TOOL chooses).
	hack/images.sh build manager $(IMG) $(ARCH)
	hack/images.sh build server $(SERVER_IMG) $(ARCH)

.PHONY: docker-push
docker-push: ## Push both images.
	hack/images.sh push $(IMG)
	hack/images.sh push $(SERVER_IMG)

.PHONY: docker-buildx
docker-buildx: $(addprefix binaries-,$(ARCHES)) ## Build both images for every architecture and push them as one.
	hack/images.sh multiarch manager $(IMG) $(ARCHES)
	hack/images.sh multiarch server $(SERVER_IMG) $(ARCHES)

.PHONY: build-installer
build-installer: manifests generate ## Write dist/install.yaml: all of config/default in one file.
	@mkdir -p dist
	hack/render.sh config/default $(IMG) $(SERVER_IMG) > dist/install.yaml

.PHONY: print-version
print-version:
	@echo $(VERSION)

.PHONY: binaries-scorecard
binaries-scorecard: binaries-scorecard-$(ARCH)

binaries-scorecard-%:
	CGO_ENABLED=0 GOOS=linux GOARCH=$* go build -trimpath -ldflags '-s -w' -o bin/linux_$*/scorecard ./test/scorecard
