import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
if (/[#?]/.test(root)) throw new Error(`Vite cannot load modules from a path with # or ?. Move this folder: ${root}`);

// Not at the top: Vite itself fails in such a folder, or loads for nothing.
const { createServer } = await import('vite');
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
  return server.ssrLoadModule(join(root, path));
}
