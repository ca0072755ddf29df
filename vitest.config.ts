import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { hangTimeoutMs } from './test/support/hang-timeout.js';

/** Tests that mostly wait: for processes, retries or rate limits. */
const waiting =
  /test\/(?:action\.|package\.|docs\/(?:pages|reference|request-walk)|commands\/(?:examples|listen)|contract\/(?:calibrate|compare|command|mutants|other-clock|rate-limit|resume|target|unusual-targets)|library\/test-frameworks|proxy\/command|store\/lock)/;

/** Tests that keep a processor busy for long. */
const busy = /test\/(?:contract\/(?:planted-whole-runs|prove-command)|gaps\/choices|pages\/.*-in-browser)/;

/** Takes elements from two arrays by turns, and then the rest of the longer one. */
function alternate<Item>(one: readonly Item[], other: readonly Item[]): Item[] {
  return Array.from({ length: Math.max(one.length, other.length) }, (_, index) => [
    ...one.slice(index, index + 1),
    ...other.slice(index, index + 1),
  ]).flat();
}

/** Starts slow files first, so that none of them is left at the end. Files that wait alternate with busy ones. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const matching = (pattern: RegExp) => sorted.filter(({ moduleId }) => pattern.test(moduleId));
    return [...new Set([...alternate(matching(waiting), matching(busy)), ...sorted])];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'examples/typescript/*.test.ts'],
    exclude: ['test/{bench,clients}/**'],
    // No module has state, so the files of a worker can share the modules, and load the simulator once.
    isolate: false,
    // The examples use the built package without transforming it, as projects that have it in `node_modules` do.
    server: { deps: { external: [/\/dist\//] } },
    // The bundle of prism-http in the built package, which loads in a fifth of the time.
    alias: { '@stoplight/prism-http': fileURLToPath(new URL('dist/deferred/prism.cjs', import.meta.url)) },
    // More workers than cores, since many tests wait for processes, sockets and browsers.
    maxWorkers: availableParallelism() + 3,
    // More space for short-lived objects than by default, in MB: garbage collection takes less time.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: SlowestFirst },
    testTimeout: hangTimeoutMs,
    hookTimeout: hangTimeoutMs,
    expect: { poll: { timeout: hangTimeoutMs } },
  },
});
