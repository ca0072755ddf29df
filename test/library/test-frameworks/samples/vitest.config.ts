import { defineConfig } from 'vitest/config';

/**
 * Samples are named `*.sample.ts`, so that `npm test` does not run them: some are meant to fail. `npm run
 * test:frameworks` copies examples, which are named `*.test.ts`, into this folder.
 */
export default defineConfig({
  test: {
    include: ['*.{sample,test}.ts'],
    // A busy machine may take long to load the simulator.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Loads the built package as in a project that has it in `node_modules`: not transformed, which would take seconds.
    server: { deps: { external: [/\/dist\//] } },
  },
});
