import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Comparison, compare } from '../../src/contract/compare/compare.js';
import type { LabelledDifference } from '../../src/contract/compare/comparison.js';
import type { ContractOptions } from '../../src/contract/engine/open-session.js';
import { type Choices, type Simulator, startSimulator } from '../../src/index.js';
import type { Options } from '../second/options.js';
import { startSecond } from '../second/second.js';
import { variants } from '../second/variants.js';
import { sample } from '../support/sample.js';

let simulator: Simulator;
let accounts = 0;

beforeAll(async () => {
  simulator = await startSimulator({ memory: true, rateLimit: false, log: () => undefined });
});
afterAll(() => simulator.close());

/** An account of its own on a simulator. */
async function onSimulator(profile: Choices = {}): Promise<ContractOptions> {
  accounts += 1;
  const { tokens } = await simulator.createAccount({ id: `compared-${accounts}`, profile });
  return { baseUrl: simulator.baseUrl, token: tokens.full, readToken: tokens.read, writeToken: tokens.write };
}

/** The second implementation, written independently from the specification. */
async function onSecond(options: Options = {}): Promise<ContractOptions> {
  const { baseUrl, tokens, close, settled: _settled, ...driver } = await startSecond(options);
  onTestFinished(() => close());
  const { full: token, read: readToken, write: writeToken, none: scopelessToken } = tokens;
  return { baseUrl, token, readToken, writeToken, scopelessToken, driver };
}

/** Compares for some clauses only. */
function compareFor(only: readonly string[], a: ContractOptions, b: ContractOptions): Promise<Comparison> {
  return compare({ a: { ...a, only, eventuallyTimeoutMs: 1_000 }, b: { ...b, only, eventuallyTimeoutMs: 1_000 } });
}

function labelled({ differences }: Comparison, label: string): LabelledDifference[] {
  return differences.filter((one) => one.label === label);
}

/** Differences and where they are, abbreviated. */
function places(differences: readonly LabelledDifference[]): string[] {
  return differences.map(({ operation, place, a, b, gaps }) => `${operation} ${place}: ${a}, ${b} (${gaps.join()})`);
}

test('two accounts of one simulator differ in nothing but noise', async () => {
  const comparison = await compare({ a: await onSimulator(), b: await onSimulator() });
  expect(places(labelled(comparison, 'violation'))).toEqual([]);
  expect(places(labelled(comparison, 'gap'))).toEqual([]);
  expect(labelled(comparison, 'noise')).not.toEqual([]);
  expect(comparison).toMatchObject({ exitCode: 0, gaps: [], unpaired: [] });
  expect(comparison.pairs).toBeGreaterThan(200);
});

test('if two choose differently, each difference is labelled with a gap', async () => {
  const choices: Choices = {
    'decimal.encoding': 'string',
    'null.optional': 'absent',
    'status.acted': '202',
    'validation.unknown-fields': 'refused',
    'request.method': '404',
    'deposit.id': 'uuid',
    'deposit.dates': 'accepted',
    'deposit.key-mismatch': 'original',
    'deposit.release-partial': 'captured',
  };
  const comparison = await compare({ a: await onSimulator(), b: await onSimulator(choices) });
  expect(places(labelled(comparison, 'violation'))).toEqual([]);
  const gaps = labelled(comparison, 'gap');
  expect(
    places(gaps.filter(({ gaps: [id, ...others] }) => id === undefined || !(id in choices) || others.length > 0)),
  ).toEqual([]);
  expect([...new Set(gaps.flatMap((one) => one.gaps))].sort()).toEqual(Object.keys(choices).sort());
  expect(comparison.gaps.map(({ id }) => id).sort()).toEqual(Object.keys(choices).sort());
  expect(comparison.gaps).toContainEqual({ id: 'status.acted', a: '200', b: '202' });
  expect(comparison.exitCode).toBe(0);
});

describe('without observed choices, the document says what is open:', () => {
  test.each<[Choices, string[], string]>([
    [
      { 'decimal.encoding': 'string' },
      ['LINK-CREATE'],
      'POST /payment-links /data/amount: 19.99, "19.99" (decimal.encoding)',
    ],
    [{ 'status.created': '200' }, ['LINK-CREATE'], 'POST /payment-links status: 201, 200 (status.created)'],
    [{ 'invoice.amount': 'net' }, ['INV-CREATE'], 'POST /invoices /data/amount: 110.15, 105.15 (invoice.amount)'],
  ])('%j', async (choices, only, place) => {
    const comparison = await compareFor(only, await onSimulator(), await onSimulator(choices));
    expect(places(labelled(comparison, 'gap'))).toContain(place);
  });
});

describe('a violation by one of the two names its clause and side:', () => {
  test.each<[Options['fault'], string, string, string]>([
    ['stats-count-text', 'INV-STATS-02', 'GET /invoices/stats', '/data/total_invoices'],
    ['open-invoice-stats', 'AUTH-NOTOKEN-04', 'GET /invoices/stats', 'status'],
    ['unscoped-link-create', 'AUTH-SCOPE-08', 'POST /payment-links', 'status'],
    ['success-missing', 'ENV-SUCCESS-12', 'GET /deposits/{id}', '/success'],
    ['authorization-url-null', 'DEP-CREATE-02', 'POST /deposits', '/data/authorization_url'],
    ['total-missing', 'PAY-LIST-06', 'GET /payments', '/data/total'],
    ['capture-all-takes-half', 'DEP-CAPTURE-06', 'GET /deposits/{id}', '/data/status'],
  ])('%s', async (fault, clause, operation, place) => {
    const only = [clause];
    const comparison = await compareFor(only, await onSimulator(), await onSecond({ fault }));
    const violations = labelled(comparison, 'violation');
    const found = violations.find((one) => one.operation === operation && one.place === place);
    expect(places(violations).join('\n')).toContain(`${operation} ${place}`);
    expect(found?.clauses.map(({ id, side }) => `${id} ${side}`).join()).toMatch(new RegExp(`${clause}\\S* b`));
    expect(new Set(violations.flatMap(({ clauses }) => clauses.map(({ side }) => side)))).toEqual(new Set(['b']));
    expect(comparison).toMatchObject({ exitCode: 1, a: { exitCode: 0 }, b: { exitCode: 1 } });
  });

  test('the first of the two', async () => {
    const comparison = await compareFor(
      ['INV-STATS'],
      await onSecond({ fault: 'stats-count-text' }),
      await onSimulator(),
    );
    expect(labelled(comparison, 'violation')).toMatchObject([
      { place: '/data/total_invoices', a: '"120"', clauses: [{ id: 'INV-STATS-02', side: 'a' }] },
    ]);
  });

  test('both of them, without a difference between them', async () => {
    const fault = 'stats-count-text';
    const comparison = await compareFor(['INV-STATS'], await onSecond({ fault }), await onSecond({ fault }));
    expect(labelled(comparison, 'violation')).toMatchObject([
      {
        place: 'expected `data.total_invoices` to be an integer of 0 or more',
        a: expect.stringMatching(/^"\d+"$/),
        b: expect.stringMatching(/^"\d+"$/),
        clauses: [
          { id: 'INV-STATS-02', side: 'a' },
          { id: 'INV-STATS-02', side: 'b' },
        ],
      },
    ]);
    expect(comparison.exitCode).toBe(1);
  });
});

describe('a conforming service that fills the gaps in its own way violates nothing:', () => {
  test.each(sample(Object.entries(variants), 8))('%s', async (_name, options) => {
    const only = ['INV-CREATE', 'INV-STATS', 'LINK-CREATE', 'DEP-CREATE', 'DEP-LIST'];
    const comparison = await compareFor(only, await onSimulator(), await onSecond(options));
    expect(places(labelled(comparison, 'violation'))).toEqual([]);
    expect(comparison.exitCode).toBe(0);
  });
});

test('a step that only one of the two reached is reported', async () => {
  const a = await onSimulator();
  const { readToken: _readToken, ...b } = await onSimulator();
  const { unpaired, differences } = await compareFor(['AUTH-SCOPE-02'], a, b);
  expect(unpaired).toContainEqual({ side: 'a', operation: 'POST /invoices', step: expect.any(String) });
  expect(differences.filter(({ label }) => label !== 'noise')).toEqual([]);
});

test('nothing secret is in a comparison', async () => {
  const [a, b] = [await onSimulator(), await onSecond()];
  const text = JSON.stringify(await compareFor(['INV-STATS', 'AUTH-NOTOKEN'], a, b));
  for (const { token, readToken, writeToken } of [a, b]) {
    for (const secret of [token, readToken, writeToken]) expect(text).not.toContain(secret);
  }
});

test('an interrupted comparison ends after the current clause', async () => {
  const ended = new AbortController();
  const [a, b] = [await onSimulator(), await onSimulator()];
  const watch = { signal: ended.signal, onClause: () => ended.abort() };
  await expect(compare({ a, b }, watch)).rejects.toThrow(/^the comparison was interrupted after 1 of \d+ clauses$/);
});
