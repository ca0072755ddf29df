import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { choicesIn, profileText, withValidChoicesOnly } from '../../src/commands/contract/calibrate-profile.js';
import { type Calibration, calibrate } from '../../src/contract/calibrate/calibrate.js';
import type { Driver } from '../../src/contract/drivers/driver.js';
import { checkClause } from '../../src/contract/engine/check-clauses.js';
import type { Clause } from '../../src/contract/engine/clause.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import type { Choices } from '../../src/index.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { variants } from '../second-implementation/variants.js';
import { sampleUnlessFull } from '../support/sample.js';
import { closeSimulator, openAccount, openDemo, openSecondImplementation, openSession } from './support.js';
import { serve, serveAlways } from './targets.js';

/**
 * `calibrate` observes a target and returns the target's choices for gaps, the details on which the specification is
 * silent. A simulator that gets these choices as its profile behaves like the target.
 */

afterAll(closeSimulator);

/** Options of a run. By default it may write, and uses the driver of the simulator. */
interface RunOptions {
  readonly mayWrite?: boolean;
  readonly driver?: Driver;
}

const profilesFolder = new URL('../../fixtures/profiles/', import.meta.url);
/** Timeout for asynchronous effects, long enough for a webhook retry after 5 seconds. */
const webhookRetryTimeoutMs = 12_000;
/** Timeout for asynchronous effects in runs that need not wait for that retry. */
const shortTimeoutMs = 1_000;

/** Starts a simulator with the demo account, runs `calibrate` against it, and stops it. */
async function calibrateSimulator(profile: Choices, eventuallyTimeoutMs: number): Promise<Calibration> {
  const { baseUrl, tokens, close } = await openDemo(profile);
  const { full: token, read: readToken, write: writeToken } = tokens;
  const include = ['rate-limit'];
  return calibrate({ baseUrl, token, readToken, writeToken, include, eventuallyTimeoutMs }).finally(close);
}

/** Writes a calibration as a profile, expects that it has exactly the observed choices, and returns them. */
function writeAndReadProfile(calibration: Calibration): Record<string, unknown> {
  const text = profileText(calibration, withValidChoicesOnly(calibration), new Date());
  const choices: Record<string, unknown> = parse(text);
  expect(choices).toEqual(choicesIn(calibration.findings));
  return choices;
}

function unobservedGaps({ findings }: Calibration): string[] {
  return findings.filter(({ choice }) => choice === undefined).map(({ gap }) => gap);
}

/** Gaps that a run on a simulator with the demo account does not observe, whatever the profile. */
const alwaysUnobserved = [
  'auth.token-lifetime',
  'invoice.currency',
  'invoice.other-currencies',
  'invoice.reminder-cancelled',
  'link.slug-scope',
  'invoice.transitions',
  'overdue.link-null',
  'payment.transitions',
  'deposit.currency',
  'deposit.key-concurrent',
  'deposit.key-owner',
  'deposit.key-retention',
  'deposit.link-expiry',
  'event.order',
];

/** By profile: further gaps that are not observed, since the profile's choices for other gaps hide them. */
const unobservedByProfile: Readonly<Record<string, readonly string[]>> = {
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

const shippedProfiles = readdirSync(profilesFolder).map((file) => file.replace('.yaml', ''));

test.each(shippedProfiles)('the shipped profile %s has a description', (name) => {
  expect(readFileSync(new URL(`${name}.yaml`, profilesFolder), 'utf8')).toMatch(/^# [A-Z](?:[^\n]|\n# )+\.\n[a-z]/);
});

/**
 * Returns the choices for some gaps in a form that can be compared: with durations in milliseconds, and with defaults
 * filled in.
 */
function resolveChoices(choices: Choices, gaps: readonly string[]): Record<string, unknown> {
  const profile = resolveProfile(choices);
  // The order in which payment methods are observed does not matter.
  const methods = profile['payment.methods'];
  const sorted = {
    ...profile,
    'payment.methods': typeof methods === 'string' ? methods : { only: methods.only.toSorted() },
  };
  return Object.fromEntries(gaps.map((gap) => [gap, Reflect.get(sorted, gap)]));
}

describe.concurrent('calibrating a simulator with a shipped profile finds that profile', () => {
  test.each(sampleUnlessFull(shippedProfiles, { oneIn: 8 }))('%s', async (name) => {
    const profile: Choices = parse(readFileSync(new URL(`${name}.yaml`, profilesFolder), 'utf8'));
    const calibration = await calibrateSimulator(profile, webhookRetryTimeoutMs);
    const observed = writeAndReadProfile(calibration);
    const gaps = Object.keys(observed);
    expect(resolveChoices(observed, gaps)).toEqual(resolveChoices(profile, gaps));
    expect(unobservedGaps(calibration).sort()).toEqual(
      [...alwaysUnobserved, ...(unobservedByProfile[name] ?? [])].sort(),
    );
    // With the profile strict-400, a run takes the most requests, 423: the simulator refuses many requests to create
    // records, so the probes try again with others.
    expect(calibration.requests).toBeLessThan(425);
  });
});

describe.concurrent('a simulator calibrated to the second implementation behaves like it', () => {
  test.each(sampleUnlessFull(Object.entries(variants), { oneIn: 16 }))('%s', async (_name, options) => {
    const { baseUrl, tokens, driver } = await openSecondImplementation(options);
    const calibration = await calibrate({
      baseUrl,
      token: tokens.full,
      readToken: tokens.read,
      writeToken: tokens.write,
      driver,
      eventuallyTimeoutMs: shortTimeoutMs,
    });
    const observed = writeAndReadProfile(calibration);
    const observedInSimulator = writeAndReadProfile(await calibrateSimulator(observed, shortTimeoutMs));
    // With the demo account, the choices for some gaps cannot be observed in the simulator.
    const gapsInBoth = Object.keys(observed).filter((gap) => gap in observedInSimulator);
    expect(gapsInBoth.length).toBeGreaterThan(40);
    expect(resolveChoices(observedInSimulator, gapsInBoth)).toEqual(resolveChoices(observed, gapsInBoth));
  });
});

test('fields that no choice of the gap includes are reported with the observed choice', async () => {
  const { baseUrl, tokens, driver } = await openSecondImplementation({ hasUndocumentedFields: true });
  const { findings } = await calibrate({
    baseUrl,
    token: tokens.full,
    driver,
    eventuallyTimeoutMs: shortTimeoutMs,
  });
  const findingFor = (id: string) => findings.find(({ gap }) => gap === id);
  expect(findingFor('invoice.transactions')).toMatchObject({
    choice: { fields: ['id', 'amount', 'created_at'] },
    why: 'also `fee`, `booking_text`, which no choice of the gap includes',
  });
  expect(findingFor('deposit.fields')).toMatchObject({
    choice: { fields: expect.arrayContaining(['id', 'metadata']) },
    why: 'also `provider`, which no choice of the gap includes',
  });
  expect(findingFor('event.payload')).toMatchObject({
    choice: 'envelope',
    why: 'also `api_version`, which no choice of the gap includes',
  });
});

describe('in a run of all clauses, the clauses about gaps add no requests', () => {
  test.each([
    ['with a driver, and allowed to write', {}, 25],
    ['read-only', { mayWrite: false }, 7],
    ['without a driver', { driver: {} }, 15],
  ])('%s', async (_what, { mayWrite = true, driver }: RunOptions, minimumObserved) => {
    const implementation = await openAccount({}, 'demo');
    const session = openSession(
      { ...implementation, ...(driver && { driver }) },
      { eventuallyTimeoutMs: shortTimeoutMs, mayWrite },
    );
    const isProbe = ({ id }: Clause): boolean => id.startsWith('GAP-');
    for (const clause of clauses.filter((clause) => !isProbe(clause))) await checkClause(session, clause);
    const requestsBeforeProbes = session.target.requestCount;
    for (const clause of clauses.filter(isProbe)) await checkClause(session, clause);
    await session.close();
    expect(session.target.requestCount).toBe(requestsBeforeProbes);
    expect(session.observedChoices.size).toBeGreaterThanOrEqual(minimumObserved);
  });
});

test('a token in the error of a driver that fails to close is redacted', async () => {
  const token = 'a-secret-token';
  const { problems } = await calibrate({
    baseUrl: await serveAlways({ body: { success: true, data: [] } }),
    token,
    write: false,
    driver: { close: () => Promise.reject(new Error(`no session for ${token}`)) },
    eventuallyTimeoutMs: shortTimeoutMs,
  });
  expect(problems).toEqual(["the driver's close() failed: no session for [redacted]"]);
});

test('requests without a response are one problem, however many they are', async () => {
  const baseUrl = await serve(({ url }, response) => {
    if (/payments|deposits/.test(url ?? '')) response.destroy();
    else response.end('{"success":true,"data":[]}');
  });
  const { problems } = await calibrate({
    baseUrl,
    token: 'a-token',
    write: false,
    driver: 'none',
    eventuallyTimeoutMs: shortTimeoutMs,
  });
  expect(problems).toEqual([expect.stringMatching(/^[2-9] requests got no usable response, .+ First: GET \/payments/)]);
});

test('a service that sends the same response to every request shows only the choices that this response implies', async () => {
  const data = { current_page: 1, data: [], per_page: 25, total: 0, last_page: 1 };
  const baseUrl = await serveAlways({ body: { success: true, data } });
  const calibration = await calibrate({
    baseUrl,
    token: 'a-token',
    driver: 'none',
    eventuallyTimeoutMs: shortTimeoutMs,
  });
  expect(writeAndReadProfile(calibration)).toEqual({
    'validation.unknown-fields': 'ignored',
    'request.content-type': 'parsed',
    'request.trailing-slash': 'ignored',
    'page.invalid': 'default',
    'page.last-page-everywhere': 'present',
    'status.created': '200',
    'deposit.per-page': { bounds: { default: 25, maximum: 25 } },
  });
  expect(calibration.findings.filter(({ choice, why }) => choice === undefined && why === '')).toEqual([]);
});
