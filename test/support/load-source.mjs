import { createServer } from 'vite';

const server = await createServer({
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, watch: null, ws: false },
});
// Once the script has nothing left to do.
process.once('beforeExit', () => server.close());

/** Loads a module of `src`, such as `domain/faults.ts`; the build has only bundles of them. */
export function loadSource(path) {
  return server.ssrLoadModule(new URL(`../../src/${path}`, import.meta.url).pathname);
}
