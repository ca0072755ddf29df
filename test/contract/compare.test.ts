import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Comparison, compare } from '../../src/contract/compare/compare.js';
import { compareRuns, type LabeledDifference } from '../../src/contract/compare/compare-runs.js';
import { openTargetRun } from '../../src/contract/compare/target-run.js';
import type { ContractOptions } from '../../src/contract/engine/open-session.js';
import { onData } from '../../src/contract/mutation/interceptors.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { valueAt } from '../../src/contract/predicates/matchers.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { probes } from '../../src/contract/sections/probes.js';
import { type Choices, type Simulator, startSimulator } from '../../src/index.js';
import { isRecord } from '../../src/lib/json.js';
import { setValueAt, startAlteringProxy } from '../proxy/altering-proxy.js';
import type { Options } from '../second-implementation/options.js';
import { startSecondImplementation } from '../second-implementation/server.js';
import { variants } from '../second-implementation/variants.js';
import { sampleUnlessFull } from '../support/sample.js';
import { serve } from './targets.js';

let simulator: Simulator;
let accountCount = 0;

beforeAll(async () => {
  simulator = await startSimulator({ memory: true, rateLimit: false, log: () => undefined });
});
afterAll(() => simulator.close());

/** Returns the options for a run against a new account on the simulator. */
async function simulatorOptions(profile: Choices = {}, seed: 'demo' | 'empty' = 'empty'): Promise<ContractOptions> {
  accountCount += 1;
  const { tokens } = await simulator.createAccount({ id: `compared-${accountCount}`, profile, seed });
  return { baseUrl: simulator.baseUrl, token: tokens.full, readToken: tokens.read, writeToken: tokens.write };
}

/** Starts the second implementation, and returns the options for a run against it. */
async function secondImplementationOptions(options: Options = {}): Promise<ContractOptions> {
  const { baseUrl, tokens, close, settled: _settled, ...driver } = await startSecondImplementation(options);
  onTestFinished(() => close());
  const { full: token, read: readToken, write: writeToken, scopeless: scopelessToken } = tokens;
  return { baseUrl, token, readToken, writeToken, scopelessToken, driver };
}

/** Compares two targets for some clauses only. */
function compareFor(only: readonly string[], a: ContractOptions, b: ContractOptions): Promise<Comparison> {
  return compare({ a: { ...a, only, eventuallyTimeoutMs: 1_000 }, b: { ...b, only, eventuallyTimeoutMs: 1_000 } });
}

/** Compares two targets for the gap `request.method` only. `compare` checks its probe only along with all clauses. */
async function compareForMethod(a: ContractOptions, b: ContractOptions): Promise<ReturnType<typeof compareRuns>> {
  const runs = { a: await openTargetRun(a), b: await openTargetRun(b) };
  onTestFinished(async () => {
    await Promise.all([runs.a.session.close(), runs.b.session.close()]);
  });
  for (const probe of probes.filter(({ gap }) => gap === 'request.method')) {
    await Promise.all([runs.a.check(probe), runs.b.check(probe)]);
  }
  return compareRuns(runs, []);
}

/** Returns the differences with a label: a violation, a gap, or noise such as identifiers. */
function withLabel({ differences }: Pick<Comparison, 'differences'>, label: string): LabeledDifference[] {
  return differences.filter((difference) => difference.label === label);
}

/** Describes each difference in one line. */
function linesOf(differences: readonly LabeledDifference[]): string[] {
  return differences.map(({ operation, place, a, b, gaps }) => `${operation} ${place}: ${a}, ${b} (${gaps.join()})`);
}

test('an account is not compared with itself, whatever the URL and the token', async () => {
  const account = await simulator.createAccount({ rateLimit: true });
  const otherToken = await account.apiTokens.create({ name: 'another', scopes: ['billing.read', 'billing.write'] });
  const a = { baseUrl: simulator.baseUrl, token: account.tokens.full };
  const b = { baseUrl: simulator.baseUrl.replace('127.0.0.1', 'localhost'), token: otherToken.token };
  const comparison = compareFor(['INV-STATS-02'], a, b);
  await expect(comparison).rejects.toMatchObject({
    name: 'CannotRun',
    problem: `nothing to compare: both are account ${account.id} of the same simulator`,
  });
  const settings = await fetch(`${simulator.url}/_sim/accounts/${account.id}/settings`);
  expect(await settings.json()).toMatchObject({ rate_limit: true });
});

test('accounts of two simulators can have the same id', async () => {
  const other = await startSimulator({ log: () => undefined });
  onTestFinished(() => other.close());
  const a = { baseUrl: simulator.baseUrl, token: 'demo_full' };
  const { exitCode } = await compareFor(['INV-STATS-02'], a, { baseUrl: other.baseUrl, token: 'demo_full' });
  expect(exitCode).toBe(0);
});

test('two accounts of one simulator differ only in noise, even if one has one more invoice', async () => {
  // With the choice `ignored`, the suite can read a list with a slash after its path, and compares it like any other.
  const profile: Choices = { 'request.trailing-slash': 'ignored', 'list.order': 'oldest-first' };
  const [a, b] = [await simulatorOptions(profile, 'demo'), await simulatorOptions(profile, 'demo')];
  const items = [1, 2, 3].map((quantity) => ({ description: 'Night', quantity, unit_price: 80 }));
  // With one invoice less, only one of the accounts would have a second page.
  for (const { token } of [a, a, b]) {
    const created = await fetch(`${simulator.baseUrl}/invoices`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ customer_id: 1, date: '2026-03-01', due_date: '2040-03-01', items }),
    });
    expect(created.status).toBe(201);
  }
  const comparison = await compare({ a, b });
  expect(linesOf(withLabel(comparison, 'violation'))).toEqual([]);
  expect(linesOf(withLabel(comparison, 'gap'))).toEqual([]);
  expect(withLabel(comparison, 'noise')).not.toEqual([]);
  expect(comparison).toMatchObject({ exitCode: 0, gaps: [] });
  // Without a rate limit, a simulator restarts a window that is half used up. This probe then repeats its requests.
  expect(comparison.unpaired.filter(({ step }) => step !== 'GAP-RATE-KEY')).toEqual([]);
  expect(comparison.pairs).toBeGreaterThan(200);
});

test('the number of the last page is noise, since it depends on the number of records', async () => {
  const [a, b] = [await simulatorOptions({}, 'demo'), await simulatorOptions()];
  const comparison = await compareFor(['INV-LIST-20'], a, b);
  expect(linesOf(withLabel(comparison, 'gap'))).toEqual([]);
  expect(withLabel(comparison, 'noise')).toContainEqual(
    expect.objectContaining({ place: '/data/current_page', noise: 'counts' }),
  );
});

test('a page number other than the requested one is not noise', async () => {
  const [a, b] = [await simulatorOptions({}, 'demo'), await simulatorOptions({}, 'demo')];
  const alwaysPageOne = onData('GET', '/invoices', (page) => Object.assign(page, { current_page: 1 }));
  const proxy = await startMutatingProxy({ baseUrl: b.baseUrl, tokens: { full: b.token }, driver: {} }, alwaysPageOne);
  onTestFinished(async () => void (await proxy.driver.close?.()));
  const comparison = await compareFor(['INV-LIST-20'], a, { ...b, baseUrl: proxy.baseUrl, driver: 'none' });
  const difference = comparison.differences.find(({ place }) => place === '/data/current_page');
  expect(difference).toMatchObject({ b: '1' });
  expect(difference?.label).not.toBe('noise');
});

test('if two targets choose differently for gaps, each difference is labeled with one of these gaps', async () => {
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
  const comparison = await compare({ a: await simulatorOptions(), b: await simulatorOptions(choices) });
  expect(linesOf(withLabel(comparison, 'violation'))).toEqual([]);
  const differences = withLabel(comparison, 'gap');
  const isExplained = ({ gaps: [id = '', ...otherIds] }: LabeledDifference) => id in choices && otherIds.length === 0;
  expect(linesOf(differences.filter((difference) => !isExplained(difference)))).toEqual([
    // The suite also sends a deposit with fields that only the service sets. Each of these gaps could explain a refusal.
    'POST /deposits status: 201, 422 (deposit.key-mismatch,validation.unknown-fields,deposit.dates)',
  ]);
  expect([...new Set(differences.flatMap(({ gaps }) => gaps))].sort()).toEqual(Object.keys(choices).sort());
  expect(comparison.gaps.map(({ id }) => id).sort()).toEqual(Object.keys(choices).sort());
  expect(comparison.gaps).toContainEqual({ id: 'status.acted', a: '200', b: '202' });
  expect(comparison.exitCode).toBe(0);
});

describe('a difference is labeled with a gap from the OpenAPI document even if the run observed no choice for it', () => {
  test.each<[choices: Choices, only: string[], line: string]>([
    [
      { 'decimal.encoding': 'string' },
      ['LINK-CREATE'],
      'POST /payment-links /data/amount: 19.99, "19.99" (decimal.encoding)',
    ],
    [{ 'status.created': '200' }, ['LINK-CREATE'], 'POST /payment-links status: 201, 200 (status.created)'],
    [{ 'invoice.amount': 'net' }, ['INV-CREATE'], 'POST /invoices /data/amount: 26.15, 25.15 (invoice.amount)'],
  ])('%j', async (choices, only, line) => {
    const comparison = await compareFor(only, await simulatorOptions(), await simulatorOptions(choices));
    expect(linesOf(withLabel(comparison, 'gap'))).toContain(line);
  });
});

test('a difference is labeled only with gaps that can cause it', async () => {
  const comparison = await compare({
    a: { ...(await secondImplementationOptions()), eventuallyTimeoutMs: 1_000 },
    b: { ...(await secondImplementationOptions(variants['strings'])), eventuallyTimeoutMs: 1_000 },
  });
  const differences = withLabel(comparison, 'gap');
  const placesOf = (id: string) =>
    new Set(differences.flatMap(({ place, gaps }) => (gaps.includes(id) ? [place.replace(/.*\//, '')] : [])));
  expect(placesOf('rate.reset-unit')).toEqual(new Set(['header x-ratelimit-reset']));
  expect(placesOf('list.order')).toEqual(new Set());
  expect(placesOf('deposit.unset-fields')).toEqual(new Set(['check_in_date', 'check_out_date']));
  expect(placesOf('deposit.replay-body')).toEqual(new Set(['status']));
  expect(linesOf(differences.filter(({ gaps }) => gaps.length === 0))).toEqual([]);
});

test('a difference in the status of a request with a valid token has nothing to do with invalid tokens', async () => {
  const comparison = await compareFor(
    ['INV-DETAIL-48', 'AUTH-NOTOKEN-03', 'GAP-AUTH-UNAUTHENTICATED'],
    await secondImplementationOptions(),
    await secondImplementationOptions(variants['strict']),
  );
  expect(linesOf(comparison.differences.filter(({ place }) => place === 'status'))).toEqual([
    'GET /invoices/{invoice} status: 404, 400 ()',
    'GET /invoices/{invoice} status: 401, 403 (auth.unauthenticated)',
    'GET /invoices status: 401, 403 (auth.unauthenticated)',
  ]);
});

test('amounts are compared even if they are strings', async () => {
  const strings: Choices = { 'decimal.encoding': 'string' };
  const [a, b] = [await simulatorOptions(strings), await simulatorOptions({ ...strings, 'invoice.amount': 'net' })];
  const comparison = await compareFor(['INV-CREATE'], a, b);
  const line = 'POST /invoices /data/amount: "26.15", "25.15" (invoice.amount)';
  expect(linesOf(withLabel(comparison, 'gap'))).toContain(line);
});

test('sums of accounts with different records are noise even if they are strings', async () => {
  const strings: Choices = { 'decimal.encoding': 'string' };
  const [a, b] = [await simulatorOptions(strings, 'demo'), await simulatorOptions(strings)];
  const comparison = await compareFor(['INV-STATS-06', 'INV-OVERDUE-04'], a, b);
  expect(linesOf(comparison.differences.filter(({ label }) => label !== 'noise'))).toEqual([]);
  expect(withLabel(comparison, 'noise')).toContainEqual(
    expect.objectContaining({ place: '/data/total_outstanding', noise: 'counts' }),
  );
});

test('a reset time in another unit is not noise', async () => {
  const secondsLeft: Choices = { 'rate.reset-unit': 'seconds-left' };
  const comparison = await compareFor(['RATE-FORM'], await simulatorOptions(), await simulatorOptions(secondsLeft));
  const places = withLabel(comparison, 'gap').map(({ place, gaps }) => `${place} (${gaps.join()})`);
  expect(places).toContain('header x-ratelimit-reset (rate.reset-unit)');
});

test('times are noise, unless the targets were observed to choose differently for a gap about them', async () => {
  const monthly: Choices = { 'deposit.window': { for: 'P30D' } };
  const [a, b] = [await simulatorOptions(), await simulatorOptions(monthly)];
  const explanationOf = ({ differences }: Comparison) =>
    differences.flatMap(({ place, noise, gaps }) => (place === '/data/expires_at' ? [{ noise, gaps }] : []));
  expect(explanationOf(await compareFor(['DEP-STATE-01'], a, b))).toEqual([{ noise: 'times', gaps: [] }]);
  const withProbe = await compareFor(['DEP-STATE-01', 'GAP-DEPOSIT-WINDOW'], a, b);
  expect(explanationOf(withProbe)).toEqual([{ noise: undefined, gaps: ['deposit.window'] }]);
});

test('two equal targets whose behavior matches no choice of a gap do not differ in this gap', async () => {
  let responseCount = 0;
  const baseUrl = await startAlteringProxy(simulator.url, ({ method }, response) => {
    if (method !== 'DELETE') return;
    responseCount += 1;
    Object.assign(response, { status: 410, body: { success: false, error: `Gone ${responseCount}` } });
  });
  const [a, b] = [await simulatorOptions(), await simulatorOptions()];
  const target = { baseUrl, driver: 'none' };
  const { gaps } = await compareForMethod({ ...a, ...target }, { ...b, ...target });
  expect({ gaps, responseCount }).toEqual({ gaps: [], responseCount: 2 });
});

test('the URLs of new records in the Location header are noise', async () => {
  const withLocation = (origin: string): Promise<string> =>
    startAlteringProxy(simulator.url, ({ method }, response) => {
      const id = valueAt(response.body, 'data.id');
      if (method === 'POST' && response.status === 201) response.headers['location'] = `${origin}/payment-links/${id}`;
    });
  const [a, b] = [await simulatorOptions(), await simulatorOptions()];
  const comparison = await compareFor(
    ['LINK-CREATE'],
    { ...a, baseUrl: await withLocation('http://127.0.0.1:4010/api/v1'), driver: 'none' },
    { ...b, baseUrl: await withLocation('https://billing.example/api/v1'), driver: 'none' },
  );
  expect(linesOf(comparison.differences.filter(({ label }) => label !== 'noise'))).toEqual([]);
  expect(withLabel(comparison, 'noise')).toContainEqual(
    expect.objectContaining({ place: 'header location', noise: 'URLs' }),
  );
});

test('a clause that was skipped on one target is not said to hold there', async () => {
  const { readToken: _readToken, ...a } = await simulatorOptions();
  const b = await secondImplementationOptions({ fault: 'unscoped-link-create' });
  const comparison = await compareFor(['AUTH-SCOPE-08'], a, b);
  expect(withLabel(comparison, 'violation')).toMatchObject([
    { a: 'not checked', b: 'status 201', clauses: [{ id: 'AUTH-SCOPE-08', side: 'b' }] },
  ]);
});

test('a clause that both targets violate is not said to be unchecked on one, if a difference explains its violation', async () => {
  const withAmounts = (amountOf: (currency: unknown) => number | undefined): Promise<string> =>
    startAlteringProxy(simulator.url, ({ method, path }, { body }) => {
      const data = valueAt(body, 'data');
      if (method !== 'POST' || path !== '/api/v1/payment-links' || !isRecord(data)) return;
      const amount = amountOf(data['currency']);
      if (amount !== undefined) Object.assign(data, { amount });
    });
  const [a, b] = [await simulatorOptions(), await simulatorOptions()];
  const comparison = await compareFor(
    ['LINK-CREATE-01', 'LINK-CREATE-09', 'LINK-CREATE-22'],
    { ...a, baseUrl: await withAmounts((currency) => (currency === 'USD' ? 1 : 2)), driver: 'none' },
    { ...b, baseUrl: await withAmounts((currency) => (currency === 'USD' ? 1 : undefined)), driver: 'none' },
  );
  const reported = withLabel(comparison, 'violation').filter(({ clauses }) =>
    clauses.some(({ id }) => id === 'LINK-CREATE-09'),
  );
  expect(reported.flatMap(({ a: shownA, b: shownB }) => [shownA, shownB])).not.toContain('not checked');
  expect(reported).toContainEqual(expect.objectContaining({ a: '2', b: '1' }));
});

test('a refusal is labeled with a gap about the fields that its errors name', async () => {
  const shortTexts: Choices = { 'text.lengths': { bounds: { text: 100, notes: 100 } } };
  const comparison = await compareFor(['LINK-CREATE'], await simulatorOptions(), await simulatorOptions(shortTexts));
  const refusals = comparison.differences.filter(({ place, b }) => place === 'status' && b === '422');
  expect(linesOf(refusals)).toContain('POST /payment-links status: 201, 422 (text.lengths,text.characters)');
  expect(refusals.flatMap(({ gaps }) => gaps).filter((id) => !id.startsWith('text.'))).toEqual([]);
});

test('a server error is a violation, even if a gap leaves open how the request is answered', async () => {
  const baseUrl = await startAlteringProxy(simulator.url, ({ method }, response) => {
    if (method === 'DELETE') response.status = 500;
  });
  const [a, b] = [await simulatorOptions(), await simulatorOptions()];
  const comparison = await compareForMethod({ ...a, driver: 'none' }, { ...b, baseUrl, driver: 'none' });
  expect(withLabel(comparison, 'violation')).toMatchObject([
    { operation: 'DELETE /invoices', place: 'status', a: '405', b: '500', clauses: [], gaps: [], serverErrors: ['b'] },
  ]);
});

describe('a violation is reported with its clause and target', () => {
  const cases: readonly [fault: Options['fault'], clause: string, operation: string, place: string][] = [
    ['stats-count-string', 'INV-STATS-02', 'GET /invoices/stats', '/data/total_invoices'],
    ['open-invoice-stats', 'AUTH-NOTOKEN-04', 'GET /invoices/stats', 'status'],
    ['unscoped-link-create', 'AUTH-SCOPE-08', 'POST /payment-links', 'status'],
    ['success-missing', 'ENV-SUCCESS-12', 'GET /deposits/{id}', '/success'],
    ['authorization-url-null', 'DEP-CREATE-02', 'POST /deposits', '/data/authorization_url'],
    ['total-missing', 'PAY-LIST-06', 'GET /payments', '/data/total'],
    ['capture-all-takes-half', 'DEP-CAPTURE-06', 'GET /deposits/{id}', '/data/status'],
  ];

  test.each(sampleUnlessFull(cases, { oneIn: 4 }))('for the fault %s', async (fault, clause, operation, place) => {
    const only = [clause];
    const comparison = await compareFor(only, await simulatorOptions(), await secondImplementationOptions({ fault }));
    const violations = withLabel(comparison, 'violation');
    const found = violations.find((violation) => violation.operation === operation && violation.place === place);
    expect(linesOf(violations).join('\n')).toContain(`${operation} ${place}`);
    expect(found?.clauses.map(({ id, side }) => `${id} ${side}`).join()).toMatch(new RegExp(`${clause}\\S* b`));
    expect(new Set(violations.flatMap(({ clauses }) => clauses.map(({ side }) => side)))).toEqual(new Set(['b']));
    expect(comparison).toMatchObject({ exitCode: 1, a: { exitCode: 0 }, b: { exitCode: 1 } });
  });

  test('if only the first target violates the clause', async () => {
    const comparison = await compareFor(
      ['INV-STATS'],
      await secondImplementationOptions({ fault: 'stats-count-string' }),
      await simulatorOptions(),
    );
    expect(withLabel(comparison, 'violation')).toMatchObject([
      { place: '/data/total_invoices', a: '"120"', clauses: [{ id: 'INV-STATS-02', side: 'a' }] },
    ]);
  });

  test('if both targets violate it in the same way', async () => {
    const fault = 'stats-count-string';
    const comparison = await compareFor(
      ['INV-STATS'],
      await secondImplementationOptions({ fault }),
      await secondImplementationOptions({ fault }),
    );
    expect(withLabel(comparison, 'violation')).toMatchObject([
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

describe('an array where the specification has an object, or the reverse, is a violation even if no clause detects it', () => {
  /** Turns an array into an object, and any other value into an array. */
  function wrongContainer(value: unknown): unknown {
    return Array.isArray(value) ? { ...value } : [value];
  }

  /** Compares the simulator with itself behind a proxy that alters the container at a path of its responses. */
  async function compareWithAltered(operation: string, path: string): Promise<Comparison> {
    const baseUrl = await startAlteringProxy(simulator.url, (request, { body, status }) => {
      if (`${request.method} ${request.path.replace('/api/v1', '')}` !== operation || status >= 300) return;
      const [parent = '', item] = path.split('.*');
      const value = valueAt(body, parent);
      if (item !== undefined && Array.isArray(value)) setValueAt(body, parent, value.map(wrongContainer));
      else if (value !== undefined) setValueAt(body, path, wrongContainer(value));
    });
    const [a, b] = [await simulatorOptions({}, 'demo'), await simulatorOptions({}, 'demo')];
    // The clause that sends a valid request for the operation.
    const sending = clauses.filter(({ title }) => title === `\`success\` is true when ${operation} succeeds.`);
    expect(sending).toHaveLength(1);
    const only = sending.map(({ id }) => id);
    return compareFor(only, { ...a, driver: 'none' }, { ...b, baseUrl, driver: 'none' });
  }

  test.each([
    ['GET /invoices/stats', 'data', '/data'],
    ['POST /invoices', 'data', '/data'],
    ['POST /invoices', 'data.customer', '/data/customer'],
    ['GET /invoices', 'data.data', '/data/data'],
    ['GET /invoices', 'data.data.*', '/data/data/*'],
    ['GET /invoices/overdue', 'data', '/data'],
  ])('%s %s', async (operation, path, place) => {
    const comparison = await compareWithAltered(operation, path);
    expect(withLabel(comparison, 'violation')).toMatchObject([
      { operation, place, clauses: [], gaps: [], wrongTypes: ['b'] },
    ]);
    expect(comparison.exitCode).toBe(1);
  });

  test('but not if the specification does not show the value', async () => {
    const comparison = await compareWithAltered('POST /deposits', 'data.customer');
    expect(withLabel(comparison, 'gap')).toMatchObject([{ place: '/data/customer', gaps: ['deposit.fields'] }]);
    expect(comparison.exitCode).toBe(0);
  });
});

test('a body inside an array explains the violations of clauses about its fields', async () => {
  const baseUrl = await startAlteringProxy(simulator.url, ({ method, path }, response) => {
    if (method === 'POST' && path.endsWith('/payment-links')) response.body = [response.body];
  });
  const [a, b] = [await simulatorOptions(), await simulatorOptions()];
  const comparison = await compareFor(['ENV-SUCCESS-08'], a, { ...b, baseUrl, driver: 'none' });
  expect(withLabel(comparison, 'violation')).toMatchObject([
    { operation: 'POST /payment-links', place: '/', clauses: [{ id: 'ENV-SUCCESS-08', side: 'b' }] },
  ]);
  expect(withLabel(comparison, 'gap')).toEqual([]);
});

describe('a violation of a clause that names only the field of a record', () => {
  test.each([
    ['is not shown at another field whose name ends with the same word', 'DEP-FIELD-02', '/data/amount'],
    ['is shown inside the field', 'DEP-FIELD-11', '/data/metadata/*'],
  ])('%s', async (_what, clause, place) => {
    const baseUrl = await startAlteringProxy(simulator.url, ({ method, path }, { body }) => {
      const data = valueAt(body, 'data');
      if (method === 'POST' && path === '/api/v1/deposits' && isRecord(data))
        Object.assign(data, { amount: 1, captured_amount: null, metadata: { run: 'another' } });
    });
    const [a, b] = [await simulatorOptions(), await simulatorOptions()];
    const options = { strict: true, driver: 'none' };
    const comparison = await compareFor([clause], { ...a, ...options }, { ...b, ...options, baseUrl });
    expect(withLabel(comparison, 'violation')).toMatchObject([
      { operation: 'POST /deposits', place, clauses: [{ id: clause, side: 'b' }] },
    ]);
  });
});

describe('a comparison with a conforming service reports no violation', () => {
  test.each(sampleUnlessFull(Object.entries(variants), { oneIn: 16 }))('as the variant %s', async (_name, options) => {
    const only = ['INV-CREATE', 'INV-STATS', 'LINK-CREATE', 'DEP-CREATE', 'DEP-LIST'];
    const comparison = await compareFor(only, await simulatorOptions(), await secondImplementationOptions(options));
    expect(linesOf(withLabel(comparison, 'violation'))).toEqual([]);
    expect(comparison.exitCode).toBe(0);
  });
});

test('a request that was sent to only one target is reported', async () => {
  const a = await simulatorOptions();
  const { readToken: _readToken, ...b } = await simulatorOptions();
  const { unpaired, differences } = await compareFor(['AUTH-SCOPE-02'], a, b);
  expect(unpaired).toContainEqual({ side: 'a', operation: 'POST /invoices', step: expect.any(String) });
  expect(differences.filter(({ label }) => label !== 'noise')).toEqual([]);
});

test('a comparison contains no secrets, even if the targets return them', async () => {
  const baseUrl = await serve((request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ success: true, data: { total_invoices: request.headers.authorization } }));
  });
  const [a, b] = [
    { baseUrl, token: 'first-token', driver: 'none' },
    { baseUrl, token: 'second-token', driver: 'none' },
  ];
  const text = JSON.stringify(await compareFor(['INV-STATS-02'], a, b));
  expect(text).toContain('Bearer [redacted]');
  for (const { token } of [a, b]) expect(text).not.toContain(token);
});

test('an interrupted comparison ends without waiting for the current clause', async () => {
  const interrupt = new AbortController();
  const baseUrl = await serve((request, response) => {
    if (request.url?.endsWith('/stats')) response.writeHead(429, { 'Retry-After': '110' });
    response.end('{"success":true,"data":{}}');
  });
  const options = { baseUrl, token: 'a-token', driver: 'none', only: ['INV-LIST-01', 'INV-STATS-02'] };
  const comparison = compare(
    { a: options, b: { ...options, token: 'another-token' } },
    { signal: interrupt.signal, onWait: () => interrupt.abort() },
  );
  await expect(comparison).rejects.toThrow(/^the comparison was interrupted after 1 of 2 clauses$/);
});
