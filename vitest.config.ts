import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { hangTimeoutMs } from './test/support/hang-timeout.js';
import { busyTests, waitingTests } from './test/support/slow-tests.js';

/** Path of a test file in the repository, with slashes. */
const pathOf = ({ moduleId }: TestSpecification): string =>
  relative(import.meta.dirname, moduleId).replaceAll('\\', '/');

/**
 * Distributes the files that wait over the first part of the run, so that there are always others that use the
 * processors meanwhile. At the end there are only short files, so that the workers finish at the same time.
 */
class WaitsBetweenOthers extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const matching = (parts: readonly string[]) =>
      parts.flatMap((part) => sorted.filter((file) => pathOf(file).includes(part)));
    const waitingFiles = [...new Set(matching(waitingTests))];
    if (waitingFiles.length === 0) return sorted;
    const others = [...new Set([...matching(busyTests), ...sorted])].filter((file) => !waitingFiles.includes(file));
    const othersPerWaiting = Math.floor((others.length * 0.8) / waitingFiles.length);
    const blocks = waitingFiles.map((file, index) => [
      file,
      ...others.slice(index * othersPerWaiting, (index + 1) * othersPerWaiting),
    ]);
    return [...blocks.flat(), ...others.slice(waitingFiles.length * othersPerWaiting)];
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
    sequence: { sequencer: WaitsBetweenOthers },
    testTimeout: hangTimeoutMs,
    hookTimeout: hangTimeoutMs,
    expect: { poll: { timeout: hangTimeoutMs } },
  },
});
