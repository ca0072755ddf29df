import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import type { TargetRecord } from '../../src/contract/drivers/driver.js';
import type { JsonObject } from '../../src/contract/engine/json.js';
import type { Interceptor } from '../../src/contract/mutation/interceptor.js';
import {
  changeField,
  combine,
  fieldConverter,
  fieldSetter,
  onData,
  onList,
  onRecords,
  onRequest,
  onSuccess,
  type RecordChange,
  recordsOf,
  removeField,
  replaceWithError,
} from '../../src/contract/mutation/interceptors.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { valueAt } from '../../src/contract/predicates/matchers.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { heldAmount } from '../../src/contract/sections/deposits/setups.js';
import { mutants } from '../../src/contract/sections/mutants.js';
import { hasOnlyFilters } from '../../src/contract/sections/payment-filters/mutants.js';
import { paidDescriptionEnd } from '../../src/contract/sections/payment-links/setups.js';
import { isEvent, isPayment, onPayload, sign } from '../../src/contract/sections/webhook-interceptors.js';
import { isRecord, parseJson } from '../../src/lib/json.js';
import {
  checkClauses,
  closeSimulator,
  type Implementation,
  openAccount,
  openSecondImplementation,
  type RunOptions,
} from './support.js';

/** Targets that break a statement of the specification only in some cases. A run must fail, not only warn. */

afterAll(closeSimulator);

/** Returns a function that creates the interceptor of a clause's mutant. */
const mutantOf = (id: string) => (): Interceptor =>
  mutants.find(({ clause }) => clause === id)?.createInterceptor() ?? {};

/** Drops webhooks about payments, except those about the first payment of each link. */
function sendFirstPaymentOnly(): Interceptor {
  // In the suite, all payments of a link have the same description, and other payments another one.
  const descriptions = new Set<unknown>();
  return {
    webhook(webhook) {
      const payload = parseJson(webhook.text);
      const description = isPayment(webhook) ? valueAt(payload, 'data.description') : undefined;
      if (descriptions.has(description)) return [];
      if (description !== undefined) descriptions.add(description);
      return [webhook];
    },
  };
}

/** Removes a field from webhooks about payments, except those about the first payment of each link. */
function removeFromLaterPayments(field: string): Interceptor {
  const firstPaymentIds = new Map<unknown, unknown>();
  return onPayload((payload) => {
    const [linkId, id] = ['data.payment_link_id', 'data.id'].map((path) => valueAt(payload, path));
    if (linkId === undefined) return;
    if (!firstPaymentIds.has(linkId)) firstPaymentIds.set(linkId, id);
    if (firstPaymentIds.get(linkId) !== id) removeField(payload, `data.${field}`);
  });
}

/** Sends `deposit.authorized` right after each `deposit.created`, and no signature if a webhook is sent again. */
function authorizeAtOnceAndRetryUnsigned(): Interceptor {
  const sentTexts = new Set<string>();
  return {
    webhook(webhook) {
      if (sentTexts.has(webhook.text)) removeField(webhook.headers, 'x-service-signature');
      if (sentTexts.has(webhook.text) || !isEvent('deposit.created')(webhook)) return [webhook];
      sentTexts.add(webhook.text);
      const authorized = {
        ...webhook,
        headers: { ...webhook.headers, 'x-service-event': 'deposit.authorized' },
        text: webhook.text.replace('deposit.created', 'deposit.authorized'),
      };
      sign(authorized);
      return [webhook, authorized];
    },
  };
}

/** Shows records of the first page on the last page of invoices. */
function repeatFirstPage(): Interceptor {
  let firstRecords: readonly unknown[] = [];
  return onData('GET', '/invoices', (page, { query }) => {
    const records = recordsOf(page);
    if (!query.has('page')) firstRecords = records;
    else if (page['current_page'] === page['last_page'])
      Object.assign(page, { data: firstRecords.slice(0, records.length) });
  });
}

/** Ignores the filter `description` of payments in queries that have these filters and no others. */
const ignoreDescriptionWith = (...names: readonly string[]): Interceptor =>
  onRequest('GET', '/payments', ({ query }) => {
    if (hasOnlyFilters('description', ...names)(query)) query.delete('description');
  });

const maxPageSize = 100;

/** Ignores `to` if it is the only filter of payments. The account seems to have a page of old payments, listed first. */
function ignoreToAfterOldPayments(): Interceptor {
  const oldDate = '2000-01-01T00:00:00+00:00';
  const oldPayments = Array.from({ length: maxPageSize }, (_payment, index) => ({
    id: 1_000_000 + index,
    created_at: oldDate,
    paid_at: oldDate,
  }));
  let payments: readonly unknown[] = [];
  return onData('GET', '/payments', (page, { query }) => {
    if (!hasOnlyFilters('to')(query)) payments = recordsOf(page);
    else
      Object.assign(page, {
        data: query.has('page') ? payments : oldPayments,
        total: oldPayments.length + payments.length,
        last_page: 2,
      });
  });
}

/** Lists invoices in an order that changes with each request for a small first page. */
function changeOrder(): Interceptor {
  let requestCount = 0;
  return onRequest('GET', '/invoices', ({ query }) => {
    if (query.get('per_page') !== '2' || query.has('page')) return;
    requestCount += 1;
    query.set('page', String((requestCount % 3) + 1));
  });
}

/** Refuses to create a deposit with a key that two successful requests have used. */
function refuseSecondReplay(): Interceptor {
  const useCounts = new Map<unknown, number>();
  return onSuccess('POST', '/deposits', (response, { headers }) => {
    const key = headers['idempotency-key'];
    const earlierUses = useCounts.get(key) ?? 0;
    useCounts.set(key, earlierUses + 1);
    if (earlierUses >= 2) replaceWithError(response, 409);
  });
}

/** Generates the numbers of invoices without letters, and shows them without leading zeros in the detail view. */
const dropZerosInDetail = (): Interceptor =>
  combine(
    onData(
      'POST',
      '/invoices',
      fieldConverter('invoice_number', (number) => String(number).replace(/^INV-\d+-/, '')),
    ),
    onData(
      'GET',
      /^\/invoices\/\d+$/,
      fieldConverter('invoice_number', (number) => String(number).replace(/^INV-\d+-0*/, '')),
    ),
  );

/** For each target: the clause that fails, and a function that creates its interceptor. */
const brokenTargets: Readonly<Record<string, readonly [id: string, createInterceptor: () => Interceptor]>> = {
  'a page of payments is filtered after it was taken from the list, and its total is wrong, too': [
    'PAY-FILTER-30',
    () =>
      onData(
        'GET',
        '/payments',
        (page, { query }) =>
          query.get('per_page') === '1' && query.has('status') && Object.assign(page, { data: [], total: 0 }),
      ),
  ],
  'a page of payments, of which the oldest come first, is filtered after it was taken from the list': [
    'PAY-FILTER-41',
    () =>
      onList('/payments', (records, { query }) =>
        query.get('per_page') === '1' && hasOnlyFilters('description')(query)
          ? records.filter((record) => String(record['description']).endsWith(paidDescriptionEnd))
          : records,
      ),
  ],
  '`description` is ignored together with all other filters of payments': [
    'PAY-FILTER-19',
    () => ignoreDescriptionWith('status', 'from', 'to'),
  ],
  '`description` is ignored together with `status`': ['PAY-FILTER-09', () => ignoreDescriptionWith('status')],
  '`to` is ignored in a list of several pages, oldest first': ['PAY-FILTER-14', ignoreToAfterOldPayments],
  'only the first payment of a link triggers a webhook': ['HOOK-EVENT-01', sendFirstPaymentOnly],
  'the webhook about the second payment of a link has no description': [
    'HOOK-PAY-01',
    () => removeFromLaterPayments('description'),
  ],
  'the webhook about the second payment of a link lacks the id of the link': [
    'HOOK-PAY-02',
    () => removeFromLaterPayments('payment_link_id'),
  ],
  'a webhook is sent again without a signature, after another webhook about its deposit': [
    'HOOK-SIGN-07',
    authorizeAtOnceAndRetryUnsigned,
  ],
  // The mutant creates a race, so that only a clause that sends its requests at the same time detects it.
  'once a deposit was captured, the filter by its booking reference no longer finds it': [
    'DEP-FILTER-01',
    () =>
      onList('/deposits', (records, { query }) =>
        query.has('booking_reference') ? records.filter(({ status }) => status !== 'captured') : records,
      ),
  ],
  'once a deposit was released, the filter by its booking reference no longer finds it': [
    'DEP-FILTER-01',
    () =>
      onList('/deposits', (records, { query }) =>
        query.has('booking_reference') ? records.filter(({ status }) => status !== 'released') : records,
      ),
  ],
  'the detail view shows the number of an invoice without its leading zeros': ['INV-DETAIL-40', dropZerosInDetail],
  'the order of the invoices keeps changing': ['INV-LIST-16', changeOrder],
  'the last page of invoices has records of the first page': ['INV-LIST-20', repeatFirstPage],
  'the second repetition of a create request with the same key is refused': ['DEP-IDEM-01', refuseSecondReplay],
  'concurrent requests with one key create two deposits': ['DEP-IDEM-06', mutantOf('DEP-IDEM-06')],
};

describe.concurrent('a clause fails if', () => {
  test.each(Object.entries(brokenTargets))('%s', async (_name, [id, createInterceptor]) => {
    const target = await startMutatingProxy(await openAccount(), createInterceptor());
    const checked = clauses.filter((clause) => clause.id === id);
    const outcome = await checkClauses(target, checked, { eventuallyTimeoutMs: 1_000 });
    expect(outcome.idsWithStatus('failed')).toEqual([id]);
  });
});

/** True if `data` of a response lists no records. */
function listsNothing({ data }: JsonObject): boolean {
  const records = isRecord(data) ? data['data'] : data;
  return Array.isArray(records) && records.length === 0;
}

// The clause about valid requests reads the list only after another clause has created a record.
test.each([
  ['/invoices/overdue', 'INV-CREATE-34', 'ENV-VALID-05'],
  ['/payment-links', 'LINK-CREATE-01', 'ENV-VALID-07'],
  ['/payments', 'LINK-LIST-40', 'ENV-VALID-09'],
  ['/deposits', 'DEP-CREATE-01', 'ENV-VALID-10'],
])('a target that refuses GET %s if it lists nothing does not pass', async (path, creatingId, id) => {
  const refuseEmpty = onSuccess('GET', path, (response) => {
    if (listsNothing(response.body)) replaceWithError(response, 404);
  });
  const checked = [creatingId, id].flatMap((wanted) => clauses.filter((clause) => clause.id === wanted));
  const outcome = await checkClauses(await startMutatingProxy(await openAccount(), refuseEmpty), checked);
  expect(outcome.idsWithStatus('failed')).toEqual([id]);
});

test.each([
  ['/invoices/overdue', 'total_outstanding', 'INV-OVERDUE-04'],
  ['/invoices/stats', 'total_outstanding', 'INV-STATS-06'],
] as const)('a target that shows null as the sum of no amounts in GET %s does not pass', async (path, field, id) => {
  const replaceZero = onSuccess('GET', path, ({ body }) => {
    const nullIfZero = fieldConverter(field, (sum) => (sum === 0 ? null : sum));
    for (const sums of [body, body['data']]) if (isRecord(sums)) nullIfZero(sums);
  });
  const checked = ['INV-CREATE-34', id].flatMap((wanted) => clauses.filter((clause) => clause.id === wanted));
  const outcome = await checkClauses(await startMutatingProxy(await openAccount(), replaceZero), checked);
  expect(outcome.idsWithStatus('failed')).toEqual([id]);
});

/** Creates an interceptor that changes deposits with a status in reads and lists. */
function onDepositsWithStatus(status: string, change: RecordChange): Interceptor {
  const changeIfSelected = (deposit: JsonObject): unknown => deposit['status'] === status && change(deposit);
  return combine(onData('GET', /^\/deposits\/[^/]+$/, changeIfSelected), onRecords('/deposits', changeIfSelected));
}

/** Changes the deposit in webhooks that show it as released. */
const onReleasedData = (change: RecordChange): Interceptor =>
  onPayload((payload) => changeField(payload, 'data', (data) => data['status'] === 'released' && change(data)));

/** Creates a change of a page that rounds its `last_page`, which is at least 1. */
const roundLastPage =
  (round: (quotient: number) => number): RecordChange =>
  (page) =>
    Object.assign(page, { last_page: Math.max(1, round(Number(page['total']) / Number(page['per_page']))) });

/** Moves the fields of the payment in webhooks to the outermost object, and changes them. */
const onFlatPayment = (change: RecordChange): Interceptor =>
  onPayload((payload) => {
    const { data } = payload;
    if (!isRecord(data) || data['payment_link_id'] === undefined) return;
    removeField(payload, 'data');
    Object.assign(payload, { ...data, id: payload['id'] });
    change(payload);
  });

/** For each target: clauses whose requests show the defect, the clause that warns, and a function that creates its interceptor. */
const doubtfulTargets: Readonly<
  Record<string, readonly [sending: readonly string[], id: string, createInterceptor: () => Interceptor]>
> = {
  'an authorized deposit shows its whole amount as captured': [
    ['DEP-STATE-01'],
    'DEP-RELEASE-08',
    () => onDepositsWithStatus('authorized', fieldSetter({ captured_amount: heldAmount })),
  ],
  'a deposit whose card was declined shows its whole amount as captured': [
    ['DEP-STATE-03'],
    'DEP-RELEASE-08',
    () => onDepositsWithStatus('failed', fieldSetter({ captured_amount: heldAmount })),
  ],
  '`last_page` of invoices is rounded to the nearest integer': [
    // It creates an invoice, so that the account has more than the three that the last clause creates.
    ['INV-CREATE-34'],
    'INV-LIST-18',
    () => onData('GET', '/invoices', roundLastPage(Math.round)),
  ],
  '`last_page` of invoices is rounded down': [
    ['INV-CREATE-34'],
    'INV-LIST-18',
    () => onData('GET', '/invoices', roundLastPage(Math.floor)),
  ],
  'the list of invoices does not show that an invoice is overdue': [
    [],
    'INV-OVERDUE-52',
    () =>
      onRecords('/invoices', (invoice) => invoice['status'] === 'overdue' && fieldSetter({ status: 'sent' })(invoice)),
  ],
  'webhooks about a released deposit have another booking reference': [
    [],
    'HOOK-BODY-05',
    () => onReleasedData(fieldConverter('booking_reference', (reference) => `${reference} (released)`)),
  ],
  'webhooks about a released deposit have another date': [
    [],
    'HOOK-BODY-05',
    () => onReleasedData(fieldSetter({ check_in_date: '2020-01-01' })),
  ],
  'webhooks about a released deposit have no metadata': [
    [],
    'HOOK-BODY-05',
    () => onReleasedData(fieldSetter({ metadata: {} })),
  ],
  'flat webhooks about payments have another reference': [
    [],
    'HOOK-PAY-05',
    () => onFlatPayment(fieldConverter('reference', (reference) => `${reference}0`)),
  ],
  'webhooks about a payment say that it is open': [
    [],
    'HOOK-PAY-05',
    () =>
      onPayload((payload) =>
        changeField(payload, 'data', (data) => data['payment_link_id'] && fieldSetter({ status: 'open' })(data)),
      ),
  ],
  'webhooks about a payment have the reference of another one': [
    [],
    'HOOK-PAY-05',
    () =>
      onPayload((payload) =>
        changeField(
          payload,
          'data',
          (data) => data['payment_link_id'] && fieldSetter({ reference: 'PAY-000000' })(data),
        ),
      ),
  ],
};

describe.concurrent('a clause warns if', () => {
  test.each(Object.entries(doubtfulTargets))('%s', async (_name, [sending, id, createInterceptor]) => {
    const target = await startMutatingProxy(await openAccount(), createInterceptor());
    const checked = [...sending, id].flatMap((each) => clauses.filter((clause) => clause.id === each));
    const outcome = await checkClauses(target, checked, { eventuallyTimeoutMs: 1_000 });
    expect(outcome.idsWithStatus('failed', 'warned')).toEqual([id]);
  });
});

test.each(['round', 'floor'] as const)(
  'a `last_page` of invoices that is computed with Math.%s is detected in an account with a dozen invoices',
  async (name) => {
    const target = await startMutatingProxy(
      await openAccount({}, 'demo'),
      onData('GET', '/invoices', roundLastPage(Math[name])),
    );
    const outcome = await checkClauses(
      target,
      clauses.filter(({ id }) => id === 'INV-LIST-18'),
    );
    expect(outcome.idsWithStatus('warned')).toEqual(['INV-LIST-18']);
  },
);

test('a target violates ENV-VALID-08 if it refuses an emoji in the description of a payment link', async () => {
  const refuseEmoji = onSuccess('POST', '/payment-links', (response, { body }) => {
    if (/\p{Emoji_Presentation}/u.test(String(body['description']))) replaceWithError(response);
  });
  const target = await startMutatingProxy(await openAccount(), refuseEmoji);
  // LINK-CREATE-21 sends such a description.
  const checked = clauses.filter(({ id }) => id === 'LINK-CREATE-21' || id === 'ENV-VALID-08');
  const outcome = await checkClauses(target, checked);
  expect(outcome.idsWithStatus('failed')).toEqual(['ENV-VALID-08']);
});

/** Expects that a clause, checked alone, detects its mutant of an implementation. */
async function expectDetectedAlone(
  id: string,
  implementation: Implementation,
  options: Pick<RunOptions, 'eventuallyTimeoutMs'>,
): Promise<void> {
  const target = await startMutatingProxy(implementation, mutantOf(id)());
  const checked = clauses.filter((clause) => clause.id === id);
  const outcome = await checkClauses(target, checked, options);
  expect(outcome.idsWithStatus('failed', 'warned')).toEqual([id]);
}

test.each(['DEP-FILTER-11', 'DEP-FILTER-12', 'DEP-FILTER-17', 'DEP-FILTER-18'])(
  '%s alone detects its mutant even if the list shows new deposits late',
  async (id) => {
    await expectDetectedAlone(id, await openSecondImplementation({ lagMs: 500 }), { eventuallyTimeoutMs: 2_000 });
  },
);

test.each(['INV-STATS-20', 'INV-STATS-21', 'INV-STATS-36', 'DEP-FILTER-03'])(
  '%s alone detects its mutant, although the account is new',
  async (id) => {
    await expectDetectedAlone(id, await openAccount(), { eventuallyTimeoutMs: 1_000 });
  },
);

/** Opens an account with more invoices or links than a page holds. Lists show the oldest records first. */
async function openAccountWithLongList(path: '/invoices' | '/payment-links'): Promise<Implementation> {
  const account = await openAccount({ 'list.order': 'oldest-first' });
  const customer = await account.driver.createCustomer?.();
  const items = [{ description: 'room', quantity: 1, unit_price: 1 }];
  const invoice = { customer_id: customer?.id, date: '2026-01-01', due_date: '2026-01-01', items };
  const headers = { Authorization: `Bearer ${account.tokens.full}`, 'Content-Type': 'application/json' };
  for (let count = 0; count <= maxPageSize; count++) {
    const body = JSON.stringify(path === '/invoices' ? invoice : { description: `room ${count}`, amount: 1 });
    expect((await fetch(account.baseUrl + path, { method: 'POST', headers, body })).status).toBe(201);
  }
  return account;
}

test.each([
  ['INV-LIST-47', '/invoices'],
  ['INV-LIST-54', '/invoices'],
  ['LINK-LIST-47', '/payment-links'],
] as const)('%s detects its mutant even if new records are on the last of several pages', async (id, path) => {
  await expectDetectedAlone(id, await openAccountWithLongList(path), { eventuallyTimeoutMs: 500 });
});

test('DEP-FILTER-15 alone detects a list without an array, even if the account has deposits', async () => {
  const target = await startMutatingProxy(await openAccount({}, 'demo'), mutantOf('DEP-FILTER-15')());
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => id === 'DEP-FILTER-15'),
  );
  expect(outcome.idsWithStatus('warned')).toEqual(['DEP-FILTER-15']);
});

test('DEP-CAPTURE-13 detects that a capture affects all deposits of a booking even if one is authorized late', async () => {
  const implementation = await openSecondImplementation({ fault: 'capture-affects-whole-booking' });
  const { authorizeDeposit } = implementation.driver;
  const authorizations: unknown[] = [];
  /** Authorizes the first deposit at once, and the second one after the method has returned. */
  const authorizeSecondLate = async (deposit: TargetRecord): Promise<void> => {
    const isFirst = authorizations.length === 0;
    const authorization = sleep(isFirst ? 0 : 200).then(() => authorizeDeposit?.(deposit));
    authorizations.push(authorization);
    if (isFirst) await authorization;
  };
  const outcome = await checkClauses(
    { ...implementation, driver: { ...implementation.driver, authorizeDeposit: authorizeSecondLate } },
    clauses.filter(({ id }) => id === 'DEP-CAPTURE-13'),
    { eventuallyTimeoutMs: 1_500 },
  );
  expect(outcome.idsWithStatus('failed')).toEqual(['DEP-CAPTURE-13']);
});

test('DEP-IDEM-03 detects a duplicate that the list shows only after a delay', async () => {
  const target = await openSecondImplementation({ fault: 'replay-stores-duplicate', lagMs: 500 });
  // The first clause waits until the list shows the original.
  const checked = ['DEP-FILTER-11', 'DEP-IDEM-03'].flatMap((id) => clauses.filter((clause) => clause.id === id));
  const outcome = await checkClauses(target, checked, { eventuallyTimeoutMs: 1_500 });
  expect(outcome.idsWithStatus('failed')).toEqual(['DEP-IDEM-03']);
});
