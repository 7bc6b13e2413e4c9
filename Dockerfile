# syntax=docker/dockerfile:1
# Builds the npm package from the sources and installs it alone in the image. Both stages have the architecture of the image, because two
# dependencies are native: docker buildx build --platform linux/amd64,linux/arm64 .
ARG BASE=node:24-bookworm-slim

FROM ${BASE} AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund \
 && npm run package \
 && npm install --no-audit --no-fund --omit=dev --prefix /opt/keyward ./dist/keyward-*.tgz

FROM ${BASE}
COPY --from=build /opt/keyward /opt/keyward
RUN groupadd --gid 10001 keyward \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin keyward \
 && install -d -o keyward -g keyward -m 0700 /data \
 && ln -s /opt/keyward/node_modules/.bin/keyward /usr/local/bin/keyward
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER 10001:10001
WORKDIR /data
# Everything that the service writes, so that the root file system can be read-only. With a long DATA_DIR, the socket of the database would be in
# /tmp, which must be writable then.
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/keyward/node_modules/keyward/server/bin/keyward.mjs"]
