import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { choicesIn, profileOf, profileText } from '../../src/commands/calibrate-profile.js';
import { type Calibration, calibrate } from '../../src/contract/calibrate.js';
import { clauses } from '../../src/contract/clauses/index.js';
import { probes } from '../../src/contract/probes/index.js';
import { checkClause } from '../../src/contract/run.js';
import { resolveProfile } from '../../src/http/profile.js';
import { type Choices, startSimulator } from '../../src/index.js';
import { variants } from '../second/variants.js';
import { closeSimulator, openSecond, openSession, openSimulator } from './support.js';

const folder = new URL('../../fixtures/profiles/', import.meta.url);
const patience = 2_000;

/** Starts a simulator with the demo account, finds out what it does, and ends it. */
async function calibrated(profile: Choices): Promise<Calibration> {
  const simulator = await startSimulator({ profile, log: () => undefined });
  const { baseUrl, account, close } = simulator;
  const { full, read, write } = account.tokens;
  const asked = { baseUrl, token: full, readToken: read, writeToken: write, include: ['rate-limit'], patience };
  return calibrate(asked).finally(close);
}

/** What a calibration writes, read as `start --profile` reads it. */
function written(calibration: Calibration): Record<string, unknown> {
  const text = profileText(calibration, profileOf(calibration), new Date());
  const choices: unknown = parse(text);
  expect(choices).toEqual(choicesIn(calibration.findings));
  return { ...Object(choices) };
}

function unknownIn({ findings }: Calibration): string[] {
  return findings.filter(({ choice }) => choice === undefined).map(({ gap }) => gap);
}

/** Gaps that no run on a simulator with a demo account tells, whatever it has chosen. */
const alwaysUnknown = [
  'auth.token-lifetime',
  'invoice.currency',
  'invoice.reminder-cancelled',
  'link.slug-scope',
  'overdue.link-null',
  'deposit.currency',
  'deposit.key-concurrent',
  'deposit.key-retention',
  'deposit.link-expiry',
  'event.order',
];

/** Those that are told for some choices alone, or while something else is as usual. */
const sometimesUnknown: Readonly<Record<string, readonly string[]>> = {
  laravel: [],
};

describe.concurrent('a simulator with a shipped profile is seen to have it', { timeout: 60_000 }, () => {
  test.each(readdirSync(folder).map((file) => file.replace('.yaml', '')))('%s', async (name) => {
    const profile: Choices = parse(readFileSync(new URL(`${name}.yaml`, folder), 'utf8'));
    const calibration = await calibrated(profile);
    console.log(
      name,
      calibration.requests,
      calibration.findings.filter((f) => f.choice === undefined).map((f) => `${f.gap}: ${f.why}`),
      calibration.problems,
      calibration.faults,
    );
    const [seen, whole] = [written(calibration), resolveProfile(profile)];
    const wanted = Object.fromEntries(Object.keys(seen).map((gap) => [gap, Reflect.get(whole, gap)]));
    expect({ ...resolveProfile(seen), ...wanted }).toEqual(resolveProfile(seen));
  });
});
