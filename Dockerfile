FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc binaries.mjs binaries.sha256 tsconfig.json tsconfig.build.json ./
# The embedded servers stay out: in containers Postgres and Meilisearch are services of their own.
RUN npm install --omit=dev --omit=optional --ignore-scripts --loglevel=error \
  && node binaries.mjs check
COPY src src
COPY workers workers
RUN node node_modules/typescript/bin/tsc -p tsconfig.build.json

FROM node:22-bookworm-slim
WORKDIR /app
# A container listens for others, so it starts with TLS_CERT_FILE and TLS_KEY_FILE, TRUST_PROXY or ALLOW_PLAIN_HTTP only.
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
COPY migrations migrations
RUN mkdir /data /certificates && chown node:node /data /certificates
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=4s --start-period=60s --retries=12 CMD ["node", "dist/src/main.js", "health"]
CMD ["node", "dist/src/main.js", "start"]
