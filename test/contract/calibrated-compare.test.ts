import { writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { choicesIn, profileOf } from '../../src/commands/contract/calibrate-profile.js';
import { formatComparison } from '../../src/commands/contract/compare-text.js';
import { calibrate } from '../../src/contract/calibrate/calibrate.js';
import { type Comparison, compare } from '../../src/contract/compare/compare.js';
import type { ContractOptions } from '../../src/contract/engine/open-session.js';
import { startSimulator } from '../../src/index.js';
import type { Options } from '../second/options.js';
import { startSecond } from '../second/second.js';
import { variants } from '../second/variants.js';
import { sample } from '../support/sample.js';

/** A simulator that was calibrated to an implementation can hardly be told from it. */

/** Milliseconds for what an implementation may cause later. */
const testTimeoutMs = 1_000;

/** Limits on the entries that a comparison may have left. */
const mostEntries = 5;

async function onSecond(options: Options): Promise<ContractOptions> {
  const { baseUrl, tokens, close, settled: _settled, ...driver } = await startSecond(options);
  onTestFinished(() => close());
  const { full: token, read: readToken, write: writeToken, none: scopelessToken } = tokens;
  return { baseUrl, token, readToken, writeToken, scopelessToken, driver, eventuallyTimeoutMs: testTimeoutMs };
}

async function onSimulator(profile: Readonly<Record<string, unknown>>): Promise<ContractOptions> {
  const { baseUrl, account, close } = await startSimulator({ profile, rateLimit: false, log: () => undefined });
  onTestFinished(() => close());
  if (!account.tokens) throw new Error('the tokens of the demo account are known');
  const { full: token, read: readToken, write: writeToken } = account.tokens;
  return { baseUrl, token, readToken, writeToken, eventuallyTimeoutMs: testTimeoutMs };
}

/** Entries of a comparison without noise: differences, and choices for gaps that appear in none of them. */
function entriesOf({ differences, gaps }: Comparison): string[] {
  const reported = differences.filter(({ label }) => label !== 'noise');
  const choices = gaps.filter(({ id }) => !reported.some((one) => one.gaps.includes(id)));
  return [
    ...reported.map(({ operation, place, a, b, gaps: ids }) => `${operation} ${place}: ${a}, ${b} (${ids.join()})`),
    ...choices.map(({ id, a, b }) => `${id}: ${JSON.stringify(a)}, ${JSON.stringify(b)}`),
  ];
}

describe(`a simulator calibrated to a service by another hand differs from it in at most ${mostEntries} entries`, () => {
  test.each(sample(Object.entries(variants), 8))('%s', async (name, options) => {
    const profile = choicesIn(profileOf(await calibrate(await onSecond(options))));
    const comparison = await compare({ a: await onSimulator(profile), b: await onSecond(options) });
    const { BILLING_SIM_COMPARISONS: folder } = process.env;
    if (folder !== undefined) writeFileSync(`${folder}/${name}.txt`, formatComparison(comparison, true));
    const entries = entriesOf(comparison);
    console.log(`${name}: ${entries.length} left after calibration\n${entries.join('\n')}`);
    expect(entries.length, entries.join('\n')).toBeLessThanOrEqual(mostEntries);
    expect(comparison.exitCode).toBe(0);
  });
});
