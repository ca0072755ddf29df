import { afterAll, describe, expect, test } from 'vitest';
import type {
  InterceptedRequest,
  InterceptedResponse,
  InterceptedWebhook,
  Interceptor,
  Json,
} from '../../src/contract/mutation/interceptor.js';
import {
  chain,
  changed,
  onAnswer,
  onRecord,
  onRequest,
  onRows,
  removeField,
} from '../../src/contract/mutation/interceptors.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { onPayload, onWebhook } from '../../src/contract/sections/webhook-signatures/mutants.js';
import { isRecord } from '../../src/lib/is-record.js';
import { moneyClauses } from './sections.js';
import { check, closeSimulator, complaints, openSimulator } from './support.js';

/** Targets that the specification does not forbid, though few would think of them: the simulator, changed on the way. */

afterAll(closeSimulator);

const oneDeposit = /^\/deposits\/[^/]+$/;
const anyDeposit = /^\/deposits(\/|$)/;

/** Has the first few answers of a kind be as they were before something has got through. */
function firstTimes(count: number, path: string, change: (answered: InterceptedResponse) => void): Interceptor {
  let times = 0;
  return onAnswer('GET', path, (answered) => {
    times += 1;
    if (times <= count) change(answered);
  });
}

function withoutRows(answered: InterceptedResponse): void {
  answered.body = changed(answered.body, 'data', (page) => Object.assign(page, { data: [], total: 0 }));
}

function intoQuery(record: Json, field: string): void {
  const url = record[field];
  if (typeof url === 'string') record[field] = `https://PAY.example/go?to=${url.split('/').at(-1)}&lang=en`;
}

function dataOf(payload: Json): Json {
  return isRecord(payload['data']) ? payload['data'] : {};
}

/** A payload that shows next to nothing. */
function onlyIds(payload: Json): void {
  const { id, description, payment_link_id: link } = dataOf(payload);
  const isPayment = String(payload['event']).startsWith('payment.');
  for (const field of Object.keys(payload)) removeField(payload, field);
  Object.assign(payload, isPayment ? { payment: id, description, payment_link_id: link } : { deposit: id });
}

function asForm(sent: InterceptedWebhook): void {
  const payload: unknown = JSON.parse(sent.text);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(isRecord(payload) ? dataOf(payload) : {})) form.set(name, String(value));
  sent.text = form.toString();
}

/** The first capture of each deposit is refused: what the driver has done has not got through yet. */
function captureLater(): Interceptor {
  const seen = new Set<string>();
  return {
    request(asked: InterceptedRequest) {
      if (!asked.path.endsWith('/capture') || seen.has(asked.path)) return;
      seen.add(asked.path);
      asked.path = '/deposits/0/capture';
    },
  };
}

/** Each webhook comes twice, and once more after the next one. */
function inDisorder(): Interceptor {
  let held: InterceptedWebhook[] = [];
  return {
    webhook(sent) {
      const copies = [sent, sent, ...held];
      held = [sent];
      return copies;
    },
  };
}

const oldLinks = Array.from({ length: 100 }, (_none, index) => ({
  id: index + 1_000_000,
  url: `https://pay.example/old-${index}`,
  description: `Old ${index}`,
  amount: 1,
  currency: 'EUR',
  created_at: '2020-01-01T00:00:00Z',
  payments_count: 0,
  revenue: 0,
  is_active: true,
}));

type Section = 'LINK' | 'PAY' | 'DEP' | 'HOOK';

/** Allowed behavior, the sections that could object to it, and the warnings expected where the wording only suggests a rule. */
const targets: Readonly<Record<string, readonly [Interceptor, readonly Section[], warnings?: readonly string[]]>> = {
  'whose creation of a deposit answers with the link for the guest alone': [
    onRecord('POST', '/deposits', (data) => {
      for (const field of Object.keys(data)) if (field !== 'authorization_url') removeField(data, field);
    }),
    ['DEP', 'HOOK'],
    ['DEP-CREATE-04'],
  ],
  'whose deposits show no status': [
    chain(
      onRecord('GET', oneDeposit, (deposit) => removeField(deposit, 'status')),
      onRecord('POST', anyDeposit, (deposit) => removeField(deposit, 'status')),
      onRows('/deposits', (deposit) => removeField(deposit, 'status')),
    ),
    ['DEP', 'HOOK'],
    ['DEP-READ-04'],
  ],
  'whose deposits lie deeper': [
    {
      answer(answered, { path, method }) {
        if (!anyDeposit.test(path) || (method === 'GET' && path === '/deposits') || answered.status >= 300) return;
        answered.body = { ...answered.body, data: { deposit: answered.body['data'], links: {} } };
      },
    },
    ['DEP', 'HOOK'],
  ],
  'whose list of deposits is an array': [
    onAnswer('GET', '/deposits', (answered, { query }) => {
      // Paging is only suggested, so an array of all records gives a warning.
      if (query.has('status') || query.has('booking_reference')) {
        answered.body = { ...answered.body, data: dataOf(answered.body)['data'] };
      }
    }),
    ['DEP'],
  ],
  'whose links have their slug in the query': [
    chain(
      onRecord('POST', '/payment-links', (link) => intoQuery(link, 'url')),
      onRows('/payment-links', (link) => intoQuery(link, 'url')),
      onRows('/payments', (payment) => intoQuery(payment, 'payment_link_url')),
    ),
    ['LINK', 'PAY'],
  ],
  'whose payments have a description of their own': [
    chain(
      onRows('/payments', (payment) =>
        Object.assign(payment, { description: `Payment for ${payment['description']}, thanks!` }),
      ),
      onRequest('GET', '/payments', ({ query }) => {
        const text = query.get('description');
        if (text !== null) query.set('description', text.replace(/^p?ayment for /i, ''));
      }),
    ),
    ['PAY'],
    ['PAY-LINK-04'],
  ],
  'where guests pay in another currency': [
    onRows('/payments', (payment) =>
      Object.assign(payment, { currency: 'USD', amount: Number(payment['amount']) * 1.2 }),
    ),
    ['PAY'],
    ['PAY-LINK-06'],
  ],
  'where a payment gets to the list late': [firstTimes(3, '/payments', withoutRows), ['PAY']],
  'where a link gets to the list late': [firstTimes(2, '/payment-links', withoutRows), ['LINK']],
  'where a capture has to wait for the authorization to get through': [captureLater(), ['DEP']],
  'where a list has more pages than can be looked through': [
    onAnswer('GET', '/payment-links', (answered, { query }) => {
      if (query.get('per_page') !== '100') return;
      answered.body = changed(answered.body, 'data', (page) =>
        Object.assign(page, { data: oldLinks, total: 100_000 + Number(page['total']) }),
      );
    }),
    ['LINK'],
  ],
  'whose webhooks are forms': [onWebhook(asForm), ['HOOK'], ['HOOK-BODY-01']],
  'whose webhooks show ids alone': [onPayload(onlyIds), ['HOOK']],
  'whose webhooks of deposits show nothing at all': [
    onWebhook((sent) => {
      if (sent.headers['x-service-event']?.startsWith('deposit.')) sent.text = '{"happened":true}';
    }),
    ['HOOK'],
  ],
  'that tries a URL out, by other means': [
    { webhook: (sent) => [{ ...sent, method: 'GET', headers: {} }, { ...sent, headers: {}, text: 'ping' }, sent] },
    ['HOOK'],
  ],
  'that adds a query to the URL': [
    onWebhook((sent) => {
      sent.url += '?attempt=1';
    }),
    ['HOOK'],
  ],
  'whose webhooks come more than once, in disorder': [inDisorder(), ['HOOK']],
  'that writes digests for URLs, without padding': [
    onWebhook((sent) => {
      const hex = String(sent.headers['x-service-signature']).replace('sha256=', '');
      sent.headers['x-service-signature'] = `sha256=${Buffer.from(hex, 'hex').toString('base64url')}`;
    }),
    ['HOOK'],
  ],
};

describe.concurrent('a target', () => {
  test.each(Object.entries(targets))('%s', async (_name, [patch, sections, warnings = []]) => {
    const subject = await startMutatingProxy(await openSimulator(), patch);
    const clauses = moneyClauses.filter(({ id }) => sections.some((section) => id.startsWith(section)));
    const outcome = await check(subject, clauses, { eventuallyTimeoutMs: 4_000 });
    expect(complaints(outcome, 'failed', 'broken')).toEqual([]);
    expect(outcome.ids('warned')).toEqual(warnings);
  });
});
