import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const server = await createServer({
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, watch: null, ws: false },
});
// Runs when the script has finished.
process.once('beforeExit', () => server.close());

/** Loads a TypeScript module, such as `src/domain/faults.ts`. `dist/` contains only bundles, not single modules. */
export function loadSource(path) {
  return server.ssrLoadModule(fileURLToPath(new URL(`../../${path}`, import.meta.url)));
}
