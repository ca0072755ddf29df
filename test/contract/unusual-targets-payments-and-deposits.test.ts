import { afterAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/contract/engine/json.js';
import type {
  InterceptedRequest,
  InterceptedResponse,
  InterceptedWebhook,
  Interceptor,
} from '../../src/contract/mutation/interceptor.js';
import {
  changeField,
  combine,
  onData,
  onList,
  onRecords,
  onRequest,
  onResponse,
  onSuccess,
  removeField,
  replaceWithSuccess,
} from '../../src/contract/mutation/interceptors.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { refusedCapturesReference } from '../../src/contract/sections/deposit-lifecycle/refused-actions.js';
import { depositListClauses } from '../../src/contract/sections/deposit-list/clauses.js';
import { envelopeClauses } from '../../src/contract/sections/envelope/clauses.js';
import { paymentClauses } from '../../src/contract/sections/payments/clauses.js';
import { rateLimitClauses } from '../../src/contract/sections/rate-limits/clauses.js';
import { onPayload, onWebhook } from '../../src/contract/sections/webhook-interceptors.js';
import { isRecord } from '../../src/lib/json.js';
import { demoCounts } from '../support/counts.js';
import { sampleUnlessFull } from '../support/sample.js';
import { paymentAndDepositClauses } from './clauses-by-topic.js';
import { checkClauses, closeSimulator, describeResults, openAccount, openSecondImplementation } from './support.js';

/** Unusual targets that the specification allows: the simulator behind a proxy that changes messages. */

afterAll(closeSimulator);

const oneDepositPath = /^\/deposits\/[^/]+$/;
const anyDepositsPath = /^\/deposits(\/|$)/;

/** Changes only the first `count` successful responses to GET requests for a path. */
function onFirstResponses(count: number, path: string, change: (response: InterceptedResponse) => void): Interceptor {
  let responseCount = 0;
  return onSuccess('GET', path, (response) => {
    responseCount += 1;
    if (responseCount <= count) change(response);
  });
}

/** Empties the first response to each search for deposits, that is, to each combination of filters. */
function emptyFirstSearches(): Interceptor {
  const searches = new Set<string>();
  return onSuccess('GET', '/deposits', (response, { query }) => {
    const search = query.toString();
    if (search !== '' && !searches.has(search)) emptyPage(response);
    searches.add(search);
  });
}

/** Repeats the response to each URL of a list with `per_page` a number of times before updating it, for each account. */
function repeatPages(path: string, repetitions: number): Interceptor {
  const keptPages = new Map<string, { readonly body: JsonObject; remaining: number }>();
  return onSuccess('GET', path, (response, { query, token }) => {
    if (!query.has('per_page')) return;
    const key = `${token === 'otherAccount'} ${query}`;
    const page = keptPages.get(key);
    if (page && page.remaining > 0) {
      page.remaining -= 1;
      response.body = structuredClone(page.body);
    } else {
      keptPages.set(key, { body: structuredClone(response.body), remaining: repetitions });
    }
  });
}

/** Adds a deposit with another status to the first response for each status, as a search index does that lags behind. */
function findOutdatedStatuses(): Interceptor {
  const searchedStatuses = new Set<string>();
  let deposit: JsonObject | undefined;
  return combine(
    onData('POST', '/deposits', (created) => {
      deposit ??= { ...created };
    }),
    onList('/deposits', (records, { query }) => {
      const status = query.get('status');
      if (!deposit || status === null || query.has('booking_reference') || searchedStatuses.has(status)) return records;
      searchedStatuses.add(status);
      return [{ ...deposit, status: status === 'pending' ? 'authorized' : 'pending' }, ...records];
    }),
  );
}

/** Lists each link with the revenue that it had when it was listed before. */
function showRevenueLate(): Interceptor {
  const revenues = new Map<unknown, unknown>();
  return onRecords('/payment-links', (link) => {
    const { id, revenue } = link;
    link['revenue'] = revenues.get(id) ?? revenue;
    revenues.set(id, revenue);
  });
}

/** Replaces a page of a list with an empty one. */
function emptyPage(response: InterceptedResponse): void {
  changeField(response.body, 'data', (page) => Object.assign(page, { data: [], total: 0 }));
}

/** Moves the slug of a link's URL from the path into the query. */
function moveSlugIntoQuery(record: JsonObject, field: string): void {
  const url = record[field];
  // The host name has uppercase letters, which the suite must accept.
  if (typeof url === 'string') record[field] = `https://PAY.example/go?to=${url.split('/').at(-1)}&lang=en`;
}

function dataOf(payload: JsonObject): JsonObject {
  return isRecord(payload['data']) ? payload['data'] : {};
}

/**
 * Replaces a payload with one that has only ids and, for a payment, the description. The suite recognizes a payment by
 * the description or the id of its link.
 */
function keepIdsAndDescription(payload: JsonObject): void {
  const { id, description, payment_link_id: link } = dataOf(payload);
  const isPayment = String(payload['event']).startsWith('payment.');
  for (const field of Object.keys(payload)) removeField(payload, field);
  Object.assign(payload, isPayment ? { payment: id, description, payment_link_id: link } : { deposit: id });
}

/** Gives payloads about some events an id from a sequence of its own, which may equal the id of any deposit. */
function withOwnIds(
  events: RegExp,
  payloadWith: (ownId: number, deposit: JsonObject) => JsonObject,
  firstId = 1,
): Interceptor {
  let nextId = firstId;
  return onPayload((payload) => {
    if (!events.test(String(payload['event']))) return;
    const deposit = dataOf(payload);
    for (const field of Object.keys(payload)) removeField(payload, field);
    Object.assign(payload, payloadWith(nextId, deposit));
    nextId += 1;
  });
}

/**
 * Moves the fields of a payment to the top level of the payload, beside the id of the event. For a second payment of a
 * link, this id equals that of the first payment.
 */
function flattenPayments(): Interceptor {
  const firstIds = new Map<unknown, unknown>();
  return onPayload((payload) => {
    const { id, ...payment } = dataOf(payload);
    const { payment_link_id: link } = payment;
    if (!String(payload['event']).startsWith('payment.')) return;
    const eventId = firstIds.get(link) ?? 0;
    firstIds.set(link, eventId || id);
    removeField(payload, 'data');
    Object.assign(payload, payment, { id: eventId });
  });
}

/** Sends the data of a webhook as a form instead of JSON. */
function sendAsForm(webhook: InterceptedWebhook): void {
  const payload: unknown = JSON.parse(webhook.text);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(isRecord(payload) ? dataOf(payload) : {})) form.set(name, String(value));
  webhook.text = form.toString();
}

/** Responds to the first capture of each deposit with an error, as if its authorization took effect later. */
function refuseFirstCapture(): Interceptor {
  const seen = new Set<string>();
  return {
    request(request: InterceptedRequest) {
      if (!request.path.endsWith('/capture') || seen.has(request.path)) return;
      seen.add(request.path);
      // There is no deposit 0.
      request.path = '/deposits/0/capture';
    },
  };
}

/** Sends each webhook twice, and a third time after the next one. */
function repeatOutOfOrder(): Interceptor {
  let previous: InterceptedWebhook[] = [];
  return {
    webhook(webhook) {
      const copies = [webhook, webhook, ...previous];
      previous = [webhook];
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

/** Shows each payment as `open` in the first list that has it. */
function openAtFirst(): Interceptor {
  const seenIds = new Set<unknown>();
  return onRecords('/payments', (payment) => {
    if (!seenIds.has(payment['id'])) Object.assign(payment, { status: 'open', paid_at: null });
    seenIds.add(payment['id']);
  });
}

/** The first part, or the first two parts, of a clause id. */
type ClauseGroup = 'LINK' | 'PAY' | 'DEP' | 'DEP-FILTER' | 'HOOK';

/**
 * For each target: the interceptor that makes the simulator behave like it, the groups of clauses to check, and the ids
 * of the clauses that warn, since the specification suggests another behavior without demanding it.
 */
const allowedTargets: Readonly<
  Record<string, readonly [interceptor: Interceptor, groups: readonly ClauseGroup[], warnings?: readonly string[]]>
> = {
  'whose response to the creation of a deposit has only the link for the guest': [
    onData('POST', '/deposits', (data) => {
      for (const field of Object.keys(data)) if (field !== 'authorization_url') removeField(data, field);
    }),
    ['DEP', 'HOOK'],
    ['DEP-CREATE-04'],
  ],
  // Takes longest: the suite waits for webhooks that it can recognize.
  'whose webhooks about deposits have no data': [
    onWebhook((webhook) => {
      if (webhook.headers['x-service-event']?.startsWith('deposit.')) webhook.text = '{"happened":true}';
    }),
    ['HOOK'],
  ],
  'whose deposits show no status': [
    combine(
      onData('GET', oneDepositPath, (deposit) => removeField(deposit, 'status')),
      onData('POST', anyDepositsPath, (deposit) => removeField(deposit, 'status')),
      onRecords('/deposits', (deposit) => removeField(deposit, 'status')),
    ),
    ['DEP', 'HOOK'],
    ['DEP-READ-04'],
  ],
  'whose deposits are nested one level deeper': [
    {
      response(response, { path, method }) {
        if (!anyDepositsPath.test(path) || (method === 'GET' && path === '/deposits') || response.status >= 300) return;
        response.body = { ...response.body, data: { deposit: response.body['data'], links: {} } };
      },
    },
    ['DEP', 'HOOK'],
  ],
  'whose filtered lists of deposits are arrays': [
    onSuccess('GET', '/deposits', (response, { query }) => {
      // The list of all deposits stays paged: without pages, clauses would warn.
      if (query.has('status') || query.has('booking_reference')) {
        response.body = { ...response.body, data: dataOf(response.body)['data'] };
      }
    }),
    ['DEP'],
  ],
  'whose links have their slug in the query': [
    combine(
      onData('POST', '/payment-links', (link) => moveSlugIntoQuery(link, 'url')),
      onRecords('/payment-links', (link) => moveSlugIntoQuery(link, 'url')),
      onRecords('/payments', (payment) => moveSlugIntoQuery(payment, 'payment_link_url')),
    ),
    ['LINK', 'PAY'],
  ],
  'whose payments extend the description of their link': [
    combine(
      onRecords('/payments', (payment) =>
        Object.assign(payment, { description: `Payment for ${payment['description']}, thanks!` }),
      ),
      onRequest('GET', '/payments', ({ query }) => {
        const text = query.get('description');
        if (text === null) return;
        // Every description contains a part of the prefix, with which the suite searches, too.
        if ('payment for '.includes(text.toLowerCase())) query.delete('description');
        // The suite also searches for the text without its first letter, so the prefix may arrive as `ayment for`.
        else query.set('description', text.replace(/^p?ayment for /i, ''));
      }),
    ),
    ['PAY'],
    ['PAY-LINK-04'],
  ],
  'where guests pay in another currency': [
    onRecords('/payments', (payment) => {
      const { amount, currency } = payment;
      if (currency === 'EUR') Object.assign(payment, { currency: 'USD', amount: Number(amount) * 1.2 });
    }),
    ['PAY'],
    ['PAY-LINK-06'],
  ],
  'whose list of payments shows new payments late': [onFirstResponses(3, '/payments', emptyPage), ['PAY']],
  'whose list of payments shows each payment as open at first': [openAtFirst(), ['PAY']],
  'whose list of links shows new links late': [onFirstResponses(2, '/payment-links', emptyPage), ['LINK']],
  'whose list of links shows the revenue of a payment late': [showRevenueLate(), ['LINK']],
  'whose deposit filters find new deposits late': [emptyFirstSearches(), ['DEP-FILTER']],
  'whose status filter finds deposits by their previous status for a while': [findOutdatedStatuses(), ['DEP-FILTER']],
  'whose webhooks about payments have the id of the event beside the fields of the payment': [
    flattenPayments(),
    ['HOOK'],
  ],
  'whose webhooks about payments extend the description of their link': [
    onPayload((payload) => {
      const { description } = dataOf(payload);
      if (description !== undefined)
        Object.assign(dataOf(payload), { description: `Payment for ${description}, thanks!` });
    }),
    ['HOOK'],
  ],
  'whose payments have customers without an email address': [
    onRecords('/payments', (payment) => changeField(payment, 'customer', (customer) => removeField(customer, 'email'))),
    ['PAY'],
  ],
  'where an authorization takes effect late': [refuseFirstCapture(), ['DEP']],
  'whose list has more pages than the suite searches': [
    onSuccess('GET', '/payment-links', (response, { query }) => {
      if (query.get('per_page') !== '100') return;
      changeField(response.body, 'data', (page) =>
        Object.assign(page, { data: oldLinks, total: 100_000 + Number(page['total']) }),
      );
    }),
    ['LINK'],
  ],
  'whose webhooks are forms': [onWebhook(sendAsForm), ['HOOK'], ['HOOK-BODY-01']],
  'whose webhooks have only ids and, for payments, a description': [onPayload(keepIdsAndDescription), ['HOOK']],
  'that sends other requests to the webhook URL before each webhook': [
    {
      webhook: (webhook) => [
        { ...webhook, method: 'GET', headers: {} },
        { ...webhook, headers: {}, text: 'ping' },
        webhook,
      ],
    },
    ['HOOK'],
  ],
  'that adds a query to the webhook URL': [
    onWebhook((webhook) => {
      webhook.url += '?attempt=1';
    }),
    ['HOOK'],
  ],
  'whose webhooks arrive repeatedly and out of order': [repeatOutOfOrder(), ['HOOK']],
  'that encodes digests in base64url': [
    onWebhook((webhook) => {
      const hex = String(webhook.headers['x-service-signature']).replace('sha256=', '');
      webhook.headers['x-service-signature'] = `sha256=${Buffer.from(hex, 'hex').toString('base64url')}`;
    }),
    ['HOOK'],
  ],
  'whose webhooks about deposits have their own id and that of the deposit': [
    withOwnIds(/^deposit/, (id, deposit) => ({ id, deposit_id: deposit['id'] })),
    ['HOOK'],
  ],
  'whose webhooks about deposits have their own id and an object with that of the deposit': [
    withOwnIds(/^deposit/, (id, deposit) => ({ id, data: { id: deposit['id'] } })),
    ['HOOK'],
  ],
  'whose webhooks about captures show the capture and the id of its deposit': [
    withOwnIds(
      /captured$/,
      (id, { id: depositId, booking_reference }) => ({ data: { id, booking_reference, deposit: { id: depositId } } }),
      9_001,
    ),
    ['HOOK'],
  ],
  'whose webhooks about deposits have their own id beside the booking reference': [
    withOwnIds(/^deposit/, (id, { booking_reference, status }) => ({ data: { id, booking_reference, status } })),
    ['HOOK'],
  ],
  'that responds to captures and releases with 202, and shows the deposit as it was before': [
    onSuccess('POST', /^\/deposits\/[^/]+\/(capture|release)$/, (response) => {
      response.status = 202;
      if (isRecord(response.body['data'])) Object.assign(response.body['data'], { status: 'authorized' });
    }),
    ['DEP'],
  ],
  'that accepts actions which a deposit does not allow, but does not perform them': [
    onResponse(
      ({ path }) => /^\/deposits\/[^/]+\/(capture|release)$/.test(path),
      (response) => {
        if (response.status === 409) Object.assign(response, { status: 202, body: { success: true } });
      },
    ),
    ['DEP'],
    ['DEP-RELEASE-06', 'DEP-CAPTURE-28', 'DEP-CAPTURE-29', 'DEP-CAPTURE-30', 'DEP-RELEASE-10'],
  ],
};

describe.concurrent('no clause fails for a target', () => {
  test.each(sampleUnlessFull(Object.entries(allowedTargets), { oneIn: 16 }))(
    '%s',
    async (_name, [interceptor, groups, warnings = []]) => {
      const target = await startMutatingProxy(await openAccount(), interceptor);
      const clausesOfGroups = paymentAndDepositClauses.filter(({ id }) => groups.some((group) => id.startsWith(group)));
      const outcome = await checkClauses(target, clausesOfGroups, { eventuallyTimeoutMs: 4_000 });
      expect(describeResults(outcome, 'failed', 'broken')).toEqual([]);
      expect(outcome.idsWithStatus('warned')).toEqual(warnings);
      // If the proxy had changed no message, the expectations above would prove nothing.
      expect(target.changes()).toBeGreaterThan(0);
    },
  );
});

test('no clause fails for a target whose payments of invoices have empty texts in place of a link', async () => {
  const withoutNulls = onRecords('/payments', (payment) => {
    if (payment['payment_link_id'] === null) Object.assign(payment, { payment_link_id: '', payment_link_url: '' });
  });
  const target = await startMutatingProxy(await openAccount({}, 'demo'), withoutNulls);
  const outcome = await checkClauses(target, paymentClauses);
  expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
  expect(target.changes()).toBeGreaterThan(0);
});

test('no clause fails for a target whose routes match only UUIDs, so that other paths get another kind of response', async () => {
  const notFound = onResponse(
    ({ path }) => /^\/deposits\/(?![\da-f]{8}-[\da-f-]{27}(\/|$))/.test(path),
    (response) => Object.assign(response, { status: 404, headers: {}, body: { message: 'Not Found' } }),
  );
  const target = await startMutatingProxy(await openAccount({ 'deposit.id': 'uuid' }), notFound);
  const outcome = await checkClauses(target, [...depositListClauses, ...envelopeClauses, ...rateLimitClauses]);
  expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
});

/** Writes all timestamps of responses and webhooks in another format. */
function withTimestamps(format: (timestamp: string) => string): Interceptor {
  const reformat = (json: string): string =>
    json.replaceAll(/"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00)"/g, (_quoted, timestamp) => `"${format(timestamp)}"`);
  return combine(
    onResponse(
      () => true,
      (response) => {
        response.body = JSON.parse(reformat(JSON.stringify(response.body)));
      },
    ),
    onWebhook((webhook) => {
      webhook.text = reformat(webhook.text);
    }),
  );
}

const timestampFormats: readonly (readonly [name: string, format: (timestamp: string) => string])[] = [
  ['the basic format', (timestamp) => timestamp.replaceAll(/-|:|\+00:00/g, '').concat('+00')],
  ['a decimal comma', (timestamp) => timestamp.replace('+', ',000+')],
  ['no seconds', (timestamp) => timestamp.replace(/:\d\d(?=\+)/, '')],
];

test.each(sampleUnlessFull(timestampFormats, { oneIn: 2 }))(
  'no clause fails for a target whose timestamps have %s, which ISO 8601 allows',
  async (_name, format) => {
    const target = await startMutatingProxy(await openAccount(), withTimestamps(format));
    const outcome = await checkClauses(target, [...paymentAndDepositClauses, ...rateLimitClauses]);
    expect(describeResults(outcome, 'failed', 'broken')).toEqual([]);
    expect(outcome.idsWithStatus('warned')).toEqual([]);
    expect(target.changes()).toBeGreaterThan(0);
  },
);

/** Makes the simulator show the amounts that a function selects as null. */
const withNullAmounts = (isNull: (deposit: JsonObject, field: string) => boolean): Interceptor => {
  const change = (deposit: JsonObject): void => {
    for (const field of ['captured_amount', 'remaining_amount'])
      if (field in deposit && isNull(deposit, field)) Object.assign(deposit, { [field]: null });
  };
  return combine(
    onData('GET', oneDepositPath, change),
    onData('POST', anyDepositsPath, change),
    onRecords('/deposits', change),
  );
};

test('no clause warns if deposits show null in place of an amount of 0', async () => {
  const interceptor = withNullAmounts((deposit, field) => deposit[field] === 0);
  const target = await startMutatingProxy(await openAccount(), interceptor);
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => ['DEP-CAPTURE-16', 'DEP-RELEASE-08'].includes(id)),
    { eventuallyTimeoutMs: 500 },
  );
  expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
});

test('the clause that a partial capture leaves a rest does not pass if the amount of a captured deposit is null', async () => {
  const interceptor = withNullAmounts((deposit) => {
    if (deposit['status'] !== 'partially_captured') return false;
    deposit['status'] = 'captured';
    return true;
  });
  const target = await startMutatingProxy(await openAccount(), interceptor);
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => id === 'DEP-CAPTURE-12'),
    { eventuallyTimeoutMs: 500 },
  );
  expect(outcome.resultOf('DEP-CAPTURE-12')).toMatchObject({ status: 'skipped', missing: '`captured_amount`' });
});

test.each([
  ['status', ['DEP-STATE-01', 'DEP-STATE-02', 'DEP-FILTER-10', 'DEP-FILTER-14']],
  ['id', ['DEP-FILTER-01', 'DEP-FILTER-10', 'DEP-FILTER-13', 'DEP-FILTER-14', 'DEP-FILTER-16']],
])('a `%s` of null in lists and details of deposits says as little as none', async (field, ids) => {
  const hideValue = (deposit: JsonObject): void => void Object.assign(deposit, { [field]: null });
  const target = await startMutatingProxy(
    await openAccount(),
    combine(onData('GET', oneDepositPath, hideValue), onRecords('/deposits', hideValue)),
  );
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => ids.includes(id)),
    { eventuallyTimeoutMs: 500 },
  );
  expect(describeResults(outcome, 'failed', 'warned', 'broken', 'skipped')).toEqual([]);
  expect(target.changes()).toBeGreaterThan(0);
});

test('the clause about the status before an event does not pass if only webhooks about new deposits arrive', async () => {
  const implementation = await openAccount();
  const { configureWebhook } = implementation.driver;
  const outcome = await checkClauses(
    { ...implementation, driver: configureWebhook ? { configureWebhook } : {} },
    clauses.filter(({ id }) => ['HOOK-BODY-02', 'HOOK-BODY-03'].includes(id)),
    { eventuallyTimeoutMs: 500 },
  );
  expect(outcome.idsWithStatus('passed')).toEqual(['HOOK-BODY-02']);
  expect(outcome.idsWithStatus('skipped')).toEqual(['HOOK-BODY-03']);
});

test('the clause about the content type of webhooks does not pass if none of them is JSON', async () => {
  const target = await startMutatingProxy(await openAccount(), onWebhook(sendAsForm));
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => id === 'HOOK-BODY-04'),
    { eventuallyTimeoutMs: 500 },
  );
  expect(outcome.resultOf('HOOK-BODY-04')).toMatchObject({ status: 'skipped', missing: 'a webhook with JSON' });
});

test.each(['DEP-FILTER-16', 'DEP-CAPTURE-13'])(
  '%s does not pass if the other deposit of the booking is not authorized',
  async (clauseId) => {
    const isOtherOfPair = ({ amount }: JsonObject): boolean => amount === 40;
    const target = await startMutatingProxy(
      await openAccount(),
      combine(
        onData(
          'GET',
          oneDepositPath,
          (deposit) => isOtherOfPair(deposit) && Object.assign(deposit, { status: 'released' }),
        ),
        onList('/deposits', (records, { query }) =>
          query.get('status') === 'authorized' ? records.filter((record) => !isOtherOfPair(record)) : records,
        ),
      ),
    );
    const outcome = await checkClauses(
      target,
      clauses.filter(({ id }) => id === clauseId),
      { eventuallyTimeoutMs: 500 },
    );
    expect(outcome.resultOf(clauseId)).toMatchObject({
      status: 'skipped',
      detail: 'the other deposit of the booking is not `authorized`',
    });
  },
);

test('HOOK-EVENT-18 passes if webhooks about two deposits of a booking are equal, since they show only the booking', async () => {
  const target = await startMutatingProxy(
    await openAccount(),
    onWebhook((webhook) => {
      const { booking_reference } = dataOf(JSON.parse(webhook.text));
      if (booking_reference !== undefined) webhook.text = JSON.stringify({ booking_reference });
    }),
  );
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => id === 'DEP-FILTER-13' || id === 'HOOK-EVENT-18'),
    { eventuallyTimeoutMs: 1_000 },
  );
  expect(outcome.idsWithStatus('passed')).toEqual(['DEP-FILTER-13', 'HOOK-EVENT-18']);
  expect(target.changes()).toBeGreaterThan(0);
});

test('a webhook of another event before `payment.succeeded` does not end the wait for it', async () => {
  const target = await startMutatingProxy(await openAccount(), {
    webhook: (webhook) =>
      webhook.headers['x-service-event'] === 'payment.succeeded'
        ? [{ ...webhook, headers: { ...webhook.headers, 'x-service-event': 'payment.opened' } }, webhook]
        : [webhook],
  });
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => id === 'HOOK-EVENT-01'),
    { eventuallyTimeoutMs: 1_000 },
  );
  expect(describeResults(outcome, 'passed', 'failed')).toEqual(['HOOK-EVENT-01 passed: ']);
});

test('clauses about unwanted events are skipped if no webhook shows which deposit it is about', async () => {
  const target = await startMutatingProxy(
    await openAccount(),
    onWebhook((webhook) => {
      webhook.text = '{"happened":true}';
    }),
  );
  const unwantedEventIds = ['HOOK-EVENT-12', 'HOOK-EVENT-13', 'HOOK-EVENT-14', 'HOOK-EVENT-15', 'HOOK-EVENT-16'];
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => unwantedEventIds.includes(id)),
    { eventuallyTimeoutMs: 500 },
  );
  expect(describeResults(outcome, 'passed', 'failed', 'warned', 'broken', 'skipped')).toEqual(
    unwantedEventIds.map((id) => `${id} skipped: no webhook identifies the deposit`),
  );
});

test('clauses about slugs are skipped for a target whose new links have no `url`', async () => {
  const target = await startMutatingProxy(
    await openAccount(),
    onData('POST', '/payment-links', (link) => removeField(link, 'url')),
  );
  const slugClauses = clauses.filter(({ id }) => id.startsWith('LINK-SLUG'));
  const outcome = await checkClauses(target, slugClauses);
  expect(outcome.idsWithStatus('skipped')).toEqual(slugClauses.map(({ id }) => id));
});

test('records that a target creates from invalid bodies are not checked', async () => {
  const acceptedIds = new Set<unknown>();
  const acceptEuro = combine(
    onRequest('POST', '/payment-links', ({ body }) => {
      if (body['currency'] === 'EURO') Object.assign(body, { currency: 'EUR', description: 'In EURO' });
    }),
    onData('POST', '/payment-links', (link) => {
      if (link['description'] !== 'In EURO') return;
      link['currency'] = 'EURO';
      acceptedIds.add(link['id']);
    }),
    onRecords('/payment-links', (link) => acceptedIds.has(link['id']) && Object.assign(link, { currency: 'EURO' })),
  );
  const target = await startMutatingProxy(await openAccount(), acceptEuro);
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => id.startsWith('LINK')),
  );
  expect(acceptedIds.size).toBe(1);
  expect(describeResults(outcome, 'failed', 'broken')).toEqual([]);
  expect(outcome.idsWithStatus('warned')).toEqual(['LINK-CREATE-17']);
});

test('no clause fails for a target where the second payment of a link stays pending', async () => {
  const firstIds = new Map<unknown, unknown>();
  const keepPending = onList('/payments', (payments, { query }) => {
    for (const { payment_link_id: link, id } of payments) {
      // The list shows the newest payments first.
      if (Number(id) < Number(firstIds.get(link) ?? Number.POSITIVE_INFINITY)) firstIds.set(link, id);
    }
    const laterPayments = payments.filter(
      ({ payment_link_id: link, id }) => link !== null && firstIds.get(link) !== id,
    );
    for (const payment of laterPayments) Object.assign(payment, { status: 'pending', paid_at: null });
    return query.get('status') === 'paid' ? payments.filter((payment) => !laterPayments.includes(payment)) : payments;
  });
  const target = await startMutatingProxy(await openAccount(), keepPending);
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => /^(PAY|AUTH-ACCOUNT)-/.test(id)),
    { eventuallyTimeoutMs: 1_500 },
  );
  expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
  expect(target.changes()).toBeGreaterThan(0);
});

test('no clause fails for a target where a partial capture completes a deposit, and its webhook says that it was partial', async () => {
  const namePartialCapture = onWebhook((webhook) => {
    const { captured_amount: captured, amount } = dataOf(JSON.parse(webhook.text));
    const isPartial = webhook.headers['x-service-event'] === 'deposit.captured' && Number(captured) < Number(amount);
    if (isPartial) webhook.headers['x-service-event'] = 'deposit.partially_captured';
  });
  const target = await startMutatingProxy(await openSecondImplementation({ isCaptureFinal: true }), namePartialCapture);
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => /^(DEP-CAPTURE|HOOK-EVENT)-/.test(id)),
    { eventuallyTimeoutMs: 1_500 },
  );
  expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
  expect(target.changes()).toBeGreaterThan(0);
});

test('no clause fails for a target that updates each page of the list of links after some requests', async () => {
  const target = await startMutatingProxy(await openAccount(), repeatPages('/payment-links', 4));
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => /^(LINK|AUTH)-/.test(id)),
    { eventuallyTimeoutMs: 4_000 },
  );
  expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
  expect(target.changes()).toBeGreaterThan(0);
});

test('a webhook that must not be sent is detected even if it arrives long after the expected one', async () => {
  let forbidden: InterceptedWebhook | undefined;
  const target = await startMutatingProxy(await openAccount(), {
    webhook(webhook) {
      const event = webhook.headers['x-service-event'];
      if (event === 'deposit.released')
        forbidden = { ...webhook, headers: { ...webhook.headers, 'x-service-event': 'deposit.captured' } };
      // Held back until another deposit expires, which is much later.
      return event === 'deposit.expired' && forbidden ? [forbidden, webhook] : [webhook];
    },
  });
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => id === 'HOOK-EVENT-12'),
  );
  expect(outcome.idsWithStatus('warned')).toEqual(['HOOK-EVENT-12']);
});

test('a deposit that expires while captures of it are refused counts as not captured', async () => {
  const target = await startMutatingProxy(
    await openAccount(),
    onData('GET', oneDepositPath, (deposit) => {
      if (String(deposit['booking_reference']).endsWith(refusedCapturesReference)) expireAfterFirstRead(deposit);
    }),
  );
  const reads = new Map<unknown, number>();
  /** Shows a deposit as expired from its second read on; the first shows that it was authorized. */
  function expireAfterFirstRead(deposit: JsonObject): void {
    const count = (reads.get(deposit['id']) ?? 0) + 1;
    reads.set(deposit['id'], count);
    if (count > 1) deposit['status'] = 'expired';
  }
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => id === 'DEP-CAPTURE-27'),
    { eventuallyTimeoutMs: 500 },
  );
  expect(describeResults(outcome, 'failed', 'warned', 'broken', 'skipped')).toEqual([]);
  expect(target.changes()).toBeGreaterThan(0);
});

test('no clause warns for a target that updates the amounts of a deposit later than its status', async () => {
  const shown = new Map<unknown, JsonObject>();
  /** Shows the amounts of a deposit as they were when it was read before. */
  const showAmountsLate = onData('GET', oneDepositPath, (deposit) => {
    const { id, captured_amount, remaining_amount } = deposit;
    Object.assign(deposit, shown.get(id));
    shown.set(id, { captured_amount, remaining_amount });
  });
  const target = await startMutatingProxy(await openAccount(), showAmountsLate);
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => /^DEP-(CAPTURE|RELEASE)-/.test(id)),
    { eventuallyTimeoutMs: 500 },
  );
  expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
  expect(target.changes()).toBeGreaterThan(0);
});

test('no clause about shown statuses warns for a target that authorizes deposits by itself', async () => {
  const authorize = (deposit: JsonObject): void => {
    if (deposit['status'] === 'pending') deposit['status'] = 'authorized';
  };
  const target = await startMutatingProxy(
    await openAccount(),
    combine(
      onData('POST', '/deposits', authorize),
      onData('GET', oneDepositPath, authorize),
      onRecords('/deposits', authorize),
    ),
  );
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => id === 'DEP-READ-04' || id === 'DEP-LIST-24'),
    { eventuallyTimeoutMs: 500 },
  );
  expect(outcome.idsWithStatus('passed')).toEqual(['DEP-READ-04', 'DEP-LIST-24']);
});

test('a target that authorizes deposits by itself may accept a capture of a new deposit', async () => {
  const authorize = (deposit: JsonObject): void => {
    if (deposit['status'] === 'pending') deposit['status'] = 'authorized';
  };
  const acceptCapture = onResponse(
    ({ path }, { status }) => path.endsWith('/capture') && status === 409,
    (response) => Object.assign(response, { status: 200, body: { success: true } }),
  );
  const target = await startMutatingProxy(
    await openAccount(),
    combine(onData('GET', oneDepositPath, authorize), acceptCapture),
  );
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => id === 'DEP-CAPTURE-28'),
  );
  expect(outcome.resultOf('DEP-CAPTURE-28')).toMatchObject({
    status: 'skipped',
    missing: 'a deposit that is not authorized',
  });
});

test('a webhook that is sent again with the number of the attempt does not count as a second event', async () => {
  const sendAgain: Interceptor = {
    webhook: (webhook) =>
      [1, 2].map((attempt) => ({ ...webhook, text: webhook.text.replace('{', `{"attempt":${attempt},`) })),
  };
  const target = await startMutatingProxy(await openAccount(), sendAgain);
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => id === 'HOOK-EVENT-17'),
    { eventuallyTimeoutMs: 500 },
  );
  expect(outcome.resultOf('HOOK-EVENT-17')).toMatchObject({ status: 'passed', detail: '' });
  expect(target.changes()).toBeGreaterThan(0);
});

test('a capture of 0 is not blamed for what an earlier invalid capture has captured', async () => {
  const isCapture = ({ path }: InterceptedRequest): boolean => path.endsWith('/capture');
  const target = await startMutatingProxy(
    await openAccount(),
    combine(
      onRequest('POST', /\/capture$/, ({ body }) => {
        if (body['amount'] === 'half') body['amount'] = 50;
      }),
      onResponse(
        (request, { status }) => isCapture(request) && status >= 400 && request.body['amount'] === 0,
        replaceWithSuccess,
      ),
    ),
  );
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => id === 'DEP-CAPTURE-23' || id === 'DEP-CAPTURE-25'),
    { eventuallyTimeoutMs: 500 },
  );
  expect(outcome.idsWithStatus('failed')).toEqual(['DEP-CAPTURE-23']);
  expect(outcome.idsWithStatus('passed')).toEqual(['DEP-CAPTURE-25']);
});

test('a field that is null until a target has looked it up may be null in an earlier list', async () => {
  const withoutDate = (deposit: JsonObject): void => void Object.assign(deposit, { check_out_date: null });
  const target = await startMutatingProxy(
    await openAccount(),
    combine(onData('POST', '/deposits', withoutDate), onRecords('/deposits', withoutDate)),
  );
  // DEP-IDEM-03 reads the list before DEP-FIELD-13 reads the deposit.
  const ids = ['DEP-IDEM-03', 'DEP-FIELD-13'];
  const outcome = await checkClauses(
    target,
    ids.flatMap((id) => clauses.filter((clause) => clause.id === id)),
  );
  expect(describeResults(outcome, 'failed', 'warned', 'broken', 'skipped')).toEqual([]);
  expect(target.changes()).toBeGreaterThan(0);
});

test('the evidence for a duplicate that only the list shows is the list', async () => {
  const target = await startMutatingProxy(
    await openAccount(),
    onList('/deposits', (records, { query }) =>
      query.get('booking_reference')?.endsWith('concurrent creations')
        ? [...records, { ...records[0], id: 1_000_000 }]
        : records,
    ),
  );
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => id === 'DEP-IDEM-06'),
  );
  const { status, evidence } = outcome.resultOf('DEP-IDEM-06');
  expect({ status, method: evidence[0]?.call.method }).toEqual({ status: 'failed', method: 'GET' });
});

test('a deposit of another client is not captured if a target shows no `id` of a new one, and ignores filters', async () => {
  const capturedPaths: string[] = [];
  const target = await startMutatingProxy(
    await openAccount({ 'list.order': 'oldest-first' }, 'demo'),
    combine(
      onData('POST', '/deposits', (deposit) => removeField(deposit, 'id')),
      onRequest('GET', '/deposits', (request) => {
        request.query.delete('booking_reference');
      }),
      onRequest('POST', /^\/deposits\/\d+\/capture$/, ({ path }) => {
        capturedPaths.push(path);
      }),
    ),
  );
  await checkClauses(
    target,
    clauses.filter(({ id }) => id === 'DEP-CAPTURE-01'),
    { eventuallyTimeoutMs: 500 },
  );
  const ids = capturedPaths.map((path) => Number(path.split('/')[2]));
  expect(ids.length).toBeGreaterThan(0);
  expect(ids.filter((id) => id <= demoCounts.deposits)).toEqual([]);
});

test('a response without an `id` is not counted as another deposit', async () => {
  const keys = new Set<string | undefined>();
  const target = await startMutatingProxy(
    await openAccount(),
    onData('POST', '/deposits', (deposit, { headers }) => {
      const key = headers['idempotency-key'];
      if (keys.has(key)) removeField(deposit, 'id');
      keys.add(key);
    }),
  );
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => id === 'DEP-IDEM-06'),
  );
  expect(outcome.idsWithStatus('passed')).toEqual(['DEP-IDEM-06']);
  expect(target.changes()).toBeGreaterThan(0);
});
