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
  oneOf,
  orAbsent,
} from '../../engine/expect.js';
import { pageQuotes, paymentFilterQuotes, paymentQuotes } from '../field-quotes.js';
import { allRecords, fieldClauses, fieldOf, type RecordLocation } from '../fields.js';
import { listClauses } from '../paging/clauses.js';
import { expectTotalGrew } from '../paging/list-growth.js';
import { expectFound } from '../paging/setups.js';
import { paymentLinkClauses } from './link-clauses.js';
import {
  isPaid,
  linkPaymentSearch,
  listedPayments,
  paymentListGrowth,
  paymentStatuses,
  paymentsResponse,
  threePayments,
} from './setups.js';

const common = { level: 'documented', operation: 'listPayments', spec: 'Payment' } as const;

/** The payments on all pages of the list that the suite has read. */
const allPayments = allRecords(common.operation, listedPayments);

/**
 * Clauses about fields that some payments lack. The specification leaves open how a missing value is represented: the
 * field may be absent, null or empty.
 */
const optionalFieldClauses: readonly Clause[] = (
  [
    ['02', 'description', aString, 'that belongs to a link', belongsToLink],
    ['06', 'payment_method', aString, 'that is paid', isPaid],
    ['07', 'payment_link_id', anInteger, 'that belongs to a link', belongsToLink],
    ['08', 'payment_link_url', aUrl, 'that belongs to a link', belongsToLink],
    ['09', 'reference', aString, 'that is paid', isPaid],
    ['10', 'paid_at', aTimestamp, 'that is paid', isPaid],
  ] as const
).map(([number, field, matcher, condition, isRequired]) => ({
  ...common,
  id: `PAY-FIELD-${number}`,
  quote: paymentQuotes[field],
  title: `\`${field}\` of a payment ${condition} is ${matcher.description}.`,
  readsEarlierResponses: true,
  check: async (context) => {
    for (const location of await allPayments(context)) {
      const path = `${location.path}.${field}`;
      if (isRequired(location)) expectField(location.exchange, path, matcher);
      else if (fieldOf(location, field) !== '') expectField(location.exchange, path, orAbsent(matcher));
    }
  },
}));

/** True if a payment belongs to a link. The list may also contain payments of invoices, which have no link. */
function belongsToLink(payment: RecordLocation): boolean {
  return ['payment_link_id', 'payment_link_url'].some((field) => (fieldOf(payment, field) ?? '') !== '');
}

/** Payments and their links. */
export const paymentClauses: readonly Clause[] = [
  ...listClauses({
    prefix: 'PAY-LIST',
    operation: 'listPayments',
    spec: 'GET /payments',
    quotes: { list: 'Response: pagination envelope of payments.', perPage: paymentFilterQuotes.per_page },
    path: '/payments',
    plural: 'payments',
    level: 'documented',
    largestPage: paymentsResponse,
    threeRecords: threePayments,
  }),
  {
    ...common,
    id: 'PAY-LIST-21',
    spec: 'What the service does',
    quote: '- list incoming payments, filtered by description, status and date range, for reconciliation;',
    title: 'The payment of a link is in the list of payments.',
    check: async (context) =>
      expectFound(await context.use(linkPaymentSearch), 'the payment of the link', context.exchanges.at(-1)),
  },
  {
    ...common,
    id: 'PAY-LIST-22',
    spec: 'Pagination envelope (list endpoints)',
    quote: pageQuotes.total,
    title: 'The `total` of the list of payments includes new ones.',
    check: async (context) => expectTotalGrew(await context.use(paymentListGrowth)),
  },
  ...fieldClauses({
    prefix: 'PAY-FIELD',
    ...common,
    quotes: paymentQuotes,
    recordName: 'a payment',
    records: allPayments,
    fields: {
      '01': ['id', anInteger],
      '03': ['amount', aDecimal],
      '04': ['currency', aCurrency],
      '05': ['status', oneOf(...paymentStatuses)],
      11: ['created_at', aTimestamp],
      12: ['customer', anObject],
      13: ['customer.id', anInteger],
      14: ['customer.name', aString],
      // As in an invoice: the specification does not state that every customer has an email address.
      15: ['customer.email', orAbsent(aString)],
    },
  }),
  ...optionalFieldClauses,
  ...paymentLinkClauses,
];
