import { minuteMs } from '../../../lib/durations.js';
import { isRecord } from '../../../lib/json.js';
import { Blocked, Skip, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import { recordsAt, timestampOf, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { formatExactJson, type JsonObject } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import type { CreatedRecord } from '../created-records.js';
import { linkQuotes, newLinkQuotes, paymentQuotes } from '../field-quotes.js';
import { fieldOf, type RecordLocation, recordOf } from '../fields.js';
import { largeLink, letterCaseLink, paidLink, unusualText, urlOfCreated } from '../payment-links/setups.js';
import { successesSoFar } from '../responses.js';
import { expectFieldEquals, expectFieldValue, isSameValue } from '../same-values.js';
import {
  largePaymentLocation,
  linkPaymentInLongerList,
  linkPaymentLocation,
  otherPaidLinks,
  paymentsResponse,
  repeatedDescriptionLink,
  suffixedPaymentLocation,
  unusualPaymentLocation,
  usdPaymentLocation,
} from './setups.js';
import { checkShownPayments } from './shown-payments.js';

const common = { level: 'documented', operation: 'listPayments', spec: 'Payment' } as const;

/** Clauses about values that a payment and its link have in common, in fields whose names may differ. */
const linkFieldClauses: readonly Clause[] = (
  [
    ['01', 'documented', 'payment_link_id', 'id'],
    ['02', 'documented', 'payment_link_url', 'url'],
    ['04', 'inferred', 'description', 'description'],
    ['06', 'inferred', 'currency', 'currency'],
  ] as const
).map(([number, level, field, linkField]) => ({
  ...common,
  id: `PAY-LINK-${number}`,
  level,
  quote: paymentQuotes[field],
  title: `\`${field}\` of a link's payment is the \`${linkField}\` of the link.`,
  readsEarlierResponses: true,
  check: (context) =>
    checkShownPayments(context, (payment, { record, body, exchange }) => {
      const expected = body[linkField] ?? record[linkField];
      if (expected === undefined)
        throw new Blocked(`the response to the creation of the link has no \`${linkField}\``, exchange);
      expectFieldEquals(payment, field, expected);
    }),
}));

/** Returns the ids of the paid payments of a link in the responses so far. @throws Violation if there are several */
function paidPaymentsOf(context: ClauseContext, linkId: unknown): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const response of successesSoFar(context, 'listPayments')) {
    for (const payment of recordsAt(response.json, 'data.data')) {
      if (!isSameValue(payment['payment_link_id'], linkId) || payment['status'] !== 'paid') continue;
      if (ids.add(String(payment['id'])).size > 1)
        throw new Violation(`one payment of the link ${linkId}`, [...ids].join(', '), response);
    }
  }
  return ids;
}

/** Payments and the links that they are for. */
export const paymentLinkClauses: readonly Clause[] = [
  ...linkFieldClauses,
  {
    ...common,
    id: 'PAY-LINK-03',
    operation: 'createPaymentLink',
    spec: 'POST /payment-links',
    quote: newLinkQuotes.description,
    title: 'The description of a link is included in the records of its payments.',
    readsEarlierResponses: true,
    check: (context) =>
      checkShownPayments(context, (payment, { body }) => expectDescription(payment, body['description'])),
  },
  {
    ...common,
    id: 'PAY-LINK-05',
    spec: 'Payment link',
    quote: linkQuotes.amount,
    title: 'The payment of a link has the fixed amount of the link.',
    readsEarlierResponses: true,
    check: (context) =>
      checkShownPayments(context, (payment, { record, body }) =>
        expectAmount(payment, { currency: record['currency'], ...body }),
      ),
  },
  {
    ...common,
    id: 'PAY-LINK-07',
    level: 'inferred',
    quote: paymentQuotes.status,
    title: 'The payment of a paid link is `paid`.',
    check: async (context) => {
      expectFieldValue(await context.use(linkPaymentLocation), 'status', 'paid');
    },
  },
  {
    ...common,
    id: 'PAY-LINK-08',
    level: 'inferred',
    quote: paymentQuotes.currency,
    title: 'The payment of a link in a currency other than the default is in the currency of the link.',
    check: async (context) => {
      expectFieldValue(await context.use(usdPaymentLocation), 'currency', 'USD');
    },
  },
  {
    ...common,
    id: 'PAY-LINK-09',
    operation: 'createPaymentLink',
    spec: 'POST /payment-links',
    quote: newLinkQuotes.description,
    title: 'A description in any script is included in the records of payments as it was sent.',
    check: async (context) => {
      expectDescription(await context.use(unusualPaymentLocation), unusualText(context));
    },
  },
  {
    ...common,
    id: 'PAY-LINK-10',
    quote: paymentQuotes.payment_link_url,
    title: '`payment_link_url` of a payment has the numeric suffix of its link.',
    check: async (context) => {
      const url = urlOfCreated(await context.use(letterCaseLink));
      expectFieldValue(await context.use(suffixedPaymentLocation), 'payment_link_url', url);
    },
  },
  {
    ...common,
    id: 'PAY-LINK-13',
    quote: paymentQuotes.payment_link_url,
    title: '`payment_link_url` of a payment is the URL of its own link, even if a newer link has the same description.',
    check: async (context) => {
      const url = urlOfCreated(await context.use(paidLink));
      await context.use(repeatedDescriptionLink);
      expectFieldValue(await context.use(linkPaymentInLongerList), 'payment_link_url', url);
    },
  },
  {
    ...common,
    id: 'PAY-LINK-11',
    operation: 'createPaymentLink',
    spec: 'POST /payment-links',
    quote: `${newLinkQuotes.description} … ${newLinkQuotes.amount}`,
    title: "A payment has its link's whole description, even a long one, and its amount, even one above 1,000.",
    check: async (context) => {
      const { body, record } = await context.use(largeLink);
      const location = await context.use(largePaymentLocation);
      expectDescription(location, body['description']);
      expectAmount(location, { currency: record['currency'], ...body });
    },
  },
  {
    ...common,
    id: 'PAY-LINK-14',
    // The specification does not say how often a link can be paid; the driver pays each of these links once.
    level: 'inferred',
    quote: paymentQuotes.payment_link_id,
    title: 'A link that was paid once has one payment that is `paid`.',
    readsEarlierResponses: true,
    check: async (context) => {
      const paid = [await context.use(paidLink)];
      for (const { link: setup } of otherPaidLinks) {
        const link = await ifPossible(context.use(setup));
        if (link) paid.push(link);
      }
      await context.runIfPossible(paymentsResponse);
      const payments = paid.map(({ record }) => paidPaymentsOf(context, record['id']));
      if (payments.every(({ size }) => size === 0))
        throw new Skip({ missing: 'a paid payment of a link', reason: 'no response shows one' });
    },
  },
  {
    ...common,
    id: 'PAY-LINK-15',
    level: 'inferred',
    quote: paymentQuotes.reference,
    title: 'Payments of different links have different references, and each keeps its reference in all responses.',
    readsEarlierResponses: true,
    check: async (context) => {
      const location = await context.use(linkPaymentLocation);
      if (fieldOf(location, 'reference') === undefined)
        throw new Blocked('payments have no `reference`', location.exchange);
      const shown = new Map<string, { readonly reference: unknown; readonly link: CreatedRecord }>();
      await checkShownPayments(context, (payment, link) => {
        const [id, reference, status] = ['id', 'reference', 'status'].map((field) => fieldOf(payment, field));
        // Until it is paid, a payment may have no reference yet.
        if (status !== 'paid') return;
        const earlier = shown.get(String(id))?.reference;
        // Two payments of one link may have the same reference: the specification does not say where it comes from.
        const isOfOtherLink = [...shown.values()].some(
          (other) => other.reference === reference && other.link.record['id'] !== link.record['id'],
        );
        if (earlier === undefined && isOfOtherLink)
          throw new Violation('each payment to have a different `reference`', reference, payment.exchange);
        if (earlier !== undefined && earlier !== reference)
          throw new Violation(`\`reference\` to be "${earlier}", as in other responses`, reference, payment.exchange);
        shown.set(String(id), { reference, link });
      });
    },
  },
  {
    ...common,
    id: 'PAY-LINK-12',
    level: 'inferred',
    quote: `${paymentQuotes.paid_at} … ${paymentQuotes.created_at}`,
    title: '`created_at` and `paid_at` of a payment are close to the time of the payment, and equal in all responses.',
    readsEarlierResponses: true,
    check: async (context) => {
      const { record: link } = await context.use(paidLink);
      const { exchange, path } = await context.use(linkPaymentLocation);
      for (const field of ['created_at', 'paid_at']) {
        const shownTime = valueAt(exchange.json, `${path}.${field}`);
        const [shown, linkCreated] = [timestampOf(shownTime), timestampOf(link['created_at'])];
        if (!shown) throw new Blocked(`the payment has no timestamp in \`${field}\``, exchange);
        if (linkCreated && Math.abs(shown.at - linkCreated.at) > maxPaymentDelayMs)
          throw new Violation(
            `\`${path}.${field}\` to be within minutes of ${link['created_at']}, when the link was created`,
            shownTime,
            exchange,
          );
        // Keyed by the id of the payment.
        const times = new Map<string, unknown>();
        await checkShownPayments(context, (payment) => {
          const [id, time, status] = ['id', field, 'status'].map((name) => fieldOf(payment, name));
          if (status !== 'paid') return;
          const expected = times.get(String(id)) ?? time;
          times.set(String(id), expected);
          // To the millisecond: `isSameValue` allows a second, which could hide that a target computes the time again for
          // each response.
          if (timestampOf(time)?.at !== timestampOf(expected)?.at)
            throw new Violation(`\`${field}\` to be ${expected}, as in other responses`, time, payment.exchange);
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
function expectDescription(location: RecordLocation, description: unknown): void {
  const payment = recordOf(location);
  const { payment_link_url: _url, ...fields } = isRecord(payment) ? payment : {};
  const escapedDescription = JSON.stringify(String(description).normalize()).slice(1, -1);
  if (!(formatExactJson(fields) ?? '').normalize().includes(escapedDescription)) {
    throw new Violation(
      `\`${location.path}\` to include the description ${escapedDescription}`,
      payment,
      location.exchange,
    );
  }
}

/**
 * A payment in a currency other than that of its link is not checked, since its amount was converted.
 * @throws Violation unless a payment has the amount of its link
 */
function expectAmount(payment: RecordLocation, link: JsonObject): void {
  if (!isOtherCurrency(fieldOf(payment, 'currency'), link['currency']))
    expectFieldEquals(payment, 'amount', link['amount']);
}

/** True if both are currencies, and they differ. */
function isOtherCurrency(one: unknown, other: unknown): boolean {
  return typeof one === 'string' && typeof other === 'string' && one.toUpperCase() !== other.toUpperCase();
}
