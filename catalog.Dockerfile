# The catalogue that a CatalogSource serves. The base brings opm; nothing runs at build time, so that
# docker, podman and buildah build it for any architecture.
ARG OPM_IMAGE=quay.io/operator-framework/opm:v1.73.0
FROM ${OPM_IMAGE}
ENTRYPOINT ["/bin/opm"]
CMD ["serve", "/configs", "--cache-dir=/tmp/cache", "--cache-enforce-integrity=false"]
COPY catalog/markdown-view /configs/markdown-view
LABEL operators.operatorframework.io.index.configs.v1=/configs
