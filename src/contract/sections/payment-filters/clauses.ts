import type { Clause } from '../../engine/clause.js';
import { anArray, expectField, expectSuccess, isSuccess, requireSuccess, valueAt } from '../../engine/expect.js';
import type { ClauseContext } from '../../engine/session.js';
import { Blocked, Skip, Violation } from '../../engine/verdict.js';
import { addDays, containsText, isBetweenDates, isInStatus } from '../../predicates/filters.js';
import { expectEach as expectEachResponse, responsesSoFar } from '../envelope/setups.js';
import { pageRows, paymentFilterRows } from '../field-rows.js';
import { rowsPage } from '../paging/setups.js';
import {
  listedPayments,
  paymentStatuses,
  type SamplePayment,
  samplePayment,
  threePayments,
  unusualSample,
} from '../payments/setups.js';
import {
  canStopWaiting,
  expectEach,
  expectFound,
  expectLeftOut,
  getPayments,
  getPaymentsUntil,
  isFiltered,
  paymentsByOtherCase,
  paymentsByPart,
  paymentsFromLaterDay,
  paymentsToEarlierDay,
  paymentsWithoutMatch,
  type Query,
} from './setups.js';

const common = { level: 'documented', operation: 'listPayments', spec: 'GET /payments' } as const;

/** Heading and sentence about all filters together. */
const allFiltersSource = {
  spec: 'What the service does',
  quote: '- list incoming payments, filtered by description, status and date range, for reconciliation;',
} as const;

/** Filters that must find the sample payment, or leave it out. */
const sampleFilters: readonly (readonly [
  number: string,
  source: Pick<Clause, 'quote'> | typeof allFiltersSource,
  title: string,
  query: (sample: SamplePayment) => Query,
  expectation: typeof expectFound,
])[] = [
  [
    '11',
    { quote: paymentFilterRows.from },
    '`from` with a day before a payment finds it',
    ({ descriptionPart, earlierDay }) => ({ description: descriptionPart, from: earlierDay }),
    expectFound,
  ],
  [
    '13',
    { quote: paymentFilterRows.to },
    '`to` with a day after a payment finds it',
    ({ descriptionPart, laterDay }) => ({ description: descriptionPart, to: laterDay }),
    expectFound,
  ],
  [
    '15',
    { quote: paymentFilterRows.from },
    '`from` and `to` around a payment find it',
    ({ descriptionPart, earlierDay, laterDay }) => ({ description: descriptionPart, from: earlierDay, to: laterDay }),
    expectFound,
  ],
  [
    '16',
    { quote: paymentFilterRows.from },
    'A range of days before a payment leaves it out',
    ({ earlierDay }) => ({ from: addDays(earlierDay, -3), to: earlierDay }),
    expectLeftOut,
  ],
  [
    '17',
    { quote: paymentFilterRows.from },
    'A range of days after a payment leaves it out',
    ({ laterDay }) => ({ from: laterDay, to: addDays(laterDay, 3) }),
    expectLeftOut,
  ],
  [
    '18',
    allFiltersSource,
    'All filters combined find a payment that matches each of them',
    ({ descriptionPart, status, earlierDay, laterDay }) => ({
      description: descriptionPart,
      status,
      from: earlierDay,
      to: laterDay,
    }),
    expectFound,
  ],
  [
    '19',
    allFiltersSource,
    'All filters combined leave out a payment that matches all but one of them',
    ({ descriptionPart, status, laterDay }) => ({
      description: descriptionPart,
      status,
      from: laterDay,
      to: addDays(laterDay, 3),
    }),
    expectLeftOut,
  ],
  [
    '31',
    { quote: paymentFilterRows.from },
    '`from` with a day after a payment, and its description, leave it out',
    ({ descriptionPart, laterDay }) => ({ description: descriptionPart, from: laterDay }),
    expectLeftOut,
  ],
  [
    '32',
    { quote: paymentFilterRows.to },
    '`to` with a day before a payment, and its description, leave it out',
    ({ descriptionPart, earlierDay }) => ({ description: descriptionPart, to: earlierDay }),
    expectLeftOut,
  ],
];

/**
 * Values of the filter `description` that must find the payment whose description is `unusualText`, or leave it out:
 * "case-insensitive partial match". Characters that are special in patterns must be matched literally.
 */
const descriptionFilters: readonly (readonly [
  number: string,
  title: string,
  descriptionFor: (context: ClauseContext) => string,
  expectation: typeof expectFound,
])[] = [
  ['20', '`description` finds a payment by a part with non-ASCII letters', () => 'É Öl Жук 漢', expectFound],
  [
    '21',
    '`description` ignores the case of non-ASCII letters',
    ({ session }) => `${session.runId} odd àé öL жУК`,
    expectFound,
  ],
  [
    '22',
    '`description` matches pattern characters literally',
    () => '🏨 (50 %_Rabatt) [a.b]* \\d+ "q" & c',
    expectFound,
  ],
  ['23', 'A `%` in `description` is matched literally', ({ session }) => `${session.runId}%Rabatt`, expectLeftOut],
  ['24', 'A `_` in `description` is matched literally', ({ session }) => `${session.runId} o_d`, expectLeftOut],
  ['25', 'A `.` in `description` is matched literally', ({ session }) => `${session.runId} o.d`, expectLeftOut],
];

/** Filters of payments, alone and combined. Each is tried on a payment that clearly matches, or clearly does not. */
export const paymentFilterClauses: readonly Clause[] = [
  {
    ...common,
    id: 'PAY-FILTER-01',
    quote: paymentFilterRows.description,
    title: '`description` finds a payment by a part of its description.',
    check: async (context) => expectFound(await context.use(paymentsByPart), await context.use(samplePayment)),
  },
  {
    ...common,
    id: 'PAY-FILTER-02',
    quote: paymentFilterRows.description,
    title: '`description` ignores case.',
    check: async (context) => expectFound(await context.use(paymentsByOtherCase), await context.use(samplePayment)),
  },
  {
    ...common,
    id: 'PAY-FILTER-03',
    quote: paymentFilterRows.description,
    title: '`description` leaves out payments without the text.',
    check: async (context) => {
      for (const { part, ...found } of [await context.use(paymentsByPart), await context.use(paymentsByOtherCase)]) {
        expectEach(found, `with ${part}`, (row) => containsText(row['description'], part));
      }
      const response = await context.use(paymentsWithoutMatch);
      expectSuccess(response);
      const none = rowsPage(response);
      if (none.rows.length > 0)
        throw new Violation('no payment, since none contains the text', none.rows[0], none.page);
    },
  },
  ...paymentStatuses.map(
    (status, index): Clause => ({
      ...common,
      id: `PAY-FILTER-0${4 + index}`,
      quote: paymentFilterRows.status,
      title: `\`status=${status}\` leaves out payments of another status.`,
      check: async (context) => {
        // If the suite has made a payment, the filters for the three other statuses must leave it out.
        await context.ensureRun(samplePayment);
        const found = await getPaymentsUntil(context, { status }, ({ rows }) =>
          rows.every((row) => isInStatus(row, status)),
        );
        expectEach(found, `that are ${status}`, (row) => row['status'] === status);
        // Skips the clause if there is no payment, since then nothing was left out.
        await context.use(listedPayments);
      },
    }),
  ),
  {
    ...common,
    id: 'PAY-FILTER-08',
    quote: paymentFilterRows.status,
    title: '`status` finds a payment of that status.',
    check: async (context) => {
      const sample = await context.use(samplePayment);
      const query = { status: sample.status, description: sample.descriptionPart };
      expectFound(await getPaymentsUntil(context, query, canStopWaiting(expectFound, sample)), sample);
    },
  },
  {
    ...common,
    id: 'PAY-FILTER-09',
    quote: paymentFilterRows.status,
    title: '`status` and `description` together leave out a payment of another status.',
    check: async (context) => {
      const sample = await context.use(samplePayment);
      const otherStatus = sample.status === 'failed' ? 'open' : 'failed';
      const query = { status: otherStatus, description: sample.descriptionPart };
      expectLeftOut(await getPaymentsUntil(context, query, canStopWaiting(expectLeftOut, sample)), sample);
    },
  },
  {
    ...common,
    id: 'PAY-FILTER-10',
    quote: paymentFilterRows.from,
    title: '`from` and `to` leave out payments of other days.',
    check: async (context) => {
      const { earlierDay, laterDay } = await context.use(samplePayment);
      expectEach(await context.use(paymentsFromLaterDay), `of ${laterDay} or later`, (row) =>
        isBetweenDates(row, { from: laterDay }),
      );
      expectEach(await context.use(paymentsToEarlierDay), `of ${earlierDay} or earlier`, (row) =>
        isBetweenDates(row, { to: earlierDay }),
      );
    },
  },
  {
    ...common,
    id: 'PAY-FILTER-12',
    quote: paymentFilterRows.from,
    title: '`from` with a day after a payment leaves it out.',
    check: async (context) => expectLeftOut(await context.use(paymentsFromLaterDay), await context.use(samplePayment)),
  },
  {
    ...common,
    id: 'PAY-FILTER-14',
    quote: paymentFilterRows.to,
    title: '`to` with a day before a payment leaves it out.',
    check: async (context) => expectLeftOut(await context.use(paymentsToEarlierDay), await context.use(samplePayment)),
  },
  ...sampleFilters.map(
    ([number, source, title, query, expectation]): Clause => ({
      ...common,
      ...source,
      id: `PAY-FILTER-${number}`,
      title: `${title}.`,
      check: async (context) => {
        const sample = await context.use(samplePayment);
        expectation(await getPaymentsUntil(context, query(sample), canStopWaiting(expectation, sample)), sample);
      },
    }),
  ),
  ...descriptionFilters.map(
    ([number, title, descriptionFor, expectation]): Clause => ({
      ...common,
      id: `PAY-FILTER-${number}`,
      quote: paymentFilterRows.description,
      title: `${title}.`,
      check: async (context) => {
        const sample = await context.use(unusualSample);
        const description = descriptionFor(context);
        expectation(await getPaymentsUntil(context, { description }, canStopWaiting(expectation, sample)), sample);
      },
    }),
  ),
  {
    ...common,
    id: 'PAY-FILTER-26',
    quote: paymentFilterRows.from,
    title: '`from` and `to` may be a century apart and find payments in between.',
    check: async (context) => {
      const sample = await context.use(samplePayment);
      const query = { description: sample.descriptionPart, from: '2000-01-01', to: '2099-12-31' };
      expectFound(await getPaymentsUntil(context, query, canStopWaiting(expectFound, sample)), sample);
    },
  },
  {
    ...common,
    // The words "total number of records" suggest those that match, but may also mean all records of the account.
    level: 'inferred',
    id: 'PAY-FILTER-27',
    spec: 'Pagination envelope (list endpoints)',
    quote: pageRows.total,
    title: '`total` of filtered payments counts only the matching ones.',
    check: async (context) => {
      const { page, rows, total } = await context.use(paymentsByPart);
      if (rows.length >= Number(valueAt(page.json, 'data.per_page'))) {
        throw new Skip({ missing: 'fewer matching payments', reason: 'the page of matching payments is full' });
      }
      if (total !== rows.length) throw new Violation(`\`data.total\` to be ${rows.length}`, total, page);
    },
  },
  {
    ...common,
    id: 'PAY-FILTER-28',
    spec: 'Pagination envelope (list endpoints)',
    quote: pageRows.data,
    title: '`data.data` of filtered payments is an array.',
    check: async (context) => {
      await context.ensureRun(paymentsByPart);
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
    quote: pageRows.data,
    title: '`data.data` is an array if no payment matches.',
    check: async (context) =>
      expectField(requireSuccess(await context.use(paymentsWithoutMatch)), 'data.data', anArray),
  },
  {
    ...common,
    id: 'PAY-FILTER-30',
    quote: paymentFilterRows.per_page,
    title: 'With `per_page=1`, a page of filtered payments has at most one.',
    check: async (context) => {
      const { descriptionPart, status } = await context.use(samplePayment);
      await context.ensureRun(threePayments);
      // Other payments of the suite, and perhaps of the account, begin with the same letters.
      const query = { description: descriptionPart.slice(0, 4).trim(), status, per_page: '1' };
      const { page, rows, total } = await getPayments(context, query);
      if (rows.length > 1) throw new Violation('at most 1 payment', `${rows.length}`, page);
      if ((total ?? 0) < 2) throw new Skip({ missing: 'a second payment', reason: 'fewer than two match the filters' });
    },
  },
  {
    ...common,
    // The specification calls them start and end date, but does not say that these days are included.
    level: 'inferred',
    id: 'PAY-FILTER-33',
    quote: paymentFilterRows.from,
    title: '`from` and `to` with the day of a payment find it.',
    check: async (context) => {
      const sample = await context.use(samplePayment);
      const query = { description: sample.descriptionPart, ...sample.ownDays };
      expectFound(await getPaymentsUntil(context, query, canStopWaiting(expectFound, sample)), sample);
    },
  },
];
