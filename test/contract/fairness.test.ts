import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import type { InterceptedResponse, Interceptor, Json } from '../../src/contract/mutation/interceptor.js';
import {
  chain,
  changed,
  onAnswer,
  onAny,
  onOverdue,
  onRecord,
  onRows,
  refuse,
  removeField,
} from '../../src/contract/mutation/interceptors.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { limitClauses } from '../../src/contract/sections/rate-limits/clauses.js';
import { moneyClauses } from './sections.js';
import { check, closeSimulator, complaints, openSimulator } from './support.js';

/** The simulator, with something changed on the way that the specification leaves open: no clause may blame it. */

afterAll(closeSimulator);

const own = clauses.filter(({ id, level }) => level !== 'open' && !moneyClauses.some((other) => other.id === id));

const headers = (change: (headers: InterceptedResponse['headers'], status: number) => void): Interceptor =>
  onAny(
    () => true,
    (answered) => change(answered.headers, answered.status),
  );

const customers = (change: (customer: Json) => void): Interceptor => {
  const within = (invoice: Json): void => void Object.assign(invoice, changed(invoice, 'customer', change));
  return chain(
    onRows('/invoices', within),
    onRecord('GET', /^\/invoices\/\d+$/, within),
    onRecord('POST', '/invoices', within),
    onOverdue((rows) => {
      rows.forEach(within);
      return rows;
    }),
  );
};

const inSeconds = (seconds: number): number => Math.ceil(Date.now() / 1_000) + seconds;

/** Another client creates an invoice, which is paid at once, before the statistics are read. */
function busy(): Interceptor {
  let created = 0;
  return onRecord('GET', '/invoices/stats', (stats) => {
    created += 1;
    stats['total_invoices'] = Number(stats['total_invoices']) + created;
    stats['paid_invoices'] = Number(stats['paid_invoices']) + created;
  });
}

/** Windows of a few requests, each of which ends with the last of them. */
function shortWindows(size: number): Interceptor {
  let sent = 0;
  return headers((all) => {
    sent += 1;
    all['x-ratelimit-limit'] = '60';
    all['x-ratelimit-remaining'] = String(59 - (sent % size));
  });
}

/** Every third request is one too many, as others use the limit up. */
function usedUpByOthers(): Interceptor {
  let sent = 0;
  return onAny(
    () => true,
    (answered) => {
      sent += 1;
      if (sent % 3 > 0) return;
      refuse(answered, 429);
      Object.assign(answered.headers, { 'retry-after': '1', 'x-ratelimit-remaining': '0' });
    },
  );
}

const others = usedUpByOthers();

/** A status of 4xx, whatever was asked. */
const refused = (change: (answered: InterceptedResponse) => void): Interceptor =>
  onAny((_asked, { status }) => status >= 400, change);

const reversed = (method: 'GET' | 'POST', path: string | RegExp): Interceptor =>
  onRecord(method, path, (invoice) => {
    const items = invoice['invoice_items'];
    if (Array.isArray(items)) invoice['invoice_items'] = items.toReversed();
  });

const lawful: Readonly<Record<string, Interceptor>> = {
  'the statistics move all the time': busy(),
  'others use the limit up': {
    // A request that had an effect must not be answered with an error.
    answer: (answered, requested) => requested.method === 'GET' && others.answer?.(answered, requested),
  },
  'windows are short, told in milliseconds, and lines come in another order': chain(
    shortWindows(4),
    headers((all) => void Object.assign(all, { 'x-ratelimit-reset': String(inSeconds(30) * 1_000) })),
    reversed('POST', '/invoices'),
    reversed('GET', /^\/invoices\/\d+$/),
  ),
  'the limit is used up but not enforced, and of customers only the name is known': chain(
    headers((all) => void Object.assign(all, { 'x-ratelimit-remaining': '0' })),
    customers((customer) => {
      for (const field of ['email', 'company', 'phone']) removeField(customer, field);
    }),
  ),
  'the limit is 10 in 10 seconds, a map without entries is an array, and a release returns nothing': chain(
    headers((all) => {
      Object.assign(all, { 'x-ratelimit-limit': '10', 'x-ratelimit-reset': '10' });
      all['x-ratelimit-remaining'] = String(Number(all['x-ratelimit-remaining']) % 10);
    }),
    refused(({ body }) => void Object.assign(body, { errors: [] })),
    onAnswer('POST', /\/release$/, (answered) => {
      answered.status = 204;
      answered.text = '';
    }),
  ),
  'the reset is an HTTP date, the limit tells its window, and there are nulls for what is not told': chain(
    headers((all) => {
      all['x-ratelimit-reset'] = new Date(inSeconds(30) * 1_000).toUTCString();
      all['x-ratelimit-limit'] = `${all['x-ratelimit-limit']}, ${all['x-ratelimit-limit']};w=60`;
    }),
    refused(({ body }) => void Object.assign(body, { errors: null, data: null, message: null })),
    onAnswer('POST', /\/reminder$/, ({ body }) => void Object.assign(body, { data: null })),
  ),
  'nothing becomes overdue yet, and an unknown invoice is refused with 422': chain(
    onAnswer('GET', '/invoices/overdue', ({ body }) => void Object.assign(body, { data: [], count: 0 })),
    onRecord('GET', '/invoices/stats', (stats) => void Object.assign(stats, { overdue_invoices: 0, total_overdue: 0 })),
    onAny(
      ({ path, method }, { status }) => method === 'GET' && path.startsWith('/invoices/') && status === 404,
      (answered) => refuse(answered, 422),
    ),
  ),
  'an invoice is overdue on its due date, and there are more fields than documented': chain(
    onOverdue((rows) => rows.map((row) => ({ ...row, days_overdue: Number(row['days_overdue']) - 1 }))),
    onAny(
      () => true,
      ({ body }) => {
        const { data } = body;
        Object.assign(body, { meta: { took: 3 }, warnings: [] });
        if (typeof data === 'object' && data !== null && !Array.isArray(data)) body['data'] = { ...data, _links: {} };
      },
    ),
  ),
};

describe.concurrent('no clause fails for a target of which this is true:', () => {
  test.each(Object.entries(lawful))('%s', async (_name, patch) => {
    const subject = await startMutatingProxy(await openSimulator({}, 'demo'), patch);
    const outcome = await check(subject, own, { eventuallyTimeoutMs: 500 });
    expect(complaints(outcome, 'failed', 'warned', 'broken')).toEqual([]);
    expect(outcome.ids('passed').length).toBeGreaterThan(200);
  });
});

test('a target that omits the rate-limit headers when it refuses a token fails: every response has them', async () => {
  const isStranger = ({ headers: { authorization = '' } }: { headers: Record<string, string> }): boolean =>
    authorization === '' || authorization.includes('never-given-out');
  const patch = onAny(isStranger, (answered) => {
    for (const name of ['limit', 'remaining', 'reset']) delete answered.headers[`x-ratelimit-${name}`];
  });
  const outcome = await check(await startMutatingProxy(await openSimulator({}, 'demo'), patch), own, {
    eventuallyTimeoutMs: 500,
  });
  expect(outcome.ids('failed', 'broken')).toEqual(['RATE-HEADER-04', 'RATE-HEADER-05', 'RATE-HEADER-06']);
  expect(outcome.ids('warned')).toEqual([]);
});

test('an invoice created through the API with a subscription is only a warning', async () => {
  const patch = onRecord(
    'GET',
    /^\/invoices\/\d+$/,
    (invoice) => void Object.assign(invoice, { subscription: { id: 1 } }),
  );
  const outcome = await check(await startMutatingProxy(await openSimulator({}, 'demo'), patch), own, {
    eventuallyTimeoutMs: 500,
  });
  expect(outcome.ids('failed', 'broken')).toEqual([]);
  expect(outcome.ids('warned')).toEqual(['INV-DETAIL-42']);
});

test('a token bucket that refills as fast as requests arrive does not fail', async () => {
  const server = createServer(async (_request, response) => {
    await sleep(700);
    const all = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59', 'X-RateLimit-Reset': '1' };
    response.writeHead(200, { 'Content-Type': 'application/json', ...all }).end('{"success":true,"data":{}}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen');
  const subject = { baseUrl: `http://127.0.0.1:${address.port}/api/v1`, tokens: { full: 'token' }, driver: {} };
  const outcome = await check(subject, limitClauses);
  server.close();
  expect(outcome.ids('failed', 'broken')).toEqual([]);
  expect(outcome.of('RATE-COUNT-01').missing).toBe('a faster target');
});
