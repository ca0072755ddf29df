import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** They replace modules, which only they are to see. */
const replacing = ['test/**/*lazy.test.ts', 'test/proxy/gaps.test.ts', 'test/proxy/known-shapes.test.ts'];

export default defineConfig({
  test: {
    // Many tests wait for processes and sockets, so that a core is left over now and then.
    maxWorkers: availableParallelism() + 2,
    // Processes are started and stopped, on machines that are shared.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The default of a second is less than a busy machine takes now and then.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        // Nothing has a state of its own in its module: files that share a worker load the simulator once.
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: ['test/bench/**', ...replacing],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'replacing', include: replacing, isolate: true } },
    ],
  },
});
