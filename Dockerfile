# Images, chosen by --target: manager (the operator), server (serves a built book), scorecard. The
# programs are cross-compiled outside (`make docker-build`), so that docker, podman and buildah build
# either for any architecture without running a thing.
FROM scratch AS manager
ARG TARGETARCH
COPY bin/linux_${TARGETARCH}/manager /manager
USER 65532:65532
ENTRYPOINT ["/manager"]

FROM scratch AS server
ARG TARGETARCH
COPY bin/linux_${TARGETARCH}/server /server
USER 65532:65532
EXPOSE 3000
ENTRYPOINT ["/server"]

# This operator's own scorecard tests (test/scorecard).
FROM scratch AS scorecard
ARG TARGETARCH
COPY bin/linux_${TARGETARCH}/scorecard /scorecard
USER 65532:65532
ENTRYPOINT ["/scorecard"]
