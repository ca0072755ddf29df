import { defineConfig } from 'vitest/config';

/**
 * Samples are named `*.sample.ts`, so that `npm test` does not run them: some are meant to fail. `npm run
 * test:frameworks` copies examples, which are named `*.test.ts`, into this folder.
 */
export default defineConfig({
  // A busy machine may take long to load the simulator.
  test: { include: ['*.{sample,test}.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
});
