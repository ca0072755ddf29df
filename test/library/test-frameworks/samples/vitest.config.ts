import { defineConfig } from 'vitest/config';

/** The samples are not named as tests, since they are run by tests: some of them fail. `npm run test:frameworks` adds the examples. */
export default defineConfig({
  // A busy machine may take long to load the simulator.
  test: { include: ['*.{sample,test}.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
});
