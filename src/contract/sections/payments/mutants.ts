import type { JsonObject } from '../../engine/json.js';
import type { Interceptor } from '../../mutation/interceptor.js';
import {
  changeField,
  combine,
  fieldConverter,
  fieldRemover,
  fieldSetter,
  firstValueRepeater,
  isSuiteText,
  onData,
  onList,
  onRecords,
  onRequest,
  replaceLastWithCopy,
} from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';
import { listMutants } from '../paging/mutants.js';
import { hasOnlyFilters } from '../payment-filters/mutants.js';

const paymentsPath = '/payments';

/** Changes each payment of the list. */
const onListed = (change: (record: JsonObject) => void): Interceptor => onRecords(paymentsPath, change);
/** Changes only payments that the suite did not make, since other clauses compare those that it made. */
const onOtherPayments = (change: (record: JsonObject) => void): Interceptor =>
  onListed((record) => {
    if (!isSuiteText(record['description'])) change(record);
  });
const removeFromOtherPayments = (field: string): Interceptor => onOtherPayments(fieldRemover(field));
const changeFieldOfOtherPayments = (field: string, convert: (value: unknown) => unknown): Interceptor =>
  onOtherPayments(fieldConverter(field, convert));
const changeFieldOfAllPayments = (field: string, convert: (value: unknown) => unknown): Interceptor =>
  onListed(fieldConverter(field, convert));

/** Adds a prefix to the descriptions of payments, and removes it from the `description` filter. */
function prefixDescription(): Interceptor {
  return combine(
    onRequest('GET', paymentsPath, ({ query }) => {
      const text = query.get('description');
      // Some filters of the suite omit the first letter of a description, which is now the `P` of the prefix.
      if (text !== null) query.set('description', text.replace(/^p?ayment for /i, ''));
    }),
    changeFieldOfAllPayments('description', (text) => `Payment for ${text}`),
  );
}

/** Replaces `paid_at` of all payments with a time that is a second later in each response. */
function setPaidAtToResponseTime(): Interceptor {
  let responseTime = Date.now();
  return onList(paymentsPath, (records) => {
    responseTime += 1_000;
    const time = new Date(responseTime).toISOString();
    return records.map((record) => (record['paid_at'] === null ? record : { ...record, paid_at: time }));
  });
}

/** Makes `payment_link_url` of a payment the URL of the newest link with the description of the payment. */
function showUrlOfNewestLink(): Interceptor {
  const urls = new Map<unknown, unknown>();
  return combine(
    onData('POST', '/payment-links', ({ description, url }) => urls.set(description, url)),
    onListed((record) => {
      const { description, payment_link_url: url } = record;
      Object.assign(record, { payment_link_url: urls.get(description) ?? url });
    }),
  );
}

/** Makes `total` keep its first value if no filter is used. */
function freezeTotal(): Interceptor {
  const change = firstValueRepeater('total');
  return onData('GET', paymentsPath, (page, { query }) => hasOnlyFilters()(query) && change(page));
}

/** Mutants for the clauses about the list of payments, their fields and their links (PAY-LIST, PAY-FIELD, PAY-LINK). */
export const paymentMutants: readonly MutantRow[] = [
  ...listMutants({ prefix: 'PAY-LIST', path: paymentsPath, plural: 'payments', hasPageSizeLimits: true }),
  ['PAY-LIST-21', 'No payment is listed.', onData('GET', paymentsPath, fieldSetter({ data: [], total: 0 }))],
  ['PAY-FIELD-01', 'The `id` of a payment is a string.', changeFieldOfOtherPayments('id', String)],
  ['PAY-FIELD-02', 'The `description` of a payment is null.', changeFieldOfOtherPayments('description', () => null)],
  [
    'PAY-FIELD-03',
    'The `amount` of a payment includes a currency symbol.',
    changeFieldOfOtherPayments('amount', (amount) => `${amount} €`),
  ],
  [
    'PAY-FIELD-04',
    'The `currency` of a payment is in lower case.',
    changeFieldOfOtherPayments('currency', (currency) => String(currency).toLowerCase()),
  ],
  [
    'PAY-FIELD-05',
    'A paid payment has the status `succeeded`.',
    changeFieldOfOtherPayments('status', (status) => (status === 'paid' ? 'succeeded' : status)),
  ],
  ['PAY-FIELD-06', 'Payments have no `payment_method`.', removeFromOtherPayments('payment_method')],
  [
    'PAY-FIELD-07',
    'The `payment_link_id` of a payment is a string.',
    changeFieldOfOtherPayments('payment_link_id', (id) => (id === null ? id : String(id))),
  ],
  ['PAY-FIELD-08', 'Payments have no `payment_link_url`.', removeFromOtherPayments('payment_link_url')],
  ['PAY-FIELD-09', 'Payments have no `reference`.', removeFromOtherPayments('reference')],
  ['PAY-FIELD-10', 'Payments have no `paid_at`.', changeFieldOfOtherPayments('paid_at', () => null)],
  [
    'PAY-FIELD-11',
    'The `created_at` of a payment is a date without a time.',
    changeFieldOfOtherPayments('created_at', (time) => String(time).slice(0, 10)),
  ],
  ['PAY-FIELD-12', 'Payments have no `customer`.', removeFromOtherPayments('customer')],
  ['PAY-FIELD-13', 'The customers of payments have no `id`.', removeFromOtherPayments('customer.id')],
  ['PAY-FIELD-14', 'The customers of payments have no `name`.', removeFromOtherPayments('customer.name')],
  [
    'PAY-FIELD-15',
    'The `email` of the customer of a payment is a number.',
    onOtherPayments((record) => changeField(record, 'customer', fieldSetter({ email: 7 }))),
  ],
  [
    'PAY-LINK-01',
    'A payment refers to the wrong link.',
    changeFieldOfAllPayments('payment_link_id', (id) => (id === null ? id : Number(id) + 1)),
  ],
  [
    'PAY-LINK-02',
    'The `payment_link_url` of a payment is not the URL of its link.',
    changeFieldOfAllPayments('payment_link_url', (url) => (url === null ? url : `${url}/pay`)),
  ],
  [
    'PAY-LINK-03',
    'All payments have the same description.',
    changeFieldOfAllPayments('description', () => 'A payment'),
  ],
  ['PAY-LINK-04', 'The description of a payment has a prefix.', prefixDescription],
  [
    'PAY-LINK-05',
    'The amounts of payments are in cents.',
    changeFieldOfAllPayments('amount', (amount) => Number(amount) * 100),
  ],
  ['PAY-LINK-06', 'All payments are in USD.', changeFieldOfAllPayments('currency', () => 'USD')],
  ['PAY-LINK-07', 'Payments are always `pending`.', changeFieldOfAllPayments('status', () => 'pending')],
  ['PAY-LIST-22', 'The `total` of payments never changes.', freezeTotal],
  ['PAY-LINK-08', 'All payments are in EUR.', changeFieldOfAllPayments('currency', () => 'EUR')],
  [
    'PAY-LINK-09',
    'In descriptions of payments, non-ASCII characters become question marks.',
    changeFieldOfAllPayments('description', (text) => String(text).replace(/[^ -~]/gu, '?')),
  ],
  [
    'PAY-LINK-10',
    'The `payment_link_url` of a payment lacks the numeric suffix of its link.',
    changeFieldOfAllPayments('payment_link_url', (url) => (url === null ? url : String(url).replace(/-\d+$/, ''))),
  ],
  [
    'PAY-LINK-13',
    'The `payment_link_url` of a payment is the URL of the newest link with its description.',
    showUrlOfNewestLink,
  ],
  [
    'PAY-LINK-11',
    'Descriptions of payments are truncated to 140 characters.',
    changeFieldOfAllPayments('description', (text) => String(text).slice(0, 140)),
  ],
  [
    'PAY-LINK-14',
    'The payment of a link is listed a second time, with another `id`.',
    replaceLastWithCopy(paymentsPath, ({ description }) => isSuiteText(description)),
  ],
  ['PAY-LINK-15', 'All payments have the same `reference`.', changeFieldOfAllPayments('reference', () => 'PAY')],
  ['PAY-LINK-12', 'The `paid_at` of a payment is the time of the response.', setPaidAtToResponseTime],
];
