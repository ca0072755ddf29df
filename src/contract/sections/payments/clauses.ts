import { minuteMs } from '../../../lib/durations.js';
import { isRecord } from '../../../lib/json.js';
import { Blocked, Violation } from '../../engine/check-errors.js';
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
  type Matcher,
  oneOf,
  orAbsent,
  recordsAt,
  timestampOf,
  valueAt,
} from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { formatExactJson, type JsonObject } from '../../engine/json.js';
import { linkQuotes, newLinkQuotes, pageQuotes, paymentFilterQuotes, paymentQuotes, quoteOf } from '../field-quotes.js';
import { allRecords, fieldClauses, type RecordLocation } from '../fields.js';
import { listClauses } from '../paging/clauses.js';
import { expectTotalGrew } from '../paging/list-growth.js';
import { expectFound } from '../paging/setups.js';
import { largeLink, letterCaseLink, paidLink, unusualLink, unusualText, usdLink } from '../payment-links/setups.js';
import { expectEachResponse, successesSoFar } from '../responses.js';
import { expectFieldEquals, isSameValue } from '../same-values.js';
import {
  isPaid,
  largePaymentLocation,
  linkPaymentAfterGrowth,
  linkPaymentLocation,
  linkPaymentSearch,
  listedPayments,
  paidLargeLink,
  paidSuffixedLink,
  paidUnusualLink,
  paidUsdLink,
  paymentListGrowth,
  paymentStatuses,
  paymentsResponse,
  repeatedDescriptionLink,
  suffixedPaymentLocation,
  threePayments,
  unusualPaymentLocation,
  usdPaymentLocation,
} from './setups.js';

const common = { operation: 'listPayments', spec: 'Payment' } as const;

/** All payments on the pages of the list that the suite has read. */
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
).map(
  ([number, field, matcher, condition, isRequired]: readonly [
    number: string,
    field: string,
    matcher: Matcher,
    condition: string,
    isRequired: (location: RecordLocation) => boolean,
  ]) => ({
    id: `PAY-FIELD-${number}`,
    level: 'documented',
    ...common,
    quote: quoteOf(paymentQuotes, field),
    title: `\`${field}\` of a payment ${condition} is ${matcher.description}.`,
    readsEarlierResponses: true,
    check: async (context) => {
      for (const location of await allPayments(context)) {
        const path = `${location.path}.${field}`;
        if (isRequired(location)) expectField(location.page, path, matcher);
        else if (valueAt(location.page.json, path) !== '') expectField(location.page, path, orAbsent(matcher));
      }
    },
  }),
);

/** True if a payment belongs to a link. The list may also contain payments of invoices, which have no link. */
function belongsToLink({ page, path }: RecordLocation): boolean {
  return ['payment_link_id', 'payment_link_url'].some(
    (field) => (valueAt(page.json, `${path}.${field}`) ?? null) !== null,
  );
}

/** Clauses about values that a payment and its link have in common, in fields whose names may differ. */
const linkFieldClauses: readonly Clause[] = (
  [
    ['01', 'documented', 'payment_link_id', 'id'],
    ['02', 'documented', 'payment_link_url', 'url'],
    ['04', 'inferred', 'description', 'description'],
    ['06', 'inferred', 'currency', 'currency'],
  ] as const
).map(([number, level, field, linkField]) => ({
  id: `PAY-LINK-${number}`,
  level,
  ...common,
  quote: quoteOf(paymentQuotes, field),
  title: `\`${field}\` of a link's payment is the \`${linkField}\` of the link.`,
  check: async (context) => {
    const { record, body, exchange } = await context.use(paidLink);
    const expected = body[linkField] ?? record[linkField];
    if (expected === undefined)
      throw new Blocked(`the response to the creation of the link has no \`${linkField}\``, exchange);
    expectFieldEquals(await context.use(linkPaymentLocation), field, expected);
  },
}));

/** Paid links besides `paidLink`: for each, the setup that creates it and the setup that locates its payment. */
const otherPayments = [
  [letterCaseLink, suffixedPaymentLocation],
  [unusualLink, unusualPaymentLocation],
  [usdLink, usdPaymentLocation],
] as const;

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
    id: 'PAY-LIST-21',
    level: 'documented',
    operation: 'listPayments',
    spec: 'What the service does',
    quote: '- list incoming payments, filtered by description, status and date range, for reconciliation;',
    title: 'The payment of a link is in the list of payments.',
    check: async (context) =>
      expectFound(await context.use(linkPaymentSearch), 'the payment of the link', context.exchanges.at(-1)),
  },
  {
    id: 'PAY-LIST-22',
    level: 'documented',
    operation: 'listPayments',
    spec: 'Pagination envelope (list endpoints)',
    quote: pageQuotes.total,
    title: 'The `total` of the list of payments includes new ones.',
    check: async (context) => expectTotalGrew(await context.use(paymentListGrowth)),
  },
  ...fieldClauses({
    prefix: 'PAY-FIELD',
    ...common,
    rows: paymentQuotes,
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
      15: ['customer.email', aString],
    },
  }),
  ...optionalFieldClauses,
  ...linkFieldClauses,
  {
    id: 'PAY-LINK-03',
    level: 'documented',
    operation: 'createPaymentLink',
    spec: 'POST /payment-links',
    quote: newLinkQuotes.description,
    title: 'The description of a link is included in the records of its payments.',
    check: async (context) => {
      const { body } = await context.use(paidLink);
      expectDescription(await context.use(linkPaymentLocation), body['description']);
    },
  },
  {
    id: 'PAY-LINK-05',
    level: 'documented',
    ...common,
    spec: 'Payment link',
    quote: linkQuotes.amount,
    title: 'The payment of a link has the fixed amount of the link.',
    check: async (context) => {
      const { body } = await context.use(paidLink);
      expectAmount(await context.use(linkPaymentLocation), body);
      for (const [link, location] of otherPayments) {
        const paid = await ifPossible(context.use(link));
        const found = paid && (await ifPossible(context.use(location)));
        if (found) expectAmount(found, paid.body);
      }
    },
  },
  {
    id: 'PAY-LINK-07',
    level: 'inferred',
    ...common,
    quote: paymentQuotes.status,
    title: 'The payment of a paid link is `paid`.',
    check: async (context) => {
      const { page, path } = await context.use(linkPaymentLocation);
      expectValue(page, `${path}.status`, 'paid');
    },
  },
  {
    id: 'PAY-LINK-08',
    level: 'inferred',
    ...common,
    quote: paymentQuotes.currency,
    title: 'The payment of a link in a currency other than the default is in the currency of the link.',
    check: async (context) => {
      const { page, path } = await context.use(usdPaymentLocation);
      expectValue(page, `${path}.currency`, 'USD');
    },
  },
  {
    id: 'PAY-LINK-09',
    level: 'documented',
    operation: 'createPaymentLink',
    spec: 'POST /payment-links',
    quote: newLinkQuotes.description,
    title: 'A description in any script is included in the records of payments as it was sent.',
    check: async (context) => {
      expectDescription(await context.use(unusualPaymentLocation), unusualText(context));
    },
  },
  {
    id: 'PAY-LINK-10',
    level: 'documented',
    ...common,
    quote: paymentQuotes.payment_link_url,
    title: '`payment_link_url` of a payment has the numeric suffix of its link.',
    check: async (context) => {
      const { record, exchange } = await context.use(letterCaseLink);
      const { url } = record;
      if (typeof url !== 'string') throw new Blocked('the response to the creation of the link has no `url`', exchange);
      const { page, path } = await context.use(suffixedPaymentLocation);
      expectValue(page, `${path}.payment_link_url`, url);
    },
  },
  {
    id: 'PAY-LINK-13',
    level: 'documented',
    ...common,
    quote: paymentQuotes.payment_link_url,
    title: '`payment_link_url` of a payment is the URL of its own link, even if a newer link has the same description.',
    check: async (context) => {
      const { record, exchange } = await context.use(paidLink);
      const { url } = record;
      if (typeof url !== 'string') throw new Blocked('the response to the creation of the link has no `url`', exchange);
      await context.use(repeatedDescriptionLink);
      const { page, path } = await context.use(linkPaymentAfterGrowth);
      expectValue(page, `${path}.payment_link_url`, url);
    },
  },
  {
    id: 'PAY-LINK-11',
    level: 'documented',
    operation: 'createPaymentLink',
    spec: 'POST /payment-links',
    quote: `${newLinkQuotes.description} … ${newLinkQuotes.amount}`,
    title: "A payment has its link's whole description, even a long one, and its amount, even one above 1,000.",
    check: async (context) => {
      const { body } = await context.use(largeLink);
      const location = await context.use(largePaymentLocation);
      expectDescription(location, body['description']);
      expectAmount(location, body);
    },
  },
  {
    id: 'PAY-LINK-14',
    // The specification does not say how often a link can be paid; the driver pays each of these links once.
    level: 'inferred',
    ...common,
    quote: paymentQuotes.payment_link_id,
    title: 'A link that was paid once has one payment that is `paid`.',
    readsEarlierResponses: true,
    check: async (context) => {
      const paid = [await context.use(paidLink)];
      for (const setup of [paidSuffixedLink, paidUnusualLink, paidUsdLink, paidLargeLink]) {
        const link = await ifPossible(context.use(setup));
        if (link) paid.push(link);
      }
      await context.runIfPossible(paymentsResponse);
      for (const { record } of paid) {
        const ids = new Set<unknown>();
        for (const response of successesSoFar(context, 'listPayments')) {
          for (const payment of recordsAt(response.json, 'data.data')) {
            if (!isSameValue(payment['payment_link_id'], record['id']) || payment['status'] !== 'paid') continue;
            if (ids.add(payment['id']).size > 1)
              throw new Violation(`one payment of the link ${record['id']}`, [...ids].join(', '), response);
          }
        }
      }
    },
  },
  {
    id: 'PAY-LINK-15',
    level: 'inferred',
    ...common,
    quote: paymentQuotes.reference,
    title: 'The payments of two links have different references.',
    check: async (context) => {
      const locations = [await context.use(linkPaymentLocation), await context.use(unusualPaymentLocation)];
      const [first, second] = locations.map(({ page, path }) => valueAt(page.json, `${path}.reference`));
      const lastPage = locations.at(-1)?.page;
      if (first === undefined) throw new Blocked('payments have no `reference`', lastPage);
      if (first === second) throw new Violation(`a \`reference\` other than "${first}"`, second, lastPage);
    },
  },
  {
    id: 'PAY-LINK-12',
    level: 'inferred',
    ...common,
    quote: `${paymentQuotes.paid_at} … ${paymentQuotes.created_at}`,
    title: '`created_at` and `paid_at` of a payment are close to the time of the payment, and equal in all responses.',
    readsEarlierResponses: true,
    check: async (context) => {
      const { record: link } = await context.use(paidLink);
      const { page, path } = await context.use(linkPaymentLocation);
      const id = valueAt(page.json, `${path}.id`);
      // The list that other clauses read shows the payment a second time.
      await context.use(paymentsResponse);
      const responses = successesSoFar(context, 'listPayments');
      for (const field of ['created_at', 'paid_at']) {
        const expectedTime = valueAt(page.json, `${path}.${field}`);
        const [expected, linkCreated] = [timestampOf(expectedTime), timestampOf(link['created_at'])];
        if (!expected) throw new Blocked(`the payment has no timestamp in \`${field}\``, page);
        if (linkCreated && Math.abs(expected.at - linkCreated.at) > maxPaymentDelayMs)
          throw new Violation(
            `\`${path}.${field}\` to be within minutes of ${link['created_at']}, when the link was created`,
            expectedTime,
            page,
          );
        // To the millisecond: `isSameValue` allows a second, which could hide that a target computes the time again for
        // each response.
        expectEachResponse(context, responses, (response) => {
          for (const record of recordsAt(response.json, 'data.data')) {
            if (
              isSameValue(record['id'], id) &&
              record['status'] === 'paid' &&
              timestampOf(record[field])?.at !== expected.at
            )
              throw new Violation(`\`${field}\` to be ${expectedTime}, as in other responses`, record[field], response);
          }
        });
      }
    },
  },
];

/** Maximum time from the creation of a link to its payment: the suite pays it soon. */
const maxPaymentDelayMs = 10 * minuteMs;

/**
 * The specification does not say which field of a payment includes the description of the link, so the JSON of the
 * whole payment is searched, except for the URL of the link, which may contain the description as its slug.
 * @throws Violation unless the payment includes the description
 */
function expectDescription({ page, path }: RecordLocation, description: unknown): void {
  const payment = valueAt(page.json, path);
  const { payment_link_url: _url, ...fields } = isRecord(payment) ? payment : {};
  const escapedDescription = JSON.stringify(String(description).normalize()).slice(1, -1);
  if (!(formatExactJson(fields) ?? '').normalize().includes(escapedDescription)) {
    throw new Violation(`\`${path}\` to include the description ${escapedDescription}`, payment, page);
  }
}

/**
 * A payment in a currency other than that of its link is not checked, since its amount was converted.
 * @throws Violation unless a payment has the amount of its link
 */
function expectAmount({ page, path }: RecordLocation, link: JsonObject): void {
  const currency = valueAt(page.json, `${path}.currency`);
  if (isSameCurrency(currency, link['currency'])) expectFieldEquals({ page, path }, 'amount', link['amount']);
}

function isSameCurrency(one: unknown, other: unknown): boolean {
  return String(one).toUpperCase() === String(other).toUpperCase();
}
