import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**'],
    // Many tests wait for processes and sockets, so that a core is left over by each.
    maxWorkers: '100%',
    // Processes are started and stopped, on machines that are shared.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
