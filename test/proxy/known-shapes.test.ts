import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { billingDocument } from '../../src/generated/billing-document.js';
import { startSimulator } from '../../src/index.js';
import type { ProxiedRequest, ProxiedResponse, RawHeaders } from '../../src/proxy/exchange.js';
import { createExchangeChecker, type ExchangeChecker } from '../../src/proxy/exchange-checker.js';
import { KnownShapes } from '../../src/proxy/known-shapes.js';
import type { PrismExchange } from '../../src/proxy/prism-exchange.js';
import { openProxy } from '../../src/proxy/proxy.js';
import { sampledRuns } from '../support/sample.js';
import { unicodeCharacter } from '../support/unicode-character.js';
import { put } from './planted.js';
import { lineOf } from './proxied.js';
import { sendAllRequests } from './walk.js';

/** The proxy runs prism-http only for exchanges whose shape is new, and still finds every deviation. */

/** Operations for which prism-http was called since this list was last cleared. */
const requested = vi.hoisted((): string[] => []);

vi.mock('../../src/proxy/prism-validator.js', async (original) => {
  const actual = await original<typeof import('../../src/proxy/prism-validator.js')>();
  return {
    ...actual,
    async createPrismValidator(...args: Parameters<typeof actual.createPrismValidator>) {
      const secondOpinion = await actual.createPrismValidator(...args);
      const counted: typeof secondOpinion = (route, exchange) => {
        requested.push(route.operation.id);
        return secondOpinion(route, exchange);
      };
      return counted;
    },
  };
});

/** A checker without known shapes. */
function newChecker(): ExchangeChecker {
  return createExchangeChecker({ document: billingDocument, knownGaps: [], scopes: new Map() });
}

interface Exchange {
  readonly request: ProxiedRequest;
  readonly answer: ProxiedResponse;
}

let exchanges: Exchange[] = [];

beforeAll(async () => {
  exchanges = await recordWalk();
});
afterEach(() => {
  requested.length = 0;
});

/** Every exchange of the walk with the simulator. */
async function recordWalk(): Promise<Exchange[]> {
  const recorded: Exchange[] = [];
  const simulator = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false, randomSeed: 'walk' });
  const proxy = await openProxy({
    checker: {
      address: '/api/v1',
      nameOf: ({ method, path }) => `${method} ${path}`,
      async check(request, answer) {
        recorded.push({ request, answer });
        return [];
      },
    },
    upstream: new URL(simulator.baseUrl),
    port: 0,
    host: '127.0.0.1',
    timeoutMs: 60_000,
    serves: () => true,
    onDeviation: () => undefined,
    onUnanswered: (request, reason) => expect.unreachable(`${request}: ${reason}`),
    onFailure: (error) => expect.unreachable(String(error)),
  });
  await sendAllRequests(proxy.baseUrl);
  await proxy.close();
  await simulator.close();
  return recorded;
}

/** The recorded exchange of a GET of a path that was answered with 200. */
function exchangeOf(path: string): Exchange {
  const found = exchanges.find(
    ({ request, answer }) =>
      request.method === 'GET' && `${request.path}?${request.query}` === `${path}?` && answer.status === 200,
  );
  if (!found) throw new Error(`the walk has no GET ${path}`);
  return found;
}

/** A copy of an exchange in which a place of the response's body has another value. */
function withField(exchange: Exchange, place: string, value: unknown): Exchange {
  const body: unknown = JSON.parse(exchange.answer.body.toString());
  put(body, place, value);
  return withBody(exchange, body);
}

function withBody({ request, answer }: Exchange, body: unknown): Exchange {
  return { request, answer: { ...answer, body: Buffer.from(JSON.stringify(body)) } };
}

/** Checks two exchanges, and returns how often the second one ran prism-http, and its deviations. */
async function checkAfter(first: Exchange, second: Exchange) {
  const checker = newChecker();
  await checker.check(first.request, first.answer);
  requested.length = 0;
  const found = (await checker.check(second.request, second.answer)).map(lineOf);
  return { times: requested.length, found };
}

describe('prism-http does not run again', () => {
  test('about the same exchange', async () => {
    const page = exchangeOf('/invoices');
    expect(await checkAfter(page, page)).toEqual({ times: 0, found: [] });
  });

  test.each<[string, string, unknown]>([
    ['another text', 'data.customer.name', 'Grace Hopper'],
    ['another amount', 'data.amount', 77],
    ['another date', 'data.due_date', '2028-01-31'],
    ['another status', 'data.status', 'overdue'],
  ])('about a response with %s', async (_, place, value) => {
    const invoice = exchangeOf('/invoices/1');
    expect(await checkAfter(invoice, withField(invoice, place, value))).toEqual({ times: 0, found: [] });
  });

  test('about a page of other records of the same kinds', async () => {
    const page = exchangeOf('/invoices');
    const body = JSON.parse(page.answer.body.toString());
    const shorter = withBody(page, { ...body, data: { ...body.data, data: body.data.data.slice(2).reverse() } });
    expect(await checkAfter(page, shorter)).toEqual({ times: 0, found: [] });
  });

  test('about another record by its id', async () => {
    const invoice = exchangeOf('/invoices/1');
    const other = { ...invoice, request: { ...invoice.request, path: '/invoices/77' } };
    expect((await checkAfter(invoice, other)).times).toBe(0);
  });
});

describe('prism-http runs', () => {
  test.each<[string, string, unknown]>([
    ['a further field', 'data.color', 'red'],
    ['a field left out', 'data.notes', undefined],
    ['null', 'data.customer.company', null],
    ['a fraction', 'data.amount', 77.5],
    ['an empty text', 'data.customer.name', ''],
    ['an unusual date', 'data.due_date', '2028-02-29'],
    ['a field that is wrong', 'data.amount', '77'],
  ])('about a response with %s', async (_, place, value) => {
    const invoice = exchangeOf('/invoices/1');
    expect((await checkAfter(invoice, withField(invoice, place, value))).times).toBe(1);
  });

  test.each<[string, (exchange: Exchange) => Exchange]>([
    ['another status', ({ request, answer }) => ({ request, answer: { ...answer, status: 404 } })],
    ['another operation', ({ request, answer }) => ({ request: { ...request, path: '/deposits/1' }, answer })],
    ['a parameter', ({ request, answer }) => ({ request: { ...request, query: 'page=2' }, answer })],
    ['a number that is encoded', ({ request, answer }) => ({ request: { ...request, path: '/invoices/+1' }, answer })],
    ['no header', ({ request, answer }) => ({ request, answer: { ...answer, headers: [] } })],
    ['no token', ({ request, answer }) => ({ request: { ...request, headers: [] }, answer })],
    ['no body', ({ request, answer }) => ({ request, answer: { ...answer, body: Buffer.alloc(0) } })],
    ['a body that is not JSON', ({ request, answer }) => ({ request, answer: { ...answer, body: Buffer.from('{') } })],
    [
      'a body that is too deep',
      (exchange) => withField(exchange, 'data.more', JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`)),
    ],
  ])('about an exchange with %s', async (_, change) => {
    const invoice = exchangeOf('/invoices/1');
    expect((await checkAfter(invoice, change(invoice))).times).toBe(1);
  });

  test('every time if it objects to something that we accept: a leap second in another time zone', async () => {
    const invoice = exchangeOf('/payments');
    const leaping = withField(invoice, 'data.data.0.paid_at', '2026-03-01T22:59:60-01:00');
    const checker = newChecker();
    await checker.check(invoice.request, invoice.answer);
    for (let count = 0; count < 2; count += 1) {
      requested.length = 0;
      const found = await checker.check(leaping.request, leaping.answer);
      expect(found.map(({ message, at }) => [at, message])).toEqual([
        ['data.data.*.paid_at', 'violates the rule format, according to prism-http'],
      ]);
      expect(requested).toEqual(['listPayments']);
    }
  });
});

test('shapes beyond the memory limit are forgotten', () => {
  const shapes = new KnownShapes(2_000);
  const exchange = (field: string): PrismExchange => ({
    operationId: 'getInvoice',
    request: { values: new Map(), query: {}, headers: {}, body: undefined },
    response: { status: 200, headers: {}, body: { [field]: 1 } },
  });
  const none = new Set<string>();
  shapes.add(exchange('a'.repeat(1_000)), none);
  expect(shapes.has(exchange('a'.repeat(1_000)), none)).toBe(true);
  shapes.add(exchange('b'), none);
  expect([shapes.has(exchange('a'.repeat(1_000)), none), shapes.has(exchange('b'), none)]).toEqual([false, true]);
});

/** Dates and times on which validators disagree. */
const dates = fc.constantFrom(
  ...['2026-03-01', '2026-02-30', '2028-02-29', '2027-02-29', '2026-3-1', '0000-00-00', '2026-03-01T09:00:00+00:00'],
  ...[
    '2026-03-01T09:00:00Z',
    '2026-03-01t09:00:00z',
    '2026-03-01 09:00:00Z',
    '2026-03-01T09:00:00',
    '2026-03-01T24:00:00Z',
  ],
  ...['2026-03-01T23:59:60Z', '2026-03-01T22:59:60-01:00', '2026-03-01T09:00:00+24:00', '2026-03-01T09:00:00+0100'],
  ...['2026-03-01T09:00:00+01', '2026-03-01T09:00:00+99:99', '2026-03-01T09:00:00.123456789Z'],
);
const texts = fc.oneof(
  dates,
  fc.constantFrom(
    ...[
      '',
      ' ',
      '7',
      '-1',
      '1e3',
      'true',
      'null',
      'paid',
      'pending',
      'EUR',
      'text',
      'x'.repeat(256),
      'a\u0000b',
      '\ud800',
      '😀',
    ],
    ...[
      'ada@a.example',
      'ada@',
      'https://pay.example/x',
      'https://pay.example/ x',
      '550e8400-e29b-41d4-a716-446655440000',
    ],
  ),
  fc.string({ unit: unicodeCharacter, maxLength: 20 }),
);
const leaves = fc.oneof(
  { weight: 3, arbitrary: texts },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, 7, -1, 0.01, 19.99, 1.005, 1e21, 2 ** 53, true, false, null) },
  { weight: 1, arbitrary: fc.constantFrom({}, [], [1], { id: 1 }, [[]], undefined) },
);

type Mutation = (exchange: Exchange) => Exchange;

/** A message whose body is JSON, changed; any other stays as it is. */
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

/** Puts a value at some path, or in a field there. `turn` selects the path. */
function putSomewhere(json: unknown, turn: number, value: unknown, field: string): void {
  const places = placesIn(json);
  const place = places[turn % places.length] ?? '';
  const isInside = place === '' || turn % 7 === 0;
  put(json, isInside ? [place, field].filter((part) => part !== '').join('.') : place, value);
}

/** Puts a date in place of some other. */
function replaceDate(json: unknown, turn: number, date: string): void {
  const places = placesIn(json).filter((place) => /(?:date|_at|timestamp)$/.test(place));
  const place = places[turn % places.length];
  if (place !== undefined) put(json, place, date);
}

/** Paths of all parts of a JSON value: `''`, `data`, `data.id`. */
function placesIn(value: unknown, place = ''): string[] {
  if (typeof value !== 'object' || value === null) return [place];
  const inner = Object.entries(value).flatMap(([name, part]) =>
    placesIn(part, place === '' ? name : `${place}.${name}`),
  );
  return [place, ...inner];
}

const turns = fc.nat({ max: 10_000 });
const fields = fc.constantFrom('id', 'status', 'date', 'more', '}', '__proto__', 'x y');
const bodies = (side: 'request' | 'answer'): fc.Arbitrary<Mutation> =>
  fc.tuple(turns, leaves, fields).map(([turn, value, field]) => (exchange) => ({
    ...exchange,
    [side]: changeJson(exchange[side], (json) => putSomewhere(json, turn, value, field)),
  }));
const answerDates: fc.Arbitrary<Mutation> = fc.tuple(turns, dates).map(([turn, date]) => ({ request, answer }) => ({
  request,
  answer: changeJson(answer, (json) => replaceDate(json, turn, date)),
}));

const names = fc.constantFrom(
  ...[
    'Content-Type',
    'Authorization',
    'Idempotency-Key',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'Retry-After',
  ],
);
const headerTexts = fc.constantFrom(
  ...['', '0', '5', '007', '-5', '1.5', '1e5', '99999999999999999', 'word', 'a b', 'a,b', 'ä', '2026-03-01T09:00:00Z'],
  ...[
    '2026-03-01T23:59:60Z',
    'application/json',
    'application/problem+json',
    'text/html',
    'x',
    'Bearer x',
    'Basic x',
    'bearer  y',
  ],
);
const headers = (side: 'request' | 'answer'): fc.Arbitrary<Mutation> =>
  fc.tuple(names, fc.option(headerTexts), fc.boolean()).map(([name, text, keeps]) => (exchange) => {
    const message = exchange[side];
    const changed = [
      ...(keeps ? message.headers : without(message.headers, name)),
      ...(text === null ? [] : [name, text]),
    ];
    return { ...exchange, [side]: { ...message, headers: changed } };
  });

function without(headers: RawHeaders, name: string): RawHeaders {
  return headers.filter((_, index) => headers[index - (index % 2)]?.toLowerCase() !== name.toLowerCase());
}

const queries = fc.constantFrom(
  ...[
    '',
    'page=2',
    'page=%32',
    'page=02',
    'page=1&page=2',
    'page=',
    'page=1e0',
    'page=-1',
    'per_page=100',
    'per_page=101',
    'page[]=1',
  ],
  ...[
    'status=paid',
    'status=lost',
    'status=paid,pending',
    'from=2026-03-01',
    'from=2026-02-30',
    'to=2028-02-29',
    'from=2026-03-01&to=',
  ],
  ...[
    'description=a+b',
    'description=%ff',
    'description=a,b',
    'unknown=1',
    'booking_reference=BK-77',
    'booking_reference=%20',
  ],
);
const paths = fc.constantFrom(
  ...[
    '/invoices',
    '/invoices/1',
    '/invoices/007',
    '/invoices/%31',
    '/invoices/abc',
    '/invoices/1,2',
    '/invoices/1%2f2',
    '/invoices/-1',
  ],
  ...[
    '/invoices/stats',
    '/invoices/overdue',
    '/deposits',
    '/deposits/1',
    '/deposits/dep_1',
    '/deposits/1;x',
    '/payments',
    '/invoices/1.0',
  ],
  ...['/payment-links', '/deposits/1/capture', '/deposits/%', '/invoices/99999999999999999999', '/invoices/1/reminder'],
);
const statuses = fc.constantFrom(200, 201, 202, 204, 299, 301, 304, 400, 401, 403, 404, 409, 418, 422, 429, 500);

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 6, arbitrary: bodies('answer') },
  { weight: 3, arbitrary: answerDates },
  { weight: 3, arbitrary: bodies('request') },
  { weight: 1, arbitrary: headers('request') },
  { weight: 1, arbitrary: headers('answer') },
  {
    weight: 1,
    arbitrary: queries.map<Mutation>((query) => ({ request, answer }) => ({ request: { ...request, query }, answer })),
  },
  {
    weight: 1,
    arbitrary: paths.map<Mutation>((path) => ({ request, answer }) => ({ request: { ...request, path }, answer })),
  },
  {
    weight: 1,
    arbitrary: statuses.map<Mutation>((status) => ({ request, answer }) => ({
      request,
      answer: { ...answer, status },
    })),
  },
);

test('a checker with known shapes finds the same as one that always runs prism-http', async () => {
  const learned = newChecker();
  for (const { request, answer } of exchanges) await learned.check(request, answer);
  requested.length = 0;
  let [runs, timesAsked, deviating] = [0, 0, 0];
  const mutations = fc.array(mutation, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: exchanges.length - 1 }), mutations, async (index, changes) => {
      const exchange = exchanges[index];
      if (!exchange) throw new Error('there is no such exchange');
      const { request, answer } = changes.reduce((changed, change) => change(changed), exchange);
      const before = requested.length;
      const found = await learned.check(request, answer);
      timesAsked += requested.length - before;
      expect(found).toEqual(await newChecker().check(request, answer));
      runs += 1;
      deviating += found.length === 0 ? 0 : 1;
    }),
    { numRuns: sampledRuns(3_000, 5) },
  );
  // Otherwise the comparison would prove nothing.
  expect(timesAsked).toBeGreaterThan(0);
  expect(timesAsked).toBeLessThan(runs);
  expect(deviating).toBeGreaterThan(0);
  expect(deviating).toBeLessThan(runs);
});
