import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { limitMs } from './test/support/limits.js';

/** They replace modules, which only they are to see. */
const replacing = ['test/proxy/gaps.test.ts', 'test/proxy/known-shapes.test.ts'];

/** They wait for retries, rate limits, browsers and whole runs of the suite. Started last, they would keep everyone waiting. */
const slow =
  /test\/(?:package\.|contract\/(?:calibrate|compare|command|mutants|rate-limit|resume|target)|docs\/pages|pages\/.*-in-browser|proxy\/command|store\/lock)/;

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = (file: TestSpecification): boolean => slow.test(file.moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

export default defineConfig({
  test: {
    // Many tests wait for processes, sockets and browsers, and leave their core to others. Each worker loads the sources
    // once more, so that still more of them are slower.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: SlowestFirst },
    testTimeout: limitMs,
    hookTimeout: limitMs,
    expect: { poll: { timeout: limitMs } },
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
