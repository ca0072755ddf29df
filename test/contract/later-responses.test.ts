import { afterAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/contract/engine/json.js';
import type { Interceptor } from '../../src/contract/mutation/interceptor.js';
import {
  changeField,
  combine,
  fieldSetter,
  isSuiteText,
  onData,
  onList,
  onOverdue,
  onOverdueRecords,
  onRecords,
  onRequest,
  onSuccess,
  removeField,
  replaceWithError,
} from '../../src/contract/mutation/interceptors.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { valueAt } from '../../src/contract/predicates/matchers.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { changeCustomer, changeLines, reverseLines } from '../../src/contract/sections/invoice-changes.js';
import { isPayment, onWebhook } from '../../src/contract/sections/webhook-interceptors.js';
import { checkClauses, closeSimulator, describeResults, openAccount } from './support.js';

/**
 * Bugs that only show in later responses of an operation: on a further page, in a filtered list, or for a record in
 * another status. Clauses about fields detect them, because they read the responses to the requests of other clauses.
 */

afterAll(closeSimulator);

const invoicePath = /^\/invoices\/\d+$/;

/** In the overdue list, counts the days since the last reminder for an invoice, and not since its due date. */
function countDaysFromReminder(): Interceptor {
  const remindedIds = new Set<string | undefined>();
  return combine(
    onSuccess('POST', /\/reminder$/, (_response, { path }) => remindedIds.add(path.split('/')[2])),
    onOverdueRecords(
      (invoice) => remindedIds.has(String(invoice['id'])) && Object.assign(invoice, { days_overdue: 0 }),
    ),
  );
}

/** In the first overdue list that shows invoices of the suite, adds 30 days to `days_overdue`. */
function moreDaysInFirstList(): Interceptor {
  let isFirst = true;
  return onOverdue((records) => {
    if (!records.some(({ reference }) => isSuiteText(reference))) return records;
    if (isFirst) {
      for (const record of records) Object.assign(record, { days_overdue: Number(record['days_overdue']) + 30 });
    }
    isFirst = false;
    return records;
  });
}

/** Changes successful responses to requests with a token that only allows reading. */
function onReadToken(path: string, change: (body: JsonObject) => void): Interceptor {
  return onSuccess('GET', path, ({ body }, { token }) => token === 'read' && change(body));
}

/**
 * For each bug, clauses that send the requests which show it, in the order of the suite, and last the clause that detects
 * it.
 */
const bugs: Readonly<
  Record<string, readonly [ids: readonly [sender: string, ...string[], detector: string], interceptor: Interceptor]>
> = {
  'the second page has a `current_page` that is a string': [
    ['INV-LIST-20', 'INV-LIST-04'],
    onData('GET', '/invoices', (page) => page['current_page'] !== 1 && Object.assign(page, { current_page: '2' })),
  ],
  'the second page has no `last_page`': [
    ['INV-LIST-15', 'INV-LIST-17'],
    onData('GET', '/invoices', (page) => page['current_page'] !== 1 && removeField(page, 'last_page')),
  ],
  'the second page has invoices without a customer': [
    ['INV-LIST-15', 'INV-LIST-29'],
    onRecords('/invoices', (invoice, { query }) => query.has('page') && removeField(invoice, 'customer')),
  ],
  'a `per_page` other than the usual ones is ignored': [
    ['INV-LIST-16', 'INV-LIST-09'],
    onRequest('GET', '/invoices', ({ query }) => {
      if (query.get('per_page') === '6') query.set('per_page', '25');
    }),
  ],
  'filtered payments have a `total` that is a string': [
    ['PAY-FILTER-08', 'PAY-LIST-06'],
    onData('GET', '/payments', (page, { query }) => {
      if (query.has('status')) Object.assign(page, { total: String(page['total']) });
    }),
  ],
  'the `total` of payments with a status counts those with other statuses, too': [
    ['PAY-FILTER-08', 'PAY-FILTER-27'],
    onData('GET', '/payments', (page, { query }) => {
      if (query.has('status')) Object.assign(page, { total: Number(page['total']) + 100 });
    }),
  ],
  'payments of a status have their amounts rounded': [
    ['PAY-FILTER-08', 'PAY-LINK-05'],
    onRecords('/payments', (payment, { query }) => {
      if (query.has('status')) Object.assign(payment, { amount: Math.round(Number(payment['amount'])) });
    }),
  ],
  'payments from a day on have the URL of another link': [
    ['PAY-FILTER-11', 'PAY-LINK-02'],
    onRecords('/payments', (payment, { query }) => {
      if (query.has('from')) Object.assign(payment, { payment_link_url: `${payment['payment_link_url']}x` });
    }),
  ],
  'payments to a day have their descriptions in lower case': [
    ['PAY-FILTER-13', 'PAY-LINK-03'],
    onRecords('/payments', (payment, { query }) => {
      if (query.has('to')) Object.assign(payment, { description: String(payment['description']).toLowerCase() });
    }),
  ],
  'payments of a status have other references': [
    ['PAY-FILTER-08', 'PAY-LINK-15'],
    onRecords('/payments', (payment, { query }) => {
      if (query.has('status')) Object.assign(payment, { reference: `${payment['reference']}-${query.get('status')}` });
    }),
  ],
  'the `status` filter of payments is ignored for a token that only allows reading': [
    ['AUTH-ADMITS-09', 'PAY-FILTER-04'],
    onRequest('GET', '/payments', ({ query, token }) => {
      if (token === 'read') query.delete('status');
    }),
  ],
  'the webhook about a deposit that a write-only token created has no event name': [
    ['HOOK-SENT-02', 'HOOK-HEAD-01'],
    onWebhook((webhook) => {
      if (webhook.text.includes(' scope"')) delete webhook.headers['x-service-event'];
    }),
  ],
  'a link that a write-only token created is not listed': [
    ['LINK-LIST-41', 'AUTH-ADMITS-08', 'AUTH-UNCHANGED-02', 'LINK-LIST-46'],
    onList('/payment-links', (links) => links.filter(({ description }) => !String(description).endsWith(' scope'))),
  ],
  'an invoice that a write-only token created is not listed': [
    ['INV-LIST-46', 'AUTH-ADMITS-02', 'AUTH-UNCHANGED-01', 'INV-LIST-53'],
    onList('/invoices', (invoices) => invoices.filter(({ reference }) => !String(reference).endsWith(' scope'))),
  ],
  'with a token that only allows reading, the list of deposits is empty': [
    ['AUTH-ADMITS-10', 'AUTH-ACCOUNT-06'],
    onReadToken('/deposits', (body) => Object.assign(body, { data: { data: [], total: 0 } })),
  ],
  'a read of an invoice with many lines has rates of tax with a percent sign': [
    ['INV-DETAIL-01', 'INV-DETAIL-27'],
    onData('GET', invoicePath, (invoice) => {
      const { invoice_items: lines } = invoice;
      if (Array.isArray(lines) && lines.length > 4)
        changeLines((line) => Object.assign(line, { tax_rate: `${line['tax_rate']} %` }))(invoice);
    }),
  ],
  'the webhook about a deposit in USD is not signed': [
    ['DEP-FIELD-10', 'HOOK-SIGN-01'],
    onWebhook((webhook) => {
      if (!isPayment(webhook) && webhook.text.includes('"USD"')) delete webhook.headers['x-service-signature'];
    }),
  ],
  'the `booking_reference` filter of deposits is ignored in combination with `status`': [
    ['DEP-FILTER-16', 'DEP-FILTER-02'],
    onRequest('GET', '/deposits', ({ query }) => {
      if (query.has('status')) query.delete('booking_reference');
    }),
  ],
  'the list without filters shows captured deposits as authorized': [
    ['DEP-CAPTURE-07', 'DEP-LIST-24'],
    onRecords('/deposits', (deposit, { query }) => {
      const isFiltered = query.has('status') || query.has('booking_reference');
      if (!isFiltered && deposit['status'] === 'captured') Object.assign(deposit, { status: 'authorized' });
    }),
  ],
  'all deposits of a customer have the same `authorization_url`': [
    ['DEP-IDEM-07', 'DEP-CREATE-05'],
    onData('POST', '/deposits', (deposit) => {
      if (valueAt(deposit, 'customer.email') === 'guest@example.com')
        Object.assign(deposit, { authorization_url: 'https://pay.example/guest' });
    }),
  ],
  'with a `per_page` of 6, the `total` of invoices is 6': [
    ['INV-LIST-16', 'INV-LIST-11'],
    onData('GET', '/invoices', (page, { query }) => {
      if (query.get('per_page') === '6') Object.assign(page, { total: 6, last_page: 1 });
    }),
  ],
  'with a `per_page` of 100, the first page of invoices is called page 2': [
    ['INV-LIST-13', 'INV-LIST-08'],
    onData(
      'GET',
      '/invoices',
      (page, { query }) => query.get('per_page') === '100' && Object.assign(page, { current_page: 2 }),
    ),
  ],
  'the third page of invoices is called page 2': [
    ['INV-LIST-49', 'INV-LIST-15'],
    onData('GET', '/invoices', (page) => page['current_page'] === 3 && Object.assign(page, { current_page: 2 })),
  ],
  'the second page has invoices with the phone number of the customer': [
    ['INV-LIST-15', 'INV-LIST-44'],
    onRecords('/invoices', (invoice, { query }) => {
      if (query.has('page')) changeCustomer((customer) => Object.assign(customer, { phone: '1' }))(invoice);
    }),
  ],
  'the list shows overdue invoices with another customer': [
    ['INV-LIST-46', 'INV-LIST-42'],
    onRecords('/invoices', (invoice) => {
      if (invoice['status'] === 'overdue')
        changeCustomer((customer) => Object.assign(customer, { name: 'Somebody' }))(invoice);
    }),
  ],
  'a read returns a paid invoice with another address of the customer': [
    ['INV-DETAIL-43', 'INV-DETAIL-41'],
    onData('GET', invoicePath, (invoice) => {
      if (invoice['status'] === 'paid')
        changeCustomer((customer) => Object.assign(customer, { email: 'somebody@example.com' }))(invoice);
    }),
  ],
  'the overdue list has the lines of invoices in reverse': [
    ['INV-OVERDUE-37', 'INV-LIST-58'],
    onOverdueRecords(reverseLines),
  ],
  'an invoice is overdue for 30 days more in the first overdue list': [
    ['INV-OVERDUE-01', 'INV-OVERDUE-38'],
    moreDaysInFirstList(),
  ],
  'with a token that only allows reading, the overdue list has a `count` of 0': [
    ['AUTH-ADMITS-05', 'INV-OVERDUE-06'],
    onReadToken('/invoices/overdue', (body) => Object.assign(body, { count: 0 })),
  ],
  'with a token that only allows reading, the overdue list is in another currency': [
    ['AUTH-ADMITS-05', 'INV-OVERDUE-48'],
    onReadToken('/invoices/overdue', (body) => Object.assign(body, { currency: 'USD' })),
  ],
  'with a token that only allows reading, the statistics are in another currency': [
    ['AUTH-ADMITS-04', 'INV-OVERDUE-48'],
    onReadToken('/invoices/stats', (body) => changeField(body, 'data', fieldSetter({ currency: 'USD' }))),
  ],
  'with a token that only allows reading, more invoices are paid than there are': [
    ['AUTH-ADMITS-04', 'INV-STATS-20'],
    onReadToken('/invoices/stats', (body) => changeField(body, 'data', fieldSetter({ paid_invoices: 1_000 }))),
  ],
  'a link in USD has a count of payments when it is created': [
    ['LINK-CREATE-22', 'LINK-CREATE-19'],
    onData(
      'POST',
      '/payment-links',
      (link) => link['currency'] === 'USD' && Object.assign(link, { payments_count: 0 }),
    ),
  ],
  'filtered payments have no customer': [
    ['PAY-FILTER-01', 'PAY-FIELD-12'],
    onRecords('/payments', (payment, { query }) => query.has('description') && removeField(payment, 'customer')),
  ],
  '`per_page` is ignored for filtered payments': [
    ['PAY-FILTER-08', 'PAY-LIST-09'],
    onRequest('GET', '/payments', ({ query }) => {
      if (query.has('status')) query.delete('per_page');
    }),
  ],
  'a read returns a paid invoice without its lines': [
    ['INV-DETAIL-43', 'INV-DETAIL-23'],
    onData('GET', invoicePath, (invoice) => invoice['status'] === 'paid' && removeField(invoice, 'invoice_items')),
  ],
  'the lines of a paid invoice have totals with a currency': [
    ['INV-DETAIL-43', 'INV-DETAIL-28'],
    onData('GET', invoicePath, (invoice) => {
      if (invoice['status'] === 'paid')
        changeLines((line) => Object.assign(line, { total: `${line['total']} EUR` }))(invoice);
    }),
  ],
  'the days overdue start again with a reminder': [['INV-REMIND-09', 'INV-OVERDUE-32'], countDaysFromReminder()],
  'the creation of an invoice with a custom number returns 200': [
    ['INV-CREATE-05', 'INV-CREATE-06'],
    onSuccess('POST', '/invoices', (response, { body }) => {
      if (JSON.stringify(body).includes('invoice_number')) response.status = 200;
    }),
  ],
  // DEP-FILTER-08 sends requests with this filter, but does not notice the bug.
  'the `status=partially_captured` filter finds nothing': [
    ['DEP-FILTER-08', 'DEP-FILTER-14'],
    onData('GET', '/deposits', (page, { query }) => {
      if (query.get('status') === 'partially_captured') Object.assign(page, { data: [], total: 0 });
    }),
  ],
  'the response to a release has an undocumented status': [
    ['DEP-RELEASE-01', 'DEP-READ-03'],
    onData('POST', /\/release$/, (deposit) => Object.assign(deposit, { status: 'voided' })),
  ],
};

test.each(Object.entries(bugs))('%s', async (_bug, [ids, interceptor]) => {
  const senders = ids.slice(0, -1);
  const clausesToRun = clauses.filter(({ id }) => ids.includes(id));
  const target = await startMutatingProxy(await openAccount({}, 'demo'), interceptor);
  const outcome = await checkClauses(target, clausesToRun, { eventuallyTimeoutMs: 1_000 });
  expect(describeResults(outcome, 'passed', 'failed', 'warned', 'skipped', 'broken')).toEqual([
    ...senders.map((sender) => `${sender} passed: `),
    expect.stringMatching(`^${ids.at(-1)} (?:failed|warned): expected `),
  ]);
});

test('invoices whose `id` is null are checked, although an invalid request has created one of them', async () => {
  const target = await startMutatingProxy(await openAccount(), onData('POST', '/invoices', fieldSetter({ id: null })));
  // INV-RULE-43 sends a body that the target accepts, although a part of it is invalid.
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => id === 'INV-RULE-43' || id === 'INV-CREATE-11'),
    { eventuallyTimeoutMs: 100 },
  );
  expect(outcome.resultOf('INV-CREATE-11').status).toBe('failed');
});

test('if only the list shows wrong metadata, the list is the first evidence', async () => {
  const target = await startMutatingProxy(
    await openAccount(),
    onRecords('/deposits', (record) => Object.assign(record, { metadata: { run: 'another' } })),
  );
  const outcome = await checkClauses(
    target,
    clauses.filter(({ id }) => id === 'DEP-FIELD-09'),
  );
  const { status, evidence } = outcome.resultOf('DEP-FIELD-09');
  expect([status, evidence[0]?.call.path]).toEqual(['warned', expect.stringMatching(/^\/deposits\?/)]);
});

test('a clause that needs the ids of all records names the request whose response has no id', async () => {
  const target = await startMutatingProxy(
    await openAccount(),
    onSuccess('POST', '/payment-links', (response) => replaceWithError(response, 500)),
  );
  const outcome = await checkClauses(
    target,
    ['LINK-CREATE-01', 'LINK-LIST-47'].flatMap((id) => clauses.filter((clause) => clause.id === id)),
  );
  expect(outcome.resultOf('LINK-LIST-47')).toMatchObject({
    missing: 'the ids of all records',
    detail: expect.stringMatching(/: POST \/payment-links with the body \{.+\} got status 500 and no usable id$/),
    evidence: expect.arrayContaining([expect.objectContaining({ status: 500 })]),
  });
});
