# The simulator in a container. See docs/docker.md.

FROM node:24-alpine AS build
WORKDIR /src
COPY package.json package-lock.json ./
# The build runs below, once its sources are there.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build --silent
# What `npm publish` would publish.
RUN mkdir image && npm pack --ignore-scripts --silent && tar -xzf billing-sim-*.tgz -C image --strip-components=1

FROM node:24-alpine
WORKDIR /app
COPY --from=build /src/image ./
RUN install -d -o 1000 -g 1000 /data
ENV NODE_ENV=production \
    BILLING_SIM_HOST=0.0.0.0 \
    BILLING_SIM_PORT=4010 \
    BILLING_SIM_DATA=/data \
    BILLING_SIM_ALLOW_HOST=billing-sim \
    BILLING_SIM_PUBLIC_URL=http://localhost:4010
# The `node` user of the image.
USER 1000:1000
VOLUME /data
EXPOSE 4010
# Asks at the port of the option `--port`, which is in the command line of the container's first process, or of the variable.
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "const option = /cli\\.js\\0.*\\0--port[=\\0](\\d+)/s.exec(require('node:fs').readFileSync('/proc/1/cmdline', 'latin1')); fetch(`http://127.0.0.1:${option?.[1] ?? process.env.BILLING_SIM_PORT}/_sim/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "dist/cli.js"]
CMD ["start"]
