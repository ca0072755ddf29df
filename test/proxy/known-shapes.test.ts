import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { recordsAt } from '../../src/contract/predicates/matchers.js';
import { billingDocument } from '../../src/generated/billing-document.js';
import { startSimulator } from '../../src/index.js';
import type { ProxiedRequest, ProxiedResponse, RawHeaders } from '../../src/proxy/exchange.js';
import { createExchangeChecker, type ExchangeChecker } from '../../src/proxy/exchange-checker.js';
import { KnownShapes } from '../../src/proxy/known-shapes.js';
import type { PrismExchange } from '../../src/proxy/prism-validator.js';
import { createPrismValidator } from '../../src/proxy/prism-validator.js';
import { startProxy } from '../../src/proxy/proxy.js';
import { sampledRunsUnlessFull } from '../support/sample.js';
import { unicodeCharacter } from '../support/unicode-character.js';
import { sendAllRequests } from './all-requests.js';
import { setValueAt } from './altering-proxy.js';
import { formatDeviation } from './test-proxy.js';

/*
 * A checker remembers the shapes of exchanges in which prism-http found nothing: the fields and the kinds of their
 * values. For other exchanges of a known shape it does not run prism-http, which is slow.
 */

/** Operations for which prism-http was called since this list was last cleared. */
const prismCalls: string[] = [];

const createRecordingValidator: typeof createPrismValidator = async (document) => {
  const validate = await createPrismValidator(document);
  return (route, exchange) => {
    prismCalls.push(route.operation.id);
    return validate(route, exchange);
  };
};

// A copy, because checkers of the same document share the validator of the first checker, which may not be ours.
const document = structuredClone(billingDocument);

/** Creates a checker that knows no shapes yet, and therefore runs prism-http for its first exchange. */
function newChecker(): ExchangeChecker {
  return createExchangeChecker({
    document,
    knownGaps: [],
    scopes: new Map(),
    createValidator: createRecordingValidator,
  });
}

interface Exchange {
  readonly request: ProxiedRequest;
  readonly response: ProxiedResponse;
}

let exchanges: Exchange[] = [];

beforeAll(async () => {
  exchanges = await recordExchanges();
});
afterEach(() => {
  prismCalls.length = 0;
});

/** Sends all test requests to a simulator through a proxy, and returns the exchanges. */
async function recordExchanges(): Promise<Exchange[]> {
  const recorded: Exchange[] = [];
  const problems: string[] = [];
  const simulator = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false, randomSeed: 'shapes' });
  const proxy = await startProxy({
    checker: {
      basePath: '/api/v1',
      nameOf: ({ method, path }) => `${method} ${path}`,
      async check(request, response) {
        recorded.push({ request, response });
        return [];
      },
    },
    upstream: new URL(simulator.baseUrl),
    port: 0,
    host: '127.0.0.1',
    timeoutMs: 60_000,
    isAllowedHost: () => true,
    onDeviation: () => undefined,
    onUnanswered: (request, reason) => problems.push(`${request}: ${reason}`),
    onFailure: (error) => problems.push(String(error)),
  });
  await sendAllRequests(proxy.baseUrl);
  await proxy.close();
  await simulator.close();
  expect(problems).toEqual([]);
  return recorded;
}

/** Returns the recorded exchange in which a GET request to this path, without a query, got the status 200. */
function recordedExchange(path: string): Exchange {
  const exchange = exchanges.find(
    ({ request, response }) =>
      request.method === 'GET' && request.path === path && request.query === '' && response.status === 200,
  );
  if (!exchange) throw new Error(`there is no exchange of GET ${path}`);
  return exchange;
}

/** Copies an exchange, with another value at a path of the response's body. */
function withField(exchange: Exchange, path: string, value: unknown): Exchange {
  const body: unknown = JSON.parse(exchange.response.body.toString());
  setValueAt(body, path, value);
  return withBody(exchange, body);
}

function withBody({ request, response }: Exchange, body: unknown): Exchange {
  return { request, response: { ...response, body: Buffer.from(JSON.stringify(body)) } };
}

/** Checks two exchanges. @returns how often the second check ran prism-http, and the deviations that it found */
async function checkAfter(first: Exchange, second: Exchange) {
  const checker = newChecker();
  await checker.check(first.request, first.response);
  prismCalls.length = 0;
  const deviations = (await checker.check(second.request, second.response)).map(formatDeviation);
  return { prismCallCount: prismCalls.length, deviations };
}

describe('prism-http does not run a second time', () => {
  test('for the same exchange', async () => {
    const page = recordedExchange('/invoices');
    expect(await checkAfter(page, page)).toEqual({ prismCallCount: 0, deviations: [] });
  });

  test.each<[title: string, path: string, value: unknown]>([
    ['another text', 'data.customer.name', 'Grace Hopper'],
    ['another amount', 'data.amount', 77],
    ['another date', 'data.due_date', '2028-01-31'],
    ['another status', 'data.status', 'overdue'],
  ])('for a response with %s', async (_title, path, value) => {
    const invoice = recordedExchange('/invoices/1');
    expect(await checkAfter(invoice, withField(invoice, path, value))).toEqual({ prismCallCount: 0, deviations: [] });
  });

  test('for a page with fewer records of the same shapes, in another order', async () => {
    const page = recordedExchange('/invoices');
    const body = JSON.parse(page.response.body.toString());
    const shorter = withBody(page, { ...body, data: { ...body.data, data: body.data.data.slice(2).reverse() } });
    expect(await checkAfter(page, shorter)).toEqual({ prismCallCount: 0, deviations: [] });
  });

  test('for a request with another id in the path', async () => {
    const invoice = recordedExchange('/invoices/1');
    const otherInvoice = { ...invoice, request: { ...invoice.request, path: '/invoices/77' } };
    expect((await checkAfter(invoice, otherInvoice)).prismCallCount).toBe(0);
  });
});

describe('prism-http runs', () => {
  test.each<[title: string, path: string, value: unknown]>([
    ['an additional field', 'data.color', 'red'],
    ['a missing field', 'data.notes', undefined],
    ['null', 'data.customer.company', null],
    ['a fraction', 'data.amount', 77.5],
    ['an empty text', 'data.customer.name', ''],
    ['an unusual date', 'data.due_date', '2028-02-29'],
    ['a field of the wrong type', 'data.amount', '77'],
  ])('for a response with %s', async (_title, path, value) => {
    const invoice = recordedExchange('/invoices/1');
    expect((await checkAfter(invoice, withField(invoice, path, value))).prismCallCount).toBe(1);
  });

  test.each<[title: string, change: (exchange: Exchange) => Exchange]>([
    ['another status', ({ request, response }) => ({ request, response: { ...response, status: 404 } })],
    ['another operation', ({ request, response }) => ({ request: { ...request, path: '/deposits/1' }, response })],
    ['a query parameter', ({ request, response }) => ({ request: { ...request, query: 'page=2' }, response })],
    ['an id with a sign', ({ request, response }) => ({ request: { ...request, path: '/invoices/+1' }, response })],
    ['no headers in the response', ({ request, response }) => ({ request, response: { ...response, headers: [] } })],
    ['no token', ({ request, response }) => ({ request: { ...request, headers: [] }, response })],
    ['no body', ({ request, response }) => ({ request, response: { ...response, body: Buffer.alloc(0) } })],
    [
      'a body that is not JSON',
      ({ request, response }) => ({ request, response: { ...response, body: Buffer.from('{') } }),
    ],
  ])('for an exchange with %s', async (_title, change) => {
    const invoice = recordedExchange('/invoices/1');
    expect((await checkAfter(invoice, change(invoice))).prismCallCount).toBe(1);
  });

  test('each time for a response that only prism-http rejects', async () => {
    const { request, response } = recordedExchange('/payments');
    let prismCallCount = 0;
    const checker = createExchangeChecker({
      document: structuredClone(billingDocument),
      knownGaps: [],
      scopes: new Map(),
      createValidator: async () => async () => {
        prismCallCount += 1;
        return [{ side: 'response', part: 'body', at: 'data.data.0.paid_at', rule: 'format' }];
      },
    });
    for (const count of [1, 2]) {
      const deviations = await checker.check(request, response);
      expect(deviations.map(({ message, at }) => [at, message])).toEqual([
        ['data.data.*.paid_at', 'violates the rule format, according to prism-http'],
      ]);
      expect(prismCallCount).toBe(count);
    }
  });

  test('also for a list of which only the first 1,000 items are read', async () => {
    const overdue = recordedExchange('/invoices/overdue');
    const [invoice] = recordsAt(JSON.parse(String(overdue.response.body)), 'data');
    const longList = withField(overdue, 'data', new Array(1_001).fill(invoice));
    const checker = createExchangeChecker({
      document: structuredClone(billingDocument),
      knownGaps: [],
      scopes: new Map(),
      createValidator: async () => async () => [
        { side: 'response', part: 'body', at: 'data.0.due_date', rule: 'format' },
      ],
    });
    const deviations = await checker.check(longList.request, longList.response);
    expect(deviations.map(formatDeviation)).toContain('error response body data.*.due_date format');
  });
});

test('shapes beyond the memory limit are forgotten', () => {
  const maxSizeBytes = 2_000;
  const shapes = new KnownShapes(maxSizeBytes);
  const longName = 'a'.repeat(maxSizeBytes / 2);
  const exchange = (field: string): PrismExchange => ({
    operationId: 'getInvoice',
    request: { pathParameters: new Map(), query: {}, headers: {}, body: undefined },
    response: { status: 200, headers: {}, body: { [field]: 1 } },
  });
  const noDeviations = new Set<string>();
  shapes.add(exchange(longName), noDeviations);
  expect(shapes.has(exchange(longName), noDeviations)).toBe(true);
  shapes.add(exchange('b'), noDeviations);
  expect([shapes.has(exchange(longName), noDeviations), shapes.has(exchange('b'), noDeviations)]).toEqual([
    false,
    true,
  ]);
});

/** Dates and times, on most of which validators disagree. */
const dates = fc.constantFrom(
  ...['2026-03-01', '2026-02-30', '2028-02-29', '2027-02-29', '2026-3-1', '0000-00-00', '2026-03-01T09:00:00+00:00'],
  ...['2026-03-01T09:00:00Z', '2026-03-01t09:00:00z', '2026-03-01 09:00:00Z', '2026-03-01T09:00:00'],
  '2026-03-01T24:00:00Z',
  ...['2026-03-01T23:59:60Z', '2026-03-01T22:59:60-01:00', '2026-03-01T09:00:00+24:00', '2026-03-01T09:00:00+0100'],
  ...['2026-03-01T09:00:00+01', '2026-03-01T09:00:00+99:99', '2026-03-01T09:00:00.123456789Z'],
);
const texts = fc.oneof(
  dates,
  fc.constantFrom(
    ...['', ' ', '7', '-1', '1e3', 'true', 'null', 'paid', 'pending', 'EUR', 'text', 'x'.repeat(256)],
    ...['a\u0000b', '\ud800', '😀', 'ada@a.example', 'ada@', 'https://pay.example/x', 'https://pay.example/ x'],
    '550e8400-e29b-41d4-a716-446655440000',
  ),
  fc.string({ unit: unicodeCharacter, maxLength: 20 }),
);
const leaves = fc.oneof(
  { weight: 3, arbitrary: texts },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, 7, -1, 0.01, 19.99, 1.005, 1e21, 2 ** 53, true, false, null) },
  { weight: 1, arbitrary: fc.constantFrom({}, [], [1], { id: 1 }, [[]], undefined) },
);

type Mutation = (exchange: Exchange) => Exchange;

/** Copies a message and changes its JSON body; a message with any other body stays unchanged. */
function changeJson<Message extends ProxiedRequest | ProxiedResponse>(
  message: Message,
  change: (json: unknown) => void,
): Message {
  try {
    const json: unknown = JSON.parse(message.body.toString());
    change(json);
    return { ...message, body: Buffer.from(JSON.stringify(json)) };
  } catch (error) {
    if (error instanceof SyntaxError) return message;
    throw error;
  }
}

/**
 * Sets the value at one of the paths, which `selector` selects. For one in seven selectors, sets `field` next to that
 * path instead.
 */
function setSomeValue(json: unknown, selector: number, value: unknown, field: string): void {
  if (typeof json !== 'object' || json === null) return;
  const allPaths = pathsIn(json);
  const path = allPaths[selector % allPaths.length] ?? '';
  const setsOtherField = path === '' || selector % 7 === 0;
  setValueAt(json, setsOtherField ? [...path.split('.').slice(0, -1), field].join('.') : path, value);
}

/** Replaces one of the dates. `selector` selects which one. */
function replaceDate(json: unknown, selector: number, date: string): void {
  const allPaths = pathsIn(json).filter((path) => /(?:date|_at|timestamp)$/.test(path));
  const path = allPaths[selector % allPaths.length];
  if (path !== undefined) setValueAt(json, path, date);
}

/** Returns the paths of the values within a JSON value, such as `''`, `data` and `data.id`. Omits names with a dot. */
function pathsIn(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, part]) =>
    name.includes('.') ? [] : pathsIn(part, path === '' ? name : `${path}.${name}`),
  );
  return [path, ...inner];
}

/** Numbers that select an item of a list of any length: its index is the remainder of the division by the length. */
const selectors = fc.nat({ max: 10_000 });
const fieldNames = fc.constantFrom('id', 'status', 'date', 'more', '}', '__proto__', 'x y');
const changedBodies = (side: 'request' | 'response'): fc.Arbitrary<Mutation> =>
  fc.tuple(selectors, leaves, fieldNames).map(([selector, value, field]) => (exchange) => ({
    ...exchange,
    [side]: changeJson(exchange[side], (json) => setSomeValue(json, selector, value, field)),
  }));
const changedDates: fc.Arbitrary<Mutation> = fc
  .tuple(selectors, dates)
  .map(([selector, date]) => ({ request, response }) => ({
    request,
    response: changeJson(response, (json) => replaceDate(json, selector, date)),
  }));

const headerNames = fc.constantFrom(
  'Content-Type',
  'Authorization',
  'Idempotency-Key',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
);
const headerTexts = fc.constantFrom(
  ...['', '0', '5', '007', '-5', '1.5', '1e5', '99999999999999999', 'word', 'a b', 'a,b', 'ä', '2026-03-01T09:00:00Z'],
  ...['2026-03-01T23:59:60Z', 'application/json', 'application/problem+json', 'text/html', 'x'],
  ...['Bearer x', 'Basic x', 'bearer  y'],
);
const changedHeaders = (side: 'request' | 'response'): fc.Arbitrary<Mutation> =>
  fc.tuple(headerNames, fc.option(headerTexts), fc.boolean()).map(([name, text, keepsOld]) => (exchange) => {
    const message = exchange[side];
    const changed = [
      ...(keepsOld ? message.headers : withoutHeader(message.headers, name)),
      ...(text === null ? [] : [name, text]),
    ];
    return { ...exchange, [side]: { ...message, headers: changed } };
  });

/** Removes a header from a list in which names and values alternate. */
function withoutHeader(headers: RawHeaders, name: string): RawHeaders {
  return headers.filter((_, index) => headers[index - (index % 2)]?.toLowerCase() !== name.toLowerCase());
}

const queries = fc.constantFrom(
  ...['', 'page=2', 'page=%32', 'page=02', 'page=1&page=2', 'page=', 'page=1e0', 'page=-1', 'page[]=1'],
  ...['per_page=100', 'per_page=101', 'status=paid', 'status=lost', 'status=paid,pending'],
  ...['from=2026-03-01', 'from=2026-02-30', 'to=2028-02-29', 'from=2026-03-01&to=', 'unknown=1'],
  ...['description=a+b', 'description=%ff', 'description=a,b', 'booking_reference=BK-77', 'booking_reference=%20'],
);
const paths = fc.constantFrom(
  ...['/invoices', '/invoices/1', '/invoices/007', '/invoices/%31', '/invoices/abc', '/invoices/1,2', '/invoices/1.0'],
  ...['/invoices/1%2f2', '/invoices/-1', '/invoices/stats', '/invoices/overdue', '/payments'],
  ...['/deposits', '/deposits/1', '/deposits/dep_1', '/deposits/1;x'],
  ...['/payment-links', '/deposits/1/capture', '/deposits/%', '/invoices/99999999999999999999', '/invoices/1/reminder'],
);
const statuses = fc.constantFrom(200, 201, 202, 204, 299, 301, 304, 400, 401, 403, 404, 409, 418, 422, 429, 500);

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 6, arbitrary: changedBodies('response') },
  { weight: 3, arbitrary: changedDates },
  { weight: 3, arbitrary: changedBodies('request') },
  { weight: 1, arbitrary: changedHeaders('request') },
  { weight: 1, arbitrary: changedHeaders('response') },
  {
    weight: 1,
    arbitrary: queries.map<Mutation>((query) => ({ request, response }) => ({
      request: { ...request, query },
      response,
    })),
  },
  {
    weight: 1,
    arbitrary: paths.map<Mutation>((path) => ({ request, response }) => ({ request: { ...request, path }, response })),
  },
  {
    weight: 1,
    arbitrary: statuses.map<Mutation>((status) => ({ request, response }) => ({
      request,
      response: { ...response, status },
    })),
  },
);

test('a checker that knows many shapes finds the same deviations as one that always runs prism-http', async () => {
  const checkerWithShapes = newChecker();
  for (const { request, response } of exchanges) await checkerWithShapes.check(request, response);
  prismCalls.length = 0;
  let [runCount, prismCallCount, deviatingCount] = [0, 0, 0];
  const mutations = fc.array(mutation, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: exchanges.length - 1 }), mutations, async (index, changes) => {
      const exchange = exchanges[index];
      if (!exchange) throw new Error('there is no such exchange');
      const { request, response } = changes.reduce((changed, change) => change(changed), exchange);
      const callsBefore = prismCalls.length;
      const deviations = await checkerWithShapes.check(request, response);
      prismCallCount += prismCalls.length - callsBefore;
      expect(deviations).toEqual(await newChecker().check(request, response));
      runCount += 1;
      deviatingCount += deviations.length === 0 ? 0 : 1;
    }),
    { numRuns: sampledRunsUnlessFull(3_000, { oneIn: 10 }) },
  );
  // If prism-http ran for all exchanges or for none, or if all or none deviated, the comparison would prove little.
  expect(prismCallCount).toBeGreaterThan(0);
  expect(prismCallCount).toBeLessThan(runCount);
  expect(deviatingCount).toBeGreaterThan(0);
  expect(deviatingCount).toBeLessThan(runCount);
});
