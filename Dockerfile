# The daemon in a container: `docker build -t daimon .`; docs/how-to/packaging.md says how it is reached.
FROM node:24-slim AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY . .
RUN npm run package -- --pack-destination /packed

FROM node:24-slim
RUN --mount=from=build,source=/packed,target=/packed \
    npm install --global --no-audit --no-fund /packed/daimon-*.tgz && npm cache clean --force \
    && mkdir /home/node/daimon && chown node:node /home/node/daimon
ENV DAIMON_HOME=/home/node/daimon UV_THREADPOOL_SIZE=16 MALLOC_TRIM_THRESHOLD_=131072
USER node
VOLUME /home/node/daimon
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.WEB_PORT || 5370) + '/api/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["daimon"]
CMD ["serve"]
