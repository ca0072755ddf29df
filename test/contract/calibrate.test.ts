import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { choicesIn, profileOf, profileText } from '../../src/commands/contract/calibrate-profile.js';
import { type Calibration, calibrate } from '../../src/contract/calibrate/calibrate.js';
import type { Driver } from '../../src/contract/drivers/driver.js';
import type { Clause } from '../../src/contract/engine/clause.js';
import { checkClause } from '../../src/contract/engine/run.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import type { Choices } from '../../src/index.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { variants } from '../second/variants.js';
import { sample } from '../support/sample.js';
import { closeSimulator, openDemo, openSecond, openSession, openSimulator } from './support.js';
import { serveAlways } from './targets.js';

afterAll(closeSimulator);

/** Options of a calibration run. */
interface RunOptions {
  readonly mayWrite?: boolean;
  readonly driver?: Driver;
}

const folder = new URL('../../fixtures/profiles/', import.meta.url);
/** Milliseconds: a second try of a webhook comes after 5 seconds. */
const tryAgain = 12_000;
/** Test timeout of a run that need not wait for webhooks. */
const shortTimeoutMs = 1_000;

/** Starts a simulator with the demo account, finds out what it does, and ends it. */
async function calibrated(profile: Choices, testTimeoutMs: number): Promise<Calibration> {
  const { baseUrl, tokens, close } = await openDemo(profile);
  const { full: token, read: readToken, write: writeToken } = tokens;
  const requested = { baseUrl, token, readToken, writeToken, include: ['rate-limit'], testTimeoutMs };
  return calibrate(requested).finally(close);
}

/** Reads the profile that a calibration wrote, as `start --profile` does. */
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
  'invoice.other-currencies',
  'invoice.reminder-cancelled',
  'link.slug-scope',
  'overdue.link-null',
  'deposit.currency',
  'deposit.key-concurrent',
  'deposit.key-owner',
  'deposit.key-retention',
  'deposit.link-expiry',
  'event.order',
];

/** Those that are reported for other choices. */
const unknownToo: Readonly<Record<string, readonly string[]>> = {
  laravel: ['rate.window', 'rate.burst', 'invoice.overdue-moment'],
  'decimal-strings': ['rate.window', 'rate.burst', 'invoice.overdue-moment'],
  'strict-400': ['rate.window', 'rate.burst', 'invoice.overdue-moment', 'amount.minor-units'],
  terse: [
    'rate.window',
    'rate.burst',
    'invoice.overdue-moment',
    'validation.nested-keys',
    'deposit.replay-status',
    'event.retries',
    'event.duplicate-id',
  ],
  'guarded-401-403': ['invoice.overdue-moment'],
  lenient: ['rate.window', 'rate.burst', 'invoice.overdue-moment'],
  'net-sums': ['rate.window', 'rate.burst'],
  'card-desk': ['rate.window', 'rate.burst', 'invoice.overdue-moment'],
};

const shipped = readdirSync(folder).map((file) => file.replace('.yaml', ''));

test.each(shipped)('the shipped profile %s has a description', (name) => {
  expect(readFileSync(new URL(`${name}.yaml`, folder), 'utf8')).toMatch(/^# [A-Z][^\n]+\.\n[a-z]/);
});

/** The part of a profile that is about some gaps, with durations as milliseconds and what is left out as its default. */
function partOf(choices: Choices, gaps: readonly string[]): Record<string, unknown> {
  const whole = resolveProfile(choices);
  // The order in which several methods are seen does not matter.
  const methods = { ...Object(whole['payment.methods']) };
  const sorted = { ...whole, 'payment.methods': { ...methods, only: [...(methods.only ?? [])].sort() } };
  return Object.fromEntries(gaps.map((gap) => [gap, Reflect.get(sorted, gap)]));
}

describe.concurrent('calibrating a simulator with a shipped profile finds that profile', () => {
  test.each(sample(shipped, 2))('%s', async (name) => {
    const profile: Choices = parse(readFileSync(new URL(`${name}.yaml`, folder), 'utf8'));
    const calibration = await calibrated(profile, tryAgain);
    const seen = written(calibration);
    expect(partOf(seen, Object.keys(seen))).toEqual(partOf(profile, Object.keys(seen)));
    expect(unknownIn(calibration).sort()).toEqual([...alwaysUnknown, ...(unknownToo[name] ?? [])].sort());
    expect(calibration.requests).toBeLessThan(400);
  });
});

describe.concurrent('a simulator calibrated to the second implementation behaves like it', () => {
  test.each(sample(Object.entries(variants), 4))('%s', async (_name, options) => {
    const { baseUrl, tokens, driver } = await openSecond(options);
    const first = await calibrate({
      baseUrl,
      token: tokens.full,
      readToken: tokens.read,
      writeToken: tokens.write,
      driver,
      eventuallyTimeoutMs: shortTimeoutMs,
    });
    const seen = written(first);
    const second = await calibrated(seen, shortTimeoutMs);
    const again = written(second);
    // A simulator pays by the first of its methods alone; what its demo account does not show stays unknown.
    const both = Object.keys(seen).filter((gap) => gap in again && gap !== 'payment.methods');
    expect(both.length).toBeGreaterThan(40);
    expect(partOf(again, both)).toEqual(partOf(seen, both));
  });
});

describe('a run of all clauses observes gaps without further requests', () => {
  test.each([
    ['with everything at hand', {}, 25],
    ['where nothing may be changed', { mayWrite: false }, 7],
    ['without a driver', { driver: {} }, 15],
  ])('%s', async (_what, { mayWrite = true, driver }: RunOptions, least) => {
    const subject = await openSimulator({}, 'demo');
    const session = openSession(
      { ...subject, ...(driver && { driver }) },
      { eventuallyTimeoutMs: shortTimeoutMs, mayWrite },
    );
    const isProbe = ({ id }: Clause): boolean => id.startsWith('GAP-');
    for (const clause of clauses.filter((one) => !isProbe(one))) await checkClause(session, clause, false);
    const { requests } = session.target;
    for (const clause of clauses.filter(isProbe)) await checkClause(session, clause, false);
    await session.close();
    expect(session.target.requests).toBe(requests);
    expect(session.gaps.size).toBeGreaterThanOrEqual(least);
  });
});

test('a service that responds identically to everything yields only that', async () => {
  const data = { current_page: 1, data: [], per_page: 25, total: 0, last_page: 1 };
  const baseUrl = await serveAlways({ body: { success: true, data } });
  const calibration = await calibrate({
    baseUrl,
    token: 'a-token',
    driver: 'none',
    eventuallyTimeoutMs: shortTimeoutMs,
  });
  expect(written(calibration)).toEqual({
    'validation.unknown-fields': 'ignored',
    'validation.null-optional': 'omitted',
    'request.content-type': 'parsed',
    'payment.range-reversed': 'empty',
    'query.empty': 'omitted',
    'request.trailing-slash': 'ignored',
    'page.invalid': 'default',
    'page.last-page-everywhere': 'present',
    'status.created': '200',
    'deposit.per-page': { bounds: { default: 25, maximum: 25 } },
    'amount.maximum': 'unbounded',
  });
  expect(calibration.findings.filter(({ choice, why }) => choice === undefined && why === '')).toEqual([]);
});
