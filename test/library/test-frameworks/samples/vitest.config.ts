import { defineConfig } from 'vitest/config';

/** Samples are not named `*.test.ts`, since some are meant to fail; the examples of `npm run test:frameworks` are. */
export default defineConfig({
  // A busy machine may take long to load the simulator.
  test: { include: ['*.{sample,test}.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
});
