import type { Clause } from '../../engine/clause.js';
import {
  aCurrency,
  aDecimal,
  anInteger,
  anObject,
  aString,
  aTimestamp,
  aUrl,
  expectField,
  expectValue,
  type Kind,
  oneOf,
  orAbsent,
  valueAt,
} from '../../engine/expect.js';
import { jsonText } from '../../engine/json.js';
import { Blocked, Violation } from '../../engine/verdict.js';
import { maxPerPage } from '../../predicates/statements.js';
import { linkRows, newLinkRows, pageRows, paymentFilterRows, paymentRows, rowOf } from '../field-rows.js';
import { fieldClauses, type Place } from '../fields.js';
import { expectCounted } from '../overdue/setups.js';
import { listClauses } from '../paging/clauses.js';
import { oddText, paidLink } from '../payment-links/setups.js';
import { isSame } from '../same-fields.js';
import {
  foreignPayment,
  foundPayment,
  listedPayments,
  oddPayment,
  ownPayment,
  paymentGrowth,
  paymentStatuses,
  paymentsAnswer,
  threePayments,
} from './setups.js';

const common = { operation: 'listPayments', spec: 'Payment' } as const;

/** Optional fields of a payment: the representation of a missing text is open. */
const optionalFields: readonly Clause[] = (
  [
    ['02', 'description', aString, 'of a link', isOfLink],
    ['06', 'payment_method', aString, 'that is paid', isPaid],
    ['07', 'payment_link_id', anInteger, 'of a link', isOfLink],
    ['08', 'payment_link_url', aUrl, 'of a link', isOfLink],
    ['09', 'reference', aString, 'that is paid', isPaid],
    ['10', 'paid_at', aTimestamp, 'that is paid', isPaid],
  ] as const
).map(
  ([number, field, kind, which, isSelected]: readonly [string, string, Kind, string, (place: Place) => boolean]) => ({
    id: `PAY-FIELD-${number}`,
    level: 'documented',
    ...common,
    quote: rowOf(paymentRows, field),
    title: `\`${field}\` of a payment ${which} is ${kind.description}.`,
    check: async (context) => {
      for (const place of await context.use(listedPayments)) {
        const path = `${place.at}.${field}`;
        if (isSelected(place)) expectField(place.page, path, kind);
        else if (valueAt(place.page.json, path) !== '') expectField(place.page, path, orAbsent(kind));
      }
    },
  }),
);

function isPaid({ page, at }: Place): boolean {
  return valueAt(page.json, `${at}.status`) === 'paid';
}

/** Payments of invoices may be in the list; they have no link. */
function isOfLink({ page, at }: Place): boolean {
  return ['payment_link_id', 'payment_link_url'].some(
    (field) => (valueAt(page.json, `${at}.${field}`) ?? null) !== null,
  );
}

/** Fields that a payment has in common with its link, with both names. */
const ofLink: readonly Clause[] = (
  [
    ['01', 'documented', 'payment_link_id', 'id'],
    ['02', 'documented', 'payment_link_url', 'url'],
    ['04', 'inferred', 'description', 'description'],
    ['06', 'inferred', 'currency', 'currency'],
  ] as const
).map(([number, level, field, of]) => ({
  id: `PAY-LINK-${number}`,
  level,
  ...common,
  quote: rowOf(paymentRows, field),
  title: `\`${field}\` of the payment of a link is the \`${of}\` of the link.`,
  check: async (context) => {
    const { record, body, exchange } = await context.use(paidLink);
    const wanted = body[of] ?? record[of];
    if (wanted === undefined) throw new Blocked(`the creation has shown no \`${of}\``, exchange);
    const { page, at } = await context.use(ownPayment);
    const got = valueAt(page.json, `${at}.${field}`);
    if (!isSame(wanted, got)) throw new Violation(`\`${at}.${field}\` to be ${String(wanted)}`, got, page);
  },
}));

/** Payments and their links. */
export const paymentClauses: readonly Clause[] = [
  ...listClauses({
    prefix: 'PAY-LIST',
    operation: 'listPayments',
    spec: 'GET /payments',
    quotes: { list: 'Response: pagination envelope of payments.', perPage: paymentFilterRows.per_page },
    path: '/payments',
    of: 'payments',
    level: 'documented',
    sizes: { standard: 25, maximum: maxPerPage },
    full: paymentsAnswer,
    filled: threePayments,
  }),
  {
    id: 'PAY-LIST-21',
    level: 'documented',
    operation: 'listPayments',
    spec: 'What the service does',
    quote: '- list incoming payments, filtered by description, status and date range, for reconciliation;',
    title: 'The payment of a link is in the list of payments.',
    check: async (context) => {
      const found = await context.use(foundPayment);
      if (found === 'absent') {
        throw new Violation('the payment of the link in the list', 'a list without it', context.exchanges.at(-1));
      }
      if (found === 'elsewhere') throw new Blocked('the list is too long to search');
    },
  },
  {
    id: 'PAY-LIST-22',
    level: 'documented',
    operation: 'listPayments',
    spec: 'Pagination envelope (list endpoints)',
    quote: pageRows.total,
    title: '`total` of payments includes new ones.',
    check: async (context) => expectCounted(await context.use(paymentGrowth)),
  },
  ...fieldClauses({
    prefix: 'PAY-FIELD',
    ...common,
    rows: paymentRows,
    of: 'a payment',
    place: listedPayments,
    fields: {
      '01': ['id', anInteger],
      '03': ['amount', aDecimal],
      '04': ['currency', aCurrency],
      '05': ['status', oneOf(...paymentStatuses)],
      11: ['created_at', aTimestamp],
      12: ['customer', anObject],
      13: ['customer.id', anInteger],
      14: ['customer.name', aString],
      15: ['customer.email', aString],
    },
  }),
  ...optionalFields,
  ...ofLink,
  {
    id: 'PAY-LINK-03',
    level: 'documented',
    operation: 'createPaymentLink',
    spec: 'POST /payment-links',
    quote: newLinkRows.description,
    title: 'The description of a link is included in the records of its payments.',
    check: async (context) => {
      const { body } = await context.use(paidLink);
      const { page, at } = await context.use(ownPayment);
      const payment = valueAt(page.json, at);
      const text = JSON.stringify(body['description']).slice(1, -1);
      if (!(jsonText(payment) ?? '').includes(text)) {
        throw new Violation(`\`${at}\` to include the description ${text}`, payment, page);
      }
    },
  },
  {
    id: 'PAY-LINK-05',
    level: 'documented',
    ...common,
    spec: 'Payment link',
    quote: linkRows.amount,
    title: 'The payment of a link has the fixed amount of the link.',
    check: async (context) => {
      const { body } = await context.use(paidLink);
      const { page, at } = await context.use(ownPayment);
      const [amount, currency] = ['amount', 'currency'].map((field) => valueAt(page.json, `${at}.${field}`));
      // In another currency it is another number.
      if (isSameCurrency(currency, body['currency']) && !isSame(body['amount'], amount)) {
        throw new Violation(`\`${at}.amount\` to be ${String(body['amount'])}`, amount, page);
      }
    },
  },
  {
    id: 'PAY-LINK-07',
    level: 'inferred',
    ...common,
    quote: paymentRows.status,
    title: 'The payment of a paid link is `paid`.',
    check: async (context) => {
      const { page, at } = await context.use(ownPayment);
      expectValue(page, `${at}.status`, 'paid');
    },
  },
  {
    id: 'PAY-LINK-08',
    level: 'inferred',
    ...common,
    quote: paymentRows.currency,
    title: 'The payment of a link in a currency other than the default is in the currency of the link.',
    check: async (context) => {
      const { page, at } = await context.use(foreignPayment);
      expectValue(page, `${at}.currency`, 'USD');
    },
  },
  {
    id: 'PAY-LINK-09',
    level: 'documented',
    operation: 'createPaymentLink',
    spec: 'POST /payment-links',
    quote: newLinkRows.description,
    title: 'A description in any script is included in the records of payments as it was given.',
    check: async (context) => {
      const { page, at } = await context.use(oddPayment);
      const payment = valueAt(page.json, at);
      const text = JSON.stringify(oddText(context).normalize()).slice(1, -1);
      if (!(jsonText(payment) ?? '').normalize().includes(text)) {
        throw new Violation(`\`${at}\` to include the description ${text}`, payment, page);
      }
    },
  },
];

function isSameCurrency(one: unknown, other: unknown): boolean {
  return String(one).toUpperCase() === String(other).toUpperCase();
}
