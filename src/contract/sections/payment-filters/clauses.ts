import { checkEach } from '../../engine/check-each.js';
import { Blocked, Skip, Violation } from '../../engine/check-errors.js';
import { type Clause, numberedId } from '../../engine/clause.js';
import { anArray, expectField, expectSuccess, isSuccess, requireSuccess } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { retryClause } from '../../engine/retry-clause.js';
import type { ClauseContext } from '../../engine/session.js';
import { isBetweenDates, matchesPaymentFilters } from '../../predicates/filters.js';
import { expectAccepted } from '../expect-accepted.js';
import { pageQuotes, paymentFilterQuotes } from '../field-quotes.js';
import { fieldOf } from '../fields.js';
import { filteredTotalClause } from '../paging/filtered-total-clause.js';
import { isFiltered } from '../paging/pages.js';
import { toListPage } from '../paging/setups.js';
import {
  largePaymentLocation,
  linkPaymentLocation,
  listedPayments,
  paidLargeLink,
  samplePayment,
  threePayments,
  unusualSample,
  usdSample,
} from '../payments/setups.js';
import { expectEachResponse, responsesSoFar } from '../responses.js';
import { allFilters, allFiltersCitation, rangeAfter, rangeBefore, sampleFilterClauses } from './sample-filters.js';
import {
  checkFilteredLists,
  checkFilters,
  expectAllOfStatus,
  expectEach,
  expectInUnfilteredList,
  expectSampleFound,
  expectSampleLeftOut,
  expectSampleOnFirstPage,
  getPayments,
  getPaymentsUntil,
  otherStatus,
  paymentsByOtherLetterCase,
  paymentsByPart,
  paymentsByStatus,
  paymentsFromLaterDay,
  paymentsToEarlierDay,
  paymentsWithoutMatch,
} from './setups.js';

const common = { level: 'documented', operation: 'listPayments', spec: 'GET /payments' } as const;

/** Searches the descriptions for a text that another field of a payment has: only descriptions may match. */
async function expectOnlyInDescriptions(context: ClauseContext, text: string): Promise<void> {
  const found = await getPayments(context, { description: text });
  expectEach(found, `whose description has ${text}`, (record) => matchesPaymentFilters(record, { description: text }));
}

/** Filters of payments, alone and combined. Each is tried on a payment that clearly matches, or clearly does not. */
export const paymentFilterClauses: readonly Clause[] = [
  {
    ...common,
    id: 'PAY-FILTER-01',
    quote: paymentFilterQuotes.description,
    title: '`description` finds a payment by a part of its description.',
    check: async (context) => expectSampleFound(await context.use(paymentsByPart), await context.use(samplePayment)),
  },
  {
    ...common,
    id: 'PAY-FILTER-02',
    quote: paymentFilterQuotes.description,
    title: '`description` ignores case.',
    check: async (context) =>
      expectSampleFound(await context.use(paymentsByOtherLetterCase), await context.use(samplePayment)),
  },
  {
    ...common,
    id: 'PAY-FILTER-03',
    quote: paymentFilterQuotes.description,
    title: '`description` leaves out payments without the text.',
    readsEarlierResponses: true,
    check: async (context) => {
      for (const { part, ...found } of [
        await context.use(paymentsByPart),
        await context.use(paymentsByOtherLetterCase),
      ]) {
        expectEach(found, `with ${part}`, (record) => matchesPaymentFilters(record, { description: part }));
      }
      const response = await context.use(paymentsWithoutMatch);
      expectSuccess(response);
      const none = toListPage(response);
      if (none.records.length > 0)
        throw new Violation('no payment, since none contains the text', none.records[0], none.page);
      await checkFilteredLists(context, ['description']);
    },
  },
  ...paymentsByStatus.map(
    ({ status, payments }, index): Clause => ({
      ...common,
      id: numberedId('PAY-FILTER', 4 + index),
      quote: paymentFilterQuotes.status,
      title: `\`status=${status}\` leaves out payments with another status.`,
      readsEarlierResponses: true,
      check: async (context) => {
        expectEach(await context.use(payments), `that are ${status}`, (record) =>
          matchesPaymentFilters(record, { status }),
        );
        // Throws Skip if the account has no payments, since then the filter had nothing to leave out.
        const listed = await context.use(listedPayments);
        await checkFilteredLists(context, ['status'], (filters) => filters['status'] === status);
        if (listed.every((payment) => (fieldOf(payment, 'status') ?? status) === status))
          throw new Skip({ missing: `a payment that is not ${status}`, reason: 'none is listed' });
      },
    }),
  ),
  {
    ...common,
    id: 'PAY-FILTER-08',
    quote: paymentFilterQuotes.status,
    title: '`status` finds all payments that the list shows with that status.',
    check: async (context) => {
      const sample = await context.use(samplePayment);
      const query = { status: sample.status, description: sample.descriptionPart };
      await checkFilters(context, query, expectSampleFound, sample);
      for (const filter of paymentsByStatus)
        await retryClause((isFirstAttempt) => expectAllOfStatus(context, filter, isFirstAttempt));
    },
  },
  {
    ...common,
    id: 'PAY-FILTER-09',
    quote: paymentFilterQuotes.status,
    title: '`status` and `description` together leave out a payment that matches only one of them.',
    check: async (context) => {
      const sample = await context.use(samplePayment);
      const queries = [
        { status: otherStatus(sample), description: sample.descriptionPart },
        { status: sample.status, description: sample.otherDescription },
      ];
      await checkEach(queries, (query) => checkFilters(context, query, expectSampleLeftOut, sample));
    },
  },
  {
    ...common,
    id: 'PAY-FILTER-10',
    quote: paymentFilterQuotes.from,
    title: '`from` and `to` leave out payments outside the range.',
    readsEarlierResponses: true,
    check: async (context) => {
      const { earlierDay, laterDay } = await context.use(samplePayment);
      expectEach(await context.use(paymentsFromLaterDay), `of ${laterDay} or later`, (record) =>
        isBetweenDates(record, { from: laterDay }),
      );
      expectEach(await context.use(paymentsToEarlierDay), `of ${earlierDay} or earlier`, (record) =>
        isBetweenDates(record, { to: earlierDay }),
      );
      await checkFilteredLists(context, ['from', 'to']);
    },
  },
  {
    ...common,
    id: 'PAY-FILTER-12',
    quote: paymentFilterQuotes.from,
    title: 'A `from` date after a payment leaves it out.',
    check: async (context) =>
      expectSampleLeftOut(await context.use(paymentsFromLaterDay), await context.use(samplePayment), context),
  },
  {
    ...common,
    id: 'PAY-FILTER-14',
    quote: paymentFilterQuotes.to,
    title: 'A `to` date before a payment leaves it out.',
    check: async (context) =>
      expectSampleLeftOut(await context.use(paymentsToEarlierDay), await context.use(samplePayment), context),
  },
  ...sampleFilterClauses,
  {
    ...common,
    ...allFiltersCitation,
    id: 'PAY-FILTER-18',
    title: 'All filters combined find a payment that matches each of them, in any currency.',
    check: async (context) => {
      const inDollars = await ifPossible(context.use(usdSample));
      const samples = [await context.use(samplePayment), ...(inDollars ? [inDollars] : [])];
      await checkEach(samples, (sample) => checkFilters(context, allFilters(sample), expectSampleFound, sample));
    },
  },
  {
    ...common,
    id: 'PAY-FILTER-26',
    quote: paymentFilterQuotes.from,
    title: '`from` and `to` may be a century apart and find payments in between.',
    check: async (context) => {
      const sample = await context.use(samplePayment);
      const query = { description: sample.descriptionPart, from: '2000-01-01', to: '2099-12-31' };
      await checkFilters(context, query, expectSampleFound, sample);
    },
  },
  filteredTotalClause('PAY-FILTER-27', 'listPayments', 'payments', paymentsByPart),
  {
    ...common,
    id: 'PAY-FILTER-28',
    spec: 'Pagination envelope (list endpoints)',
    quote: pageQuotes.data,
    title: '`data.data` of filtered payments is an array.',
    readsEarlierResponses: true,
    check: async (context) => {
      await context.runIfPossible(paymentsByPart);
      const earlier = responsesSoFar(context, 'listPayments').filter(isFiltered);
      const responses = earlier.length > 0 ? earlier : [await context.get('/payments?status=paid')];
      const successes = responses.filter(isSuccess);
      if (successes.length === 0) throw new Blocked('no request with a filter succeeded', responses[0]);
      expectEachResponse(context, successes, (page) => expectField(page, 'data.data', anArray));
    },
  },
  {
    ...common,
    id: 'PAY-FILTER-29',
    spec: 'Pagination envelope (list endpoints)',
    quote: pageQuotes.data,
    title: '`data.data` is an array if no payment matches.',
    check: async (context) =>
      expectField(requireSuccess(await context.use(paymentsWithoutMatch)), 'data.data', anArray),
  },
  {
    ...common,
    id: 'PAY-FILTER-30',
    quote: paymentFilterQuotes.per_page,
    title: 'With `per_page=1`, a page of filtered payments has one payment.',
    check: async (context) => {
      const { id, descriptionPart, status } = await context.use(samplePayment);
      await context.runIfPossible(threePayments);
      // Only four characters, so that other payments of the suite match, too, and perhaps others of the account.
      const query = { description: descriptionPart.slice(0, 4).trim(), status, per_page: '1' };
      const { page, records, total } = await getPaymentsUntil(context, query, (found) => found.records.length > 0);
      if (records.length === 0)
        throw new Violation(`1 payment, since the payment ${id} matches the filters`, 'no payments', page);
      if (records.length > 1) throw new Violation('1 payment', `${records.length}`, page);
      if ((total ?? 0) < 2)
        throw new Skip({ missing: 'a second payment', reason: '`total` does not show that two match the filters' });
    },
  },
  {
    ...common,
    // The specification calls them start and end date, but does not say that these days are included.
    level: 'inferred',
    id: 'PAY-FILTER-33',
    quote: paymentFilterQuotes.from,
    title: 'A range that begins and ends on the day of a payment finds it.',
    check: async (context) => {
      const sample = await context.use(samplePayment);
      await checkFilters(
        context,
        { description: sample.descriptionPart, ...sample.dayRange },
        expectSampleFound,
        sample,
      );
    },
  },
  {
    ...common,
    id: 'PAY-FILTER-36',
    quote: paymentFilterQuotes.description,
    title: '`description` does not search the email addresses of customers.',
    check: async (context) => {
      const payments = await context.use(listedPayments);
      const emails = payments.map((payment) => String(fieldOf(payment, 'customer.email')));
      // Servers log URLs, so only the domain is sent.
      const atDomain = emails.flatMap((email) => /@.+/.exec(email) ?? []).at(0);
      if (atDomain === undefined)
        throw new Skip({ missing: 'a payment with an email address', reason: 'no customer of a payment has one' });
      await expectOnlyInDescriptions(context, atDomain);
    },
  },
  {
    ...common,
    id: 'PAY-FILTER-39',
    quote: paymentFilterQuotes.description,
    title: '`description` searches neither the name of the customer nor the reference or the URL of the link.',
    check: async (context) => {
      const payment = await context.use(linkPaymentLocation);
      // Of the URL, only the part after the last slash is used: usually the slug.
      const texts = ['customer.name', 'reference', 'payment_link_url'].flatMap(
        (field) =>
          String(fieldOf(payment, field) ?? '')
            .split('/')
            .at(-1) || [],
      );
      if (texts.length === 0)
        throw new Skip({ missing: 'a payment with one of these texts', reason: 'the payment of a link has none' });
      for (const text of texts) await expectOnlyInDescriptions(context, text);
    },
  },
  {
    ...common,
    id: 'PAY-FILTER-40',
    quote: paymentFilterQuotes.description,
    title: '`description` is compared in full, even if it is long.',
    check: async (context) => {
      const description = String((await context.use(paidLargeLink)).body['description']);
      // Throws Skip unless the payment is in the list, where a filter that cuts off the text would find it.
      await context.use(largePaymentLocation);
      const otherDigit = description.endsWith('0') ? '1' : '0';
      const query = new URLSearchParams({ description: `${description.slice(0, -1)}${otherDigit}` });
      const response = await context.get(`/payments?${query}`);
      await expectAccepted(context, response);
      const { page, records } = toListPage(response);
      if (records.length > 0) throw new Violation('no payment, since none contains the text', records[0], page);
    },
  },
  {
    ...common,
    id: 'PAY-FILTER-41',
    quote: paymentFilterQuotes.description,
    title: '`description` searches the whole list, not only the payments that one page would have.',
    check: async (context) => {
      const oldest = await context.use(samplePayment);
      await context.use(threePayments);
      // If the account was empty, the second one is between other payments, so a page of one payment without the filter
      // shows at most one of the two, whatever the order. A target that filters such a page finds nothing.
      for (const sample of [oldest, await ifPossible(context.use(unusualSample))]) {
        if (!sample) continue;
        const query = { description: sample.descriptionPart, per_page: '1' };
        await checkFilters(context, query, expectSampleOnFirstPage, sample);
      }
    },
  },
  {
    ...common,
    ...allFiltersCitation,
    id: 'PAY-FILTER-42',
    title: '`status`, `from` and `to` together leave out a payment that matches only two of them.',
    check: async (context) => {
      const sample = await context.use(unusualSample);
      const { status, earlierDay, laterDay } = sample;
      const queries = [
        { status: otherStatus(sample), from: earlierDay, to: laterDay },
        { status, ...rangeAfter(sample) },
        { status, ...rangeBefore(sample) },
      ];
      await checkEach(queries, (query) => checkFilters(context, query, expectSampleLeftOut, sample));
    },
  },
  {
    ...common,
    // The specification does not say that the list without filters has the payments of every status.
    level: 'inferred',
    id: 'PAY-FILTER-37',
    quote: 'Response: pagination envelope of payments.',
    title: 'The list without filters has the payments that `status` finds.',
    check: async (context) => {
      await context.use(listedPayments);
      for (const { payments } of paymentsByStatus)
        await expectInUnfilteredList(context, (await context.use(payments)).records);
    },
  },
];
