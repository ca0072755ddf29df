import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { hangTimeoutMs } from './test/support/hang-timeout.js';

/** Tests that replace modules, which must not affect other tests. */
const replacing = ['test/proxy/gaps.test.ts', 'test/proxy/known-shapes.test.ts'];

/** Tests that wait for retries, rate limits, browsers or whole runs of the suite. They start first, so that the end need not wait for them. */
const slow =
  /test\/(?:package\.|contract\/(?:calibrate|compare|command|mutants|rate-limit|resume|target)|docs\/pages|commands\/examples|pages\/.*-in-browser|proxy\/command|store\/lock)/;

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // Before an isolated file, vitest ends a worker that has loaded the sources.
    const rankOf = ({ project, moduleId }: TestSpecification): number =>
      project.config.isolate ? 0 : slow.test(moduleId) ? 1 : 2;
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

export default defineConfig({
  test: {
    // More workers than cores, since many tests wait for processes, sockets and browsers. Even more workers would be slower,
    // since each of them loads the sources.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: SlowestFirst },
    testTimeout: hangTimeoutMs,
    hookTimeout: hangTimeoutMs,
    expect: { poll: { timeout: hangTimeoutMs } },
    projects: [
      {
        extends: true,
        // No module has state, so the files of a worker can share the modules, and load the simulator once.
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts', 'examples/typescript/*.test.ts'],
          exclude: ['test/{bench,clients}/**', ...replacing],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'replacing', include: replacing, isolate: true } },
    ],
  },
});
