import { writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { choicesIn, withValidChoicesOnly } from '../../src/commands/contract/calibrate-profile.js';
import { formatComparison } from '../../src/commands/contract/compare-text.js';
import { calibrate } from '../../src/contract/calibrate/calibrate.js';
import { type Comparison, compare } from '../../src/contract/compare/compare.js';
import type { ContractOptions } from '../../src/contract/engine/open-session.js';
import { startSimulator } from '../../src/index.js';
import type { Options } from '../second-implementation/options.js';
import { startSecondImplementation } from '../second-implementation/server.js';
import { variants } from '../second-implementation/variants.js';
import { isFullRun, sampleUnlessFull } from '../support/sample.js';

/** Compares the second implementation with a simulator that was calibrated to it. */

/** Timeout for asynchronous effects, such as webhooks. */
const eventuallyTimeoutMs = 1_000;

/**
 * Maximum number of differences, as `differencesOf` counts them, that no choice for a gap can remove. The variant `chatty`,
 * whose days are those of UTC+2, has the twelfth between 22:00 and 24:00 UTC: it finds new payments on the next day.
 */
const maxRemainingDifferences = 12;

/** Starts the second implementation. @returns the options of a contract run against it */
async function startSecondTarget(options: Options): Promise<ContractOptions> {
  // A driver must not have methods that the suite does not know.
  const { baseUrl, tokens, close, settled: _settled, ...driver } = await startSecondImplementation(options);
  onTestFinished(() => close());
  const { full: token, read: readToken, write: writeToken, scopeless: scopelessToken } = tokens;
  return { baseUrl, token, readToken, writeToken, scopelessToken, driver, eventuallyTimeoutMs };
}

/** Starts a simulator. @returns the options of a contract run against it */
async function startSimulatorTarget(profile: Readonly<Record<string, unknown>>): Promise<ContractOptions> {
  const { baseUrl, account, close } = await startSimulator({ profile, rateLimit: false, log: () => undefined });
  onTestFinished(() => close());
  if (!account.tokens) throw new Error('the demo account has no tokens');
  const { full: token, read: readToken, write: writeToken } = account.tokens;
  return { baseUrl, token, readToken, writeToken, eventuallyTimeoutMs };
}

/**
 * Lists all differences except noise (differences that any two runs have, such as identifiers), and the gaps with
 * different choices that none of these differences explains.
 */
function differencesOf({ differences, gaps }: Comparison): string[] {
  const reported = differences.filter(({ label }) => label !== 'noise');
  const unexplainedGaps = gaps.filter(({ id }) => !reported.some((difference) => difference.gaps.includes(id)));
  return [
    ...reported.map(({ operation, place, a, b, gaps: ids }) => `${operation} ${place}: ${a}, ${b} (${ids.join()})`),
    ...unexplainedGaps.map(({ id, a, b }) => `${id}: ${JSON.stringify(a)}, ${JSON.stringify(b)}`),
  ];
}

describe(`a simulator calibrated to the second implementation differs from it in at most ${maxRemainingDifferences} ways`, () => {
  test.for(sampleUnlessFull(Object.entries(variants), { oneIn: 16 }))('%s', async ([name, options], { skip }) => {
    skip(!isFullRun, 'calibrate.test.ts and compare.test.ts check the halves of this: `npm run test:full` runs it');
    const profile = choicesIn(withValidChoicesOnly(await calibrate(await startSecondTarget(options))));
    const comparison = await compare({
      a: await startSimulatorTarget(profile),
      b: await startSecondTarget(options),
    });
    // To inspect the differences, set this variable to a folder in which to write the comparisons.
    const { BILLING_SIM_COMPARISONS: folder } = process.env;
    if (folder !== undefined)
      writeFileSync(`${folder}/${name}.txt`, formatComparison(comparison, { showsNoise: true }));
    const found = differencesOf(comparison);
    console.log(`${name}: ${found.length} differences after calibration\n${found.join('\n')}`);
    expect(found.length, found.join('\n')).toBeLessThanOrEqual(maxRemainingDifferences);
    // The exit code does not depend on the remaining differences: 0 means that neither target has a violation, and that
    // neither run failed.
    expect(comparison.exitCode).toBe(0);
  });
});
