import { afterAll, describe, expect, test } from 'vitest';
import { isRecord } from '../../src/contract/expect.js';
import { type Answered, type Asked, type Json, type Patch, patched, type Sent } from './patched.js';
import { both, changed, drop, onAnswer, onPayload, onRecord, onRequest, onRows, onWebhook, sign } from './patches.js';
import { moneyClauses } from './sections.js';
import { check, closeSimulator, complaints, openSimulator } from './support.js';

/** Targets that the specification does not forbid, though few would think of them. */

afterAll(closeSimulator);

const oneDeposit = /^\/deposits\/[^/]+$/;
const anyDeposit = /^\/deposits(\/|$)/;

/** Has the first few answers of a kind be as they were before something has got through. */
function firstTimes(count: number, isMeant: (asked: Asked) => boolean, change: (answered: Answered) => void): Patch {
  let times = 0;
  return {
    answer(answered, asked) {
      if (!isMeant(asked) || times >= count) return;
      times += 1;
      change(answered);
    },
  };
}

function intoQuery(record: Json, field: string): void {
  const url = record[field];
  if (typeof url === 'string') record[field] = `https://PAY.example/go?to=${url.split('/').at(-1)}&lang=en`;
}

function withoutRows(answered: Answered): void {
  answered.body = changed(answered.body, 'data', (page) => Object.assign(page, { data: [], total: 0 }));
}

function dataOf(payload: Json): Json {
  return isRecord(payload['data']) ? payload['data'] : {};
}

/** What a payload would be that shows next to nothing. */
function onlyIds(payload: Json): void {
  const { id, description, payment_link_id: link } = dataOf(payload);
  const own = String(payload['event']).startsWith('payment.')
    ? { payment: id, description, payment_link_id: link }
    : { deposit: id };
  for (const field of Object.keys(payload)) drop(payload, field);
  Object.assign(payload, own);
}

function asForm(sent: Sent): void {
  const payload: unknown = JSON.parse(sent.text);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(isRecord(payload) ? dataOf(payload) : {})) form.set(name, String(value));
  sent.text = form.toString();
}

/** A capture that is refused once: what the driver has done has not got through yet. */
function captureLater(): Patch {
  const seen = new Set<string>();
  return {
    request(asked) {
      if (!asked.path.endsWith('/capture') || seen.has(asked.path)) return;
      seen.add(asked.path);
      asked.path = '/deposits/0/capture';
    },
  };
}

type Section = 'LINK' | 'PAY' | 'DEP' | 'HOOK';

/**
 * What is lawful, the sections that could mind, and what it is warned of nevertheless: where words suggest more than they
 * say.
 */
const targets: Readonly<Record<string, readonly [Patch, readonly Section[], warnings?: readonly string[]]>> = {
  'whose creation of a deposit answers with the link for the guest alone': [
    onAnswer('POST', '/deposits', (answered) => {
      answered.body = changed(answered.body, 'data', (data) => {
        for (const field of Object.keys(data)) if (field !== 'authorization_url') drop(data, field);
      });
    }),
    ['DEP', 'HOOK'],
    ['DEP-CREATE-04'],
  ],
  'whose deposits show no status': [
    both(
      onRecord('GET', oneDeposit, (deposit) => drop(deposit, 'status')),
      onRecord('POST', anyDeposit, (deposit) => drop(deposit, 'status')),
      onRows('/deposits', (deposit) => drop(deposit, 'status')),
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
      // Paging is suggested by the words, and what suggests it is seen elsewhere.
      if (query.has('status') || query.has('booking_reference')) {
        answered.body = { ...answered.body, data: dataOf(answered.body)['data'] };
      }
    }),
    ['DEP'],
  ],
  'whose links have their slug in the query': [
    both(
      onRecord('POST', '/payment-links', (link) => intoQuery(link, 'url')),
      onRows('/payment-links', (link) => intoQuery(link, 'url')),
      onRows('/payments', (payment) => intoQuery(payment, 'payment_link_url')),
    ),
    ['LINK', 'PAY'],
  ],
  'whose payments have a description of their own': [
    both(
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
  'where a payment gets to the list late': [
    firstTimes(3, ({ path, method }) => path === '/payments' && method === 'GET', withoutRows),
    ['PAY'],
  ],
  'where a link gets to the list late': [
    firstTimes(2, ({ path, method }) => path === '/payment-links' && method === 'GET', withoutRows),
    ['LINK'],
  ],
  'where a capture has to wait for the authorization to get through': [captureLater(), ['DEP']],
  'where a list has more pages than can be looked through': [
    both(
      onAnswer('GET', '/payment-links', (answered, { query }) => {
        if (query.get('per_page') !== '100') return;
        const old = Array.from({ length: 100 }, (_none, index) => ({
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
        answered.body = changed(answered.body, 'data', (page) => Object.assign(page, { data: old, total: 100_000 }));
      }),
    ),
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
  'whose events come twice, the other way round': [
    {
      webhook: (() => {
        const held: Sent[] = [];
        return (sent: Sent) => {
          const copies = [...held.splice(0), sent, sent].reverse();
          held.push(sent);
          return copies;
        };
      })(),
    },
    ['HOOK'],
  ],
  'that writes digests for URLs, without padding': [
    onWebhook((sent) => {
      sign(sent);
      const hex = String(sent.headers['x-service-signature']).replace('sha256=', '');
      sent.headers['x-service-signature'] = `sha256=${Buffer.from(hex, 'hex').toString('base64url')}`;
    }),
    ['HOOK'],
  ],
};

describe.concurrent('a target', () => {
  test.each(Object.entries(targets))('%s', async (_name, [patch, sections, warnings = []]) => {
    const subject = await patched(await openSimulator(), patch);
    const clauses = moneyClauses.filter(({ id }) => sections.some((section) => id.startsWith(section)));
    const outcome = await check(subject, clauses, { patience: 4_000 });
    expect(complaints(outcome, 'failed', 'broken')).toEqual([]);
    expect(outcome.ids('warned')).toEqual(warnings);
  });
});
