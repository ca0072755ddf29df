import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/contract/engine/json.js';
import type { InterceptedResponse, Interceptor } from '../../src/contract/mutation/interceptor.js';
import {
  changeField,
  combine,
  onData,
  onList,
  onOverdue,
  onRecords,
  onRequest,
  onResponse,
  onSuccess,
  recordsOf,
  removeField,
  replaceWithError,
  replaceWithSuccess,
} from '../../src/contract/mutation/interceptors.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { recordsAt } from '../../src/contract/predicates/matchers.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { reverseLines } from '../../src/contract/sections/invoice-changes.js';
import { invoiceCreateClauses } from '../../src/contract/sections/invoice-creation/clauses.js';
import { invoiceRuleClauses } from '../../src/contract/sections/invoice-creation/rule-clauses.js';
import { invoiceDetailClauses } from '../../src/contract/sections/invoice-detail/clauses.js';
import { invoiceListClauses } from '../../src/contract/sections/invoice-list/clauses.js';
import { rateLimitClauses } from '../../src/contract/sections/rate-limits/clauses.js';
import { statisticsClauses } from '../../src/contract/sections/statistics/clauses.js';
import { isFullRun, sampleUnlessFull } from '../support/sample.js';
import { clausesExceptPaymentsAndDeposits } from './clauses-by-topic.js';
import { checkClauses, closeSimulator, describeResults, openAccount, openSecondImplementation } from './support.js';
import { serve } from './targets.js';

/** Unusual targets that the specification allows: the simulator behind a proxy that changes its responses. */

afterAll(closeSimulator);

const onHeaders = (change: (headers: InterceptedResponse['headers'], status: number) => void): Interceptor =>
  onResponse(
    () => true,
    (response) => change(response.headers, response.status),
  );

const onCustomers = (change: (customer: JsonObject) => void): Interceptor => {
  const onInvoice = (invoice: JsonObject): void => changeField(invoice, 'customer', change);
  return combine(
    onRecords('/invoices', onInvoice),
    onData('GET', /^\/invoices\/\d+$/, onInvoice),
    onData('POST', '/invoices', onInvoice),
    onOverdue((rows) => {
      rows.forEach(onInvoice);
      return rows;
    }),
  );
};

/** Returns a future time, in seconds since 1970. */
const unixTimeIn = (seconds: number): number => Math.ceil(Date.now() / 1_000) + seconds;

/** Counts one more paid invoice in each response with the statistics, as if another client had created and paid it. */
function countInvoicesOfOthers(): Interceptor {
  let created = 0;
  return onData('GET', '/invoices/stats', (stats) => {
    created += 1;
    stats['total_invoices'] = Number(stats['total_invoices']) + created;
    stats['paid_invoices'] = Number(stats['paid_invoices']) + created;
  });
}

/** Lists the newest invoice only once page 2 is read for the first time, as if another client had created it then. */
function createInvoiceBeforePage2(): Interceptor {
  let isCreated = false;
  const requestedPages = new WeakMap<URLSearchParams, { readonly number: number; readonly size: number }>();
  return combine(
    onRequest('GET', '/invoices', ({ query }) => {
      const [number, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 25)];
      requestedPages.set(query, { number, size });
      query.delete('page');
      query.set('per_page', '100');
      isCreated ||= number === 2;
    }),
    onData('GET', '/invoices', (page, { query }) => {
      const { number = 1, size = 25 } = requestedPages.get(query) ?? {};
      const invoices = recordsOf(page).slice(isCreated ? 0 : 1);
      Object.assign(page, {
        data: invoices.slice((number - 1) * size, number * size),
        total: invoices.length,
        current_page: number,
        per_page: size,
        last_page: Math.ceil(invoices.length / size),
      });
    }),
  );
}

/** Reports a rate limit whose windows end after a number of requests. */
function shortWindows(requestsPerWindow: number): Interceptor {
  let requestCount = 0;
  return onHeaders((headers) => {
    requestCount += 1;
    headers['x-ratelimit-limit'] = '60';
    headers['x-ratelimit-remaining'] = String(59 - (requestCount % requestsPerWindow));
  });
}

/**
 * Responds to every third GET request with 429, as if other clients had used up the limit. A POST request has already had
 * its effect on the simulator, so its response must not become an error.
 */
function limitUsedUpByOthers(): Interceptor {
  let requestCount = 0;
  return onResponse(
    ({ method }) => method === 'GET',
    (response) => {
      requestCount += 1;
      if (requestCount % 3 > 0) return;
      replaceWithError(response, 429);
      Object.assign(response.headers, { 'retry-after': '1', 'x-ratelimit-remaining': '0' });
    },
  );
}

/** Responds with 404 to the first request for each invoice. */
function missingOnFirstRead(): Interceptor {
  const readPaths = new Set<string>();
  return onSuccess('GET', /^\/invoices\/\d+$/, (response, { path }) => {
    if (!readPaths.has(path)) replaceWithError(response, 404);
    readPaths.add(path);
  });
}

/** Changes responses with an error status (400 or higher). */
const onErrors = (change: (response: InterceptedResponse) => void): Interceptor =>
  onResponse((_request, { status }) => status >= 400, change);

/** Reverses the records on each page of the list of invoices, but not the order of the pages. */
const reversePages = (): Interceptor => onList('/invoices', (invoices) => invoices.toReversed());

/** For each target, the interceptor that makes the simulator behave like it. */
const allowedTargets: Readonly<Record<string, Interceptor>> = {
  'the statistics change with every request': countInvoicesOfOthers(),
  'other clients use up the limit': limitUsedUpByOthers(),
  'rate-limit windows are short, and X-RateLimit-Reset is in milliseconds': combine(
    shortWindows(4),
    onHeaders((headers) => void Object.assign(headers, { 'x-ratelimit-reset': String(unixTimeIn(30) * 1_000) })),
  ),
  'the rate limit is used up but not enforced, and some customers have only a name': combine(
    onHeaders((headers) => void Object.assign(headers, { 'x-ratelimit-remaining': '0' })),
    onCustomers((customer) => {
      // The suite compares this customer, which it creates, with what it has sent.
      if (customer['name'] === 'Ada Lovelace') return;
      for (const field of ['email', 'company', 'phone']) removeField(customer, field);
    }),
  ),
  'the limit is 10 requests in 10 seconds': onHeaders((headers) => {
    Object.assign(headers, { 'x-ratelimit-limit': '10', 'x-ratelimit-reset': '10' });
    headers['x-ratelimit-remaining'] = String(Number(headers['x-ratelimit-remaining']) % 10);
  }),
  'the reset is an HTTP date, the limit includes its window, and absent fields are null': combine(
    onHeaders((headers) => {
      headers['x-ratelimit-reset'] = new Date(unixTimeIn(30) * 1_000).toUTCString();
      headers['x-ratelimit-limit'] = `${headers['x-ratelimit-limit']}, ${headers['x-ratelimit-limit']};w=60`;
    }),
    onErrors(({ body }) => void Object.assign(body, { errors: null, data: null, message: null })),
    onSuccess('POST', /\/reminder$/, ({ body }) => void Object.assign(body, { data: null })),
  ),
  'every error has Retry-After, which makes the suite mistake a 403 for an exceeded rate limit': onErrors(
    ({ headers }) => void Object.assign(headers, { 'retry-after': '1' }),
  ),
  'no invoice is overdue yet, and the response for an unknown invoice is 422': combine(
    onSuccess('GET', '/invoices/overdue', ({ body }) => void Object.assign(body, { data: [], count: 0 })),
    onData('GET', '/invoices/stats', (stats) => void Object.assign(stats, { overdue_invoices: 0, total_overdue: 0 })),
    onResponse(
      ({ path, method }, { status }) => method === 'GET' && path.startsWith('/invoices/') && status === 404,
      (response) => replaceWithError(response, 422),
    ),
  ),
  'days_overdue does not count the day after the due date, and there are more fields than documented': combine(
    onOverdue((rows) => rows.map((row) => ({ ...row, days_overdue: Number(row['days_overdue']) - 1 }))),
    onResponse(
      () => true,
      ({ body }) => {
        const { data } = body;
        Object.assign(body, { meta: { took: 3 }, warnings: [] });
        if (typeof data === 'object' && data !== null && !Array.isArray(data)) body['data'] = { ...data, _links: {} };
      },
    ),
  ),
  'the newest invoices are on the first page, but each page begins with its oldest': reversePages(),
  'an invoice cannot be read until a moment after its creation': missingOnFirstRead(),
  'the statistics are strings with many zeros': onData('GET', '/invoices/stats', (stats) => {
    for (const field of ['total_outstanding', 'total_overdue'])
      stats[field] = Number(stats[field]).toFixed(2).padEnd(20, '0');
  }),
};

/**
 * Checks all clauses except those about payments and deposits, on a simulator whose messages an interceptor changes.
 * @param related the clauses that can notice the change: unless the run is full, only they are checked
 */
async function checkMostClauses(interceptor: Interceptor, related = /./) {
  const target = await startMutatingProxy(await openAccount({}, 'demo'), interceptor);
  const checked = clausesExceptPaymentsAndDeposits.filter(({ id }) => isFullRun || related.test(id));
  return { target, outcome: await checkClauses(target, checked, { eventuallyTimeoutMs: 500 }) };
}

describe.concurrent('no clause fails if', () => {
  test.each(sampleUnlessFull(Object.entries(allowedTargets), { oneIn: 16 }))('%s', async (_name, interceptor) => {
    const { outcome, target } = await checkMostClauses(interceptor);
    expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
    expect(outcome.idsWithStatus('passed').length).toBeGreaterThan(200);
    // If the proxy had changed no message, the expectations above would prove nothing.
    expect(target.changes()).toBeGreaterThan(0);
  });
});

test('if a target reverses the lines of invoices, only the clauses about their order warn', async () => {
  const target = await startMutatingProxy(
    await openAccount({}, 'demo'),
    combine(onData('POST', '/invoices', reverseLines), onData('GET', /^\/invoices\/\d+$/, reverseLines)),
  );
  const outcome = await checkClauses(target, [...invoiceCreateClauses, ...invoiceDetailClauses], {
    eventuallyTimeoutMs: 500,
  });
  expect(outcome.idsWithStatus('failed', 'broken')).toEqual([]);
  expect(outcome.idsWithStatus('warned')).toEqual(['INV-CREATE-47', 'INV-DETAIL-58']);
});

/** INV-LIST-16 compares the first two pages, and INV-LIST-49 all pages, of which it needs at least three. */
describe('a list whose newest invoices are on page 1, while each page begins with its oldest,', () => {
  const clauses = invoiceListClauses.filter(({ id }) => ['INV-LIST-16', 'INV-LIST-49'].includes(id));

  /** @param offset number of records by which the start of a page is wrong */
  const checkPages = async (count: number, offset: (page: number) => number = () => 0) => {
    const newestFirst = Array.from({ length: count }, (_, index) => ({ id: count - index }));
    const baseUrl = await serve((request, response) => {
      const query = new URL(request.url ?? '', 'http://target').searchParams;
      const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 25)];
      const start = (page - 1) * size + offset(page);
      const data = newestFirst.slice(start, start + size).toReversed();
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ success: true, data: { data, current_page: page, per_page: size, total: count } }));
    });
    const target = { baseUrl, tokens: { full: 'token' }, driver: {} };
    const outcome = await checkClauses(target, clauses, { mayWrite: false });
    return { twoPages: outcome.resultOf('INV-LIST-16').status, allPages: outcome.resultOf('INV-LIST-49').status };
  };

  test.each([
    { count: 3, allPages: 'skipped' },
    { count: 4, allPages: 'skipped' },
    { count: 5, allPages: 'passed' },
    { count: 7, allPages: 'passed' },
  ])('passes with $count invoices', async ({ count, allPages }) => {
    expect(await checkPages(count)).toEqual({ twoPages: 'passed', allPages });
  });

  test.each([
    { mistake: 'missing from page 2', wrongPage: 2, offset: 1, twoPages: 'failed' },
    { mistake: 'repeated on page 2', wrongPage: 2, offset: -1, twoPages: 'failed' },
    { mistake: 'missing from page 3', wrongPage: 3, offset: 1, twoPages: 'passed' },
    { mistake: 'repeated on page 3', wrongPage: 3, offset: -1, twoPages: 'passed' },
  ])('fails if an invoice is $mistake', async ({ wrongPage, offset, twoPages }) => {
    for (const count of [6, 20]) {
      const statuses = await checkPages(count, (page) => (page === wrongPage ? offset : 0));
      expect(statuses).toEqual({ twoPages, allPages: 'failed' });
    }
  });
});

test('if responses that refuse a token lack the rate-limit headers, only the clauses about such responses fail', async () => {
  // The token that the suite uses as an unknown one contains these words.
  const isUnauthenticated = ({ headers: { authorization = '' } }: { headers: Record<string, string> }): boolean =>
    authorization === '' || authorization.includes('never-issued');
  const interceptor = onResponse(isUnauthenticated, (response) => {
    for (const name of ['limit', 'remaining', 'reset']) delete response.headers[`x-ratelimit-${name}`];
  });
  const { outcome } = await checkMostClauses(interceptor, /^(AUTH-NOTOKEN|RATE)-/);
  expect(outcome.idsWithStatus('failed', 'broken')).toEqual(['RATE-HEADER-04', 'RATE-HEADER-05', 'RATE-HEADER-06']);
  expect(outcome.idsWithStatus('warned')).toEqual([]);
});

test('clauses about rate-limit headers do not pass if no response has them', async () => {
  const { outcome } = await checkMostClauses(
    onHeaders((headers) => {
      for (const name of ['limit', 'remaining', 'reset']) delete headers[`x-ratelimit-${name}`];
    }),
    /^(AUTH-NOTOKEN|RATE)-/,
  );
  const passed = outcome.idsWithStatus('passed').filter((id) => id.startsWith('RATE-'));
  expect(passed).toEqual([]);
  expect(outcome.idsWithStatus('failed', 'broken', 'warned')).toEqual(
    [1, 2, 3, 4, 5, 6].map((n) => `RATE-HEADER-0${n}`),
  );
});

test('if no response shows how many requests remain, the clause that they are counted says so', async () => {
  const withoutRemaining = onHeaders((headers) => void delete headers['x-ratelimit-remaining']);
  const target = await startMutatingProxy(await openAccount(), withoutRemaining);
  const outcome = await checkClauses(target, rateLimitClauses);
  expect(outcome.resultOf('RATE-COUNT-01').detail).toContain(
    'no response to check has a valid `X-RateLimit-Remaining`',
  );
});

test.each([
  ['limit', ['RATE-FORM-01'], ['RATE-FORM-04', 'RATE-LIMIT-01']],
  ['remaining', ['RATE-FORM-02'], ['RATE-FORM-04', 'RATE-COUNT-01', 'RATE-COUNT-02', 'RATE-LIMIT-01']],
  ['reset', ['RATE-FORM-03'], ['RATE-FORM-05', 'RATE-LIMIT-01', 'RATE-RESET-01']],
])(
  'if X-RateLimit-* headers `%s` are words, the clauses that need their values are skipped',
  async (name, failed, skipped) => {
    const withWord = onHeaders((headers) => Object.assign(headers, { [`x-ratelimit-${name}`]: 'several' }));
    const target = await startMutatingProxy(await openAccount(), withWord);
    const outcome = await checkClauses(target, rateLimitClauses);
    expect(outcome.idsWithStatus('failed', 'broken')).toEqual(failed);
    expect(outcome.idsWithStatus('skipped').filter((id) => /FORM|COUNT|LIMIT-01|RESET/.test(id))).toEqual(skipped);
  },
);

test('the clause that 60 requests a minute are allowed does not pass if no reset time is plausible', async () => {
  const withDistantReset = onHeaders((headers) => Object.assign(headers, { 'x-ratelimit-reset': '99999999999' }));
  const target = await startMutatingProxy(await openAccount(), withDistantReset);
  const outcome = await checkClauses(target, rateLimitClauses);
  expect(outcome.resultOf('RATE-LIMIT-01').status).toBe('skipped');
});

test('if `per_page` has no effect, the clauses about the records of such pages are skipped', async () => {
  const target = await startMutatingProxy(
    await openAccount({}, 'demo'),
    onRequest('GET', '/invoices', ({ query }) => query.delete('per_page')),
  );
  const ids = ['INV-LIST-09', 'INV-LIST-10', 'INV-LIST-13', 'INV-LIST-19'];
  const outcome = await checkClauses(
    target,
    invoiceListClauses.filter(({ id }) => ids.includes(id)),
  );
  expect(outcome.idsWithStatus('failed').sort()).toEqual(['INV-LIST-09', 'INV-LIST-13']);
  expect(outcome.idsWithStatus('skipped').sort()).toEqual(['INV-LIST-10', 'INV-LIST-19']);
});

test('the clauses about impossible statuses of invoices do not pass if no response shows a status', async () => {
  const withoutStatus = (invoice: JsonObject): void => removeField(invoice, 'status');
  const target = await startMutatingProxy(await openAccount({}, 'demo'), onRecords('/invoices', withoutStatus));
  const ids = ['INV-LIST-55', 'INV-LIST-56', 'INV-LIST-57'];
  const outcome = await checkClauses(
    target,
    invoiceListClauses.filter(({ id }) => ids.includes(id)),
    { eventuallyTimeoutMs: 500 },
  );
  expect(outcome.idsWithStatus('skipped').sort()).toEqual(ids);
});

test('the clause about the sum after a reminder is skipped if the invoice shows no amount', async () => {
  const withoutAmount = onData('POST', '/invoices', (invoice) => Object.assign(invoice, { amount: null }));
  const target = await startMutatingProxy(await openAccount({}, 'demo'), withoutAmount);
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => id === 'INV-REMIND-13'),
  );
  expect(outcome.resultOf('INV-REMIND-13').status).toBe('skipped');
});

test.each([
  ['X-RateLimit-Limit', ['RATE-FORM-01', 'RATE-FORM-04', 'RATE-LIMIT-01']],
  ['X-RateLimit-Remaining', ['RATE-FORM-02', 'RATE-FORM-04', 'RATE-LIMIT-01']],
  ['X-RateLimit-Reset', ['RATE-FORM-03', 'RATE-FORM-05', 'RATE-LIMIT-01', 'RATE-RESET-01']],
])('if no response has %s, the clauses that need it are skipped, and name it', async (name, ids) => {
  const withoutHeader = onHeaders((headers) => void delete headers[name.toLowerCase()]);
  const target = await startMutatingProxy(await openAccount(), withoutHeader);
  const outcome = await checkClauses(target, rateLimitClauses, { eventuallyTimeoutMs: 500 });
  for (const id of ids) {
    expect(outcome.resultOf(id)).toMatchObject({ status: 'skipped', detail: expect.stringContaining(`\`${name}\``) });
  }
});

test('a clause that needs a number says what the target returns instead', async () => {
  const withNaN = onData('GET', '/invoices/stats', (stats) => Object.assign(stats, { total_outstanding: 'NaN' }));
  const target = await startMutatingProxy(await openAccount(), withNaN);
  const outcome = await checkClauses(target, statisticsClauses, { eventuallyTimeoutMs: 500 });
  expect(outcome.resultOf('INV-STATS-12')).toMatchObject({
    status: 'skipped',
    detail: '`data.total_outstanding` of the statistics is "NaN", not a decimal',
  });
});

test('clauses about repeated records do not pass if all lists are empty', async () => {
  const ids = ['INV-LIST-52', 'LINK-LIST-52', 'PAY-LIST-52', 'DEP-LIST-52', 'INV-OVERDUE-47'];
  const outcome = await checkClauses(
    await openAccount(),
    clauses.filter(({ id }) => ids.includes(id)),
    { mayWrite: false },
  );
  expect(outcome.idsWithStatus('skipped').sort()).toEqual(ids.sort());
});

test('the clause about the fields that `errors` names does not pass if no error has them', async () => {
  const { outcome } = await checkMostClauses(
    onErrors(({ body }) => void delete body['errors']),
    /^(ENV-ERROR|INV-RULE)/,
  );
  expect(outcome.idsWithStatus('failed', 'broken', 'warned')).toEqual([]);
  expect(outcome.resultOf('INV-RULE-19')).toMatchObject({
    status: 'skipped',
    missing: 'an error response with `errors`',
  });
});

test('a target that gives a new invoice a subscription causes only a warning', async () => {
  const interceptor = onData(
    'GET',
    /^\/invoices\/\d+$/,
    (invoice) => void Object.assign(invoice, { subscription: { id: 1 } }),
  );
  const { outcome } = await checkMostClauses(interceptor, /^INV-DETAIL-/);
  expect(outcome.idsWithStatus('failed', 'broken')).toEqual([]);
  expect(outcome.idsWithStatus('warned')).toEqual(['INV-DETAIL-42']);
});

test('a target that writes an empty map as an array causes only a warning', async () => {
  const interceptor = onErrors(({ body }) => void Object.assign(body, { errors: [] }));
  const { outcome } = await checkMostClauses(interceptor, /^(ENV-ERROR|INV-RULE)/);
  expect(outcome.idsWithStatus('failed', 'broken')).toEqual([]);
  expect(outcome.idsWithStatus('warned')).toEqual(['ENV-ERRORS-02']);
});

test('a target that writes the amounts of links as strings, and those of invoices as numbers, passes', async () => {
  const toText = (link: JsonObject): unknown => Object.assign(link, { amount: Number(link['amount']).toFixed(2) });
  const interceptor = combine(onData('POST', '/payment-links', toText), onRecords('/payment-links', toText));
  const ids = ['LINK-CREATE-05', 'LINK-LIST-46', 'ENV-DECIMAL-02'];
  const outcome = await checkClauses(
    await startMutatingProxy(await openAccount(), interceptor),
    clauses.filter(({ id }) => ids.includes(id)),
  );
  expect(outcome.idsWithStatus('passed').sort()).toEqual(ids.sort());
});

test('the clause about the encoding of decimals does not pass if no decimal is shown twice', async () => {
  const outcome = await checkClauses(
    await openAccount(),
    clauses.filter(({ id }) => id === 'ENV-DECIMAL-02'),
    { mayWrite: false },
  );
  expect(outcome.resultOf('ENV-DECIMAL-02')).toMatchObject({ status: 'skipped' });
});

test('the clause about the value of a line total does not pass if the total is missing', async () => {
  const interceptor = onData('POST', '/invoices', (invoice) => {
    Object.assign(invoice, {
      invoice_items: recordsAt(invoice, 'invoice_items').map(({ total: _total, ...line }) => line),
    });
  });
  const outcome = await checkClauses(
    await startMutatingProxy(await openAccount({}, 'demo'), interceptor),
    invoiceCreateClauses.filter(({ id }) => ['INV-CREATE-28', 'INV-CREATE-33'].includes(id)),
  );
  expect(outcome.idsWithStatus('failed')).toEqual(['INV-CREATE-28']);
  expect(outcome.idsWithStatus('skipped')).toEqual(['INV-CREATE-33']);
});

test('no clause fails if a token bucket refills as fast as requests arrive', async () => {
  const baseUrl = await serve(async (_request, response) => {
    // The suite expects up to 100 requests per minute, one every 600 ms. At this slower pace, a bucket may stay full.
    await sleep(700);
    const headers = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59', 'X-RateLimit-Reset': '1' };
    response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end('{"success":true,"data":{}}');
  });
  const outcome = await checkClauses({ baseUrl, tokens: { full: 'token' }, driver: {} }, rateLimitClauses);
  expect(outcome.idsWithStatus('failed', 'broken')).toEqual([]);
  expect(outcome.resultOf('RATE-COUNT-01').missing).toBe('a faster target');
});

test('the sums of the same invoices may differ by a rounding error', async () => {
  const target = await startMutatingProxy(
    await openAccount({}, 'demo'),
    onData('GET', '/invoices/stats', (stats) => {
      stats['total_overdue'] = Number(stats['total_outstanding']) + 1e-9;
    }),
  );
  const outcome = await checkClauses(
    target,
    statisticsClauses.filter(({ id }) => id === 'INV-STATS-21'),
  );
  expect(outcome.idsWithStatus('passed')).toEqual(['INV-STATS-21']);
});

test('the clauses that compare sums with lists do not pass if the listed invoices have no amount', async () => {
  const withoutAmount = (invoice: JsonObject): void => removeField(invoice, 'amount');
  const interceptor = combine(
    onRecords('/invoices', withoutAmount),
    onOverdue((rows) => {
      rows.forEach(withoutAmount);
      return rows;
    }),
  );
  const ids = ['INV-STATS-29', 'INV-STATS-35'];
  const outcome = await checkClauses(
    await startMutatingProxy(await openAccount({}, 'demo'), interceptor),
    statisticsClauses.filter(({ id }) => ids.includes(id)),
    { eventuallyTimeoutMs: 500 },
  );
  expect(outcome.idsWithStatus('skipped')).toEqual(ids);
});

test('the clause about refused invoices does not pass if none was refused', async () => {
  const interceptor = onResponse(
    ({ method, path }, { status }) => method === 'POST' && path === '/invoices' && status >= 400,
    replaceWithSuccess,
  );
  const outcome = await checkClauses(
    await startMutatingProxy(await openAccount(), interceptor),
    invoiceRuleClauses.filter(({ id }) => id === 'INV-RULE-18'),
  );
  expect(outcome.resultOf('INV-RULE-18')).toMatchObject({
    status: 'skipped',
    detail: 'no invalid invoice was refused',
  });
});

test('the overdue list after a payment is checked even if other clients keep changing the account', async () => {
  const ids = ['INV-OVERDUE-39', 'INV-OVERDUE-09'];
  const outcome = await checkClauses(
    await openSecondImplementation({ hasOtherClients: true }),
    ids.flatMap((id) => clauses.filter((clause) => clause.id === id)),
    { eventuallyTimeoutMs: 1_500 },
  );
  expect(describeResults(outcome, 'passed', 'failed', 'warned', 'skipped')).toEqual(ids.map((id) => `${id} passed: `));
});

test('no clause fails if the statistics update their sums later than the numbers of invoices', async () => {
  const laterFields = ['pending_invoices', 'overdue_invoices', 'total_outstanding', 'total_overdue'];
  const previous = new Map<string, unknown>();
  // Each response has the values that were current at the request before.
  const updateLate = onData('GET', '/invoices/stats', (stats) => {
    for (const field of laterFields) {
      const current = stats[field];
      stats[field] = previous.get(field) ?? current;
      previous.set(field, current);
    }
  });
  const target = await startMutatingProxy(await openAccount({}, 'demo'), updateLate);
  const outcome = await checkClauses(target, statisticsClauses, { eventuallyTimeoutMs: 500 });
  expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
  expect(target.changes()).toBeGreaterThan(0);
});

test.each(['INV-LIST-16', 'INV-LIST-49'])(
  '%s passes if another client creates an invoice between two pages',
  async (id) => {
    const target = await startMutatingProxy(await openAccount({}, 'demo'), createInvoiceBeforePage2());
    const outcome = await checkClauses(
      target,
      clauses.filter((clause) => clause.id === id),
    );
    expect(describeResults(outcome, 'failed', 'broken', 'skipped')).toEqual([]);
    expect(target.changes()).toBeGreaterThan(0);
  },
);
