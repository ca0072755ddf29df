import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The second implementation is a target of the contract suite; that its planted faults show takes minutes by itself:
    // BILLING_SIM_SECOND=1 npx vitest run test/second
    exclude: ['test/bench/**', ...(process.env['BILLING_SIM_SECOND'] ? [] : ['test/second/**'])],
    // Many tests wait for processes and sockets, so that a core is left over by each.
    maxWorkers: '100%',
    // Processes are started and stopped, on machines that are shared.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
