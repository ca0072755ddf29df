import { createServer } from 'vite';

const server = await createServer({
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, watch: null, ws: false },
});
// Runs when the script has finished.
process.once('beforeExit', () => server.close());

/** Loads a module of `src`, such as `domain/faults.ts`. `dist/` contains only bundles, not single modules. */
export function loadSource(path) {
  return server.ssrLoadModule(new URL(`../../src/${path}`, import.meta.url).pathname);
}
