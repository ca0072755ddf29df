// Serves the second implementation of the service, which is a target for the contract suite. Also serves its back office,
// through which a driver acts for guests and staff. Prints how to run the suite against it, and serves until Ctrl-C.
// node test/second-implementation/serve.mjs [VARIANT] [--fault ID] [--limit REQUESTS_PER_MINUTE] [--json]

import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createViteServer } from 'vitest/node';

const { values, positionals } = readArguments();

// Vite compiles the TypeScript of the service.
const vite = await createViteServer({
  root: fileURLToPath(new URL('.', import.meta.url)),
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, ws: false, watch: null },
});
const [{ startSecondImplementation }, { variants }, { faults }, { openBackOffice }] = await Promise.all(
  ['server.ts', 'variants.ts', 'faults/index.ts', 'back-office.ts'].map((file) => vite.ssrLoadModule(`/${file}`)),
);
await vite.close();

const [variant = 'laravel-like'] = positionals;
const { fault, limit, json } = values;
exitIfUnknown('variant', variant, variants);
if (fault !== undefined) exitIfUnknown('fault', fault, faults);

const service = await startSecondImplementation({
  ...variants[variant],
  fault,
  ...(limit ? { limit: Number(limit) } : {}),
});
const { baseUrl, tokens } = service;
const { url: backOffice } = await openBackOffice(service);
const driver = 'test/second-implementation/back-office-driver.mjs';

if (json) console.log(JSON.stringify({ baseUrl, tokens, backOffice, driver }));
else {
  console.log(`${variant}${fault ? ` with ${fault}, which breaks ${faults[fault].breaks}` : ''}, on ${baseUrl}

Check it from another terminal, in this folder:
  BACK_OFFICE=${backOffice} node dist/cli.js contract --base-url ${baseUrl} \\
    --token ${tokens.full} --read-token ${tokens.read} \\
    --write-token ${tokens.write} --scopeless-token ${tokens.scopeless} \\
    --other-account-token ${tokens.otherAccount} \\
    --driver ${driver}

Press Ctrl-C to stop it.`);
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { fault: { type: 'string' }, limit: { type: 'string' }, json: { type: 'boolean' } },
    });
  } catch ({ message }) {
    console.error(`${message}\nusage: serve.mjs [VARIANT] [--fault ID] [--limit REQUESTS_PER_MINUTE] [--json]`);
    process.exit(2);
  }
}

function exitIfUnknown(what, id, known) {
  if (Object.hasOwn(known, id)) return;
  console.error(`unknown ${what} ${id}; available: ${Object.keys(known).join(', ')}`);
  process.exit(2);
}
