import { checkEach } from '../../engine/check-each.js';
import type { Clause } from '../../engine/clause.js';
import type { ClauseContext } from '../../engine/session.js';
import { addDays } from '../../predicates/filters.js';
import { paymentFilterQuotes } from '../field-quotes.js';
import { type SamplePayment, samplePayment, unusualSample } from '../payments/setups.js';
import {
  checkFilters,
  expectSampleFound,
  expectSampleLeftOut,
  otherStatus,
  type Query,
  type SampleExpectation,
} from './setups.js';

const common = { level: 'documented', operation: 'listPayments', spec: 'GET /payments' } as const;

/** Heading and sentence of the specification that cover all filters of payments. */
export const allFiltersCitation = {
  spec: 'What the service does',
  quote: '- list incoming payments, filtered by description, status and date range, for reconciliation;',
} as const;

/** Returns a range of days before a payment. */
export function rangeBefore({ earlierDay }: SamplePayment): Query {
  return { from: addDays(earlierDay, -3), to: earlierDay };
}

/** Returns a range of days after a payment. */
export function rangeAfter({ laterDay }: SamplePayment): Query {
  return { from: laterDay, to: addDays(laterDay, 3) };
}

/** Returns values of all filters that a payment matches. */
export function allFilters({ descriptionPart, status, earlierDay, laterDay }: SamplePayment): Query {
  return { description: descriptionPart, status, from: earlierDay, to: laterDay };
}

/**
 * Filters that must find the sample payment, or leave it out. Where they must leave it out, the payment matches all but
 * one of them, so a target that ignores that one is detected.
 */
const sampleFilters: readonly (readonly [
  number: string,
  source: Pick<Clause, 'quote'> | typeof allFiltersCitation,
  title: string,
  queries: (sample: SamplePayment) => readonly Query[],
  expectation: SampleExpectation,
])[] = [
  [
    '11',
    { quote: paymentFilterQuotes.from },
    'A `from` date before a payment finds it',
    ({ descriptionPart, earlierDay }) => [{ description: descriptionPart, from: earlierDay }],
    expectSampleFound,
  ],
  [
    '13',
    { quote: paymentFilterQuotes.to },
    'A `to` date after a payment finds it',
    ({ descriptionPart, laterDay }) => [{ description: descriptionPart, to: laterDay }],
    expectSampleFound,
  ],
  [
    '15',
    { quote: paymentFilterQuotes.from },
    '`from` and `to` around a payment find it',
    ({ descriptionPart, earlierDay, laterDay }) => [{ description: descriptionPart, from: earlierDay, to: laterDay }],
    expectSampleFound,
  ],
  [
    '16',
    { quote: paymentFilterQuotes.to },
    'A range of days before a payment leaves it out',
    (sample) => [rangeBefore(sample)],
    expectSampleLeftOut,
  ],
  [
    '17',
    { quote: paymentFilterQuotes.from },
    'A range of days after a payment leaves it out',
    (sample) => [rangeAfter(sample)],
    expectSampleLeftOut,
  ],
  [
    '19',
    allFiltersCitation,
    'All filters combined leave out a payment that matches all but one of them',
    (sample) => {
      const matching = allFilters(sample);
      return [
        { ...matching, ...rangeAfter(sample) },
        { ...matching, ...rangeBefore(sample) },
        { ...matching, status: otherStatus(sample) },
        { ...matching, description: sample.otherDescription },
      ];
    },
    expectSampleLeftOut,
  ],
  [
    '31',
    { quote: paymentFilterQuotes.from },
    '`description` together with a `from` after the payment leaves the payment out, with or without `to`',
    (sample) => {
      const { descriptionPart: description, laterDay } = sample;
      return [
        { description, from: laterDay },
        { description, ...rangeAfter(sample) },
      ];
    },
    expectSampleLeftOut,
  ],
  [
    '32',
    { quote: paymentFilterQuotes.to },
    '`description` together with a `to` before the payment leaves the payment out, with or without `from`',
    (sample) => {
      const { descriptionPart: description, earlierDay } = sample;
      return [
        { description, to: earlierDay },
        { description, ...rangeBefore(sample) },
      ];
    },
    expectSampleLeftOut,
  ],
  [
    '34',
    allFiltersCitation,
    '`status` and `from` together leave out a payment that matches only one of them',
    (sample) => [
      { status: otherStatus(sample), from: sample.earlierDay },
      { status: sample.status, from: sample.laterDay },
    ],
    expectSampleLeftOut,
  ],
  [
    '35',
    allFiltersCitation,
    '`status` and `to` together leave out a payment that matches only one of them',
    (sample) => [
      { status: otherStatus(sample), to: sample.laterDay },
      { status: sample.status, to: sample.earlierDay },
    ],
    expectSampleLeftOut,
  ],
];

/**
 * Values of the `description` filter, a case-insensitive partial match, that must find the payment whose description is
 * `unusualText`, or leave it out. Characters with a special meaning in SQL or regular expressions have none here.
 */
const descriptionFilters: readonly (readonly [
  number: string,
  title: string,
  descriptionFor: (context: ClauseContext) => string,
  expectation: SampleExpectation,
])[] = [
  ['20', '`description` finds a payment by a single non-ASCII letter', () => '漢', expectSampleFound],
  [
    '21',
    '`description` ignores the case of non-ASCII letters',
    ({ session }) => `${session.runId} odd àé öL жУК`,
    expectSampleFound,
  ],
  [
    '22',
    '`description` matches pattern characters literally',
    () => `🏨 (50 %_Rabatt) [a.b]* \\d+ "q" & c's`,
    expectSampleFound,
  ],
  // Some languages take the text `0` for an empty one, so a target may ignore this filter.
  ['38', '`description` finds a payment by the digit 0', () => '0', expectSampleFound],
  [
    '23',
    'A `%` in `description` is matched literally',
    ({ session }) => `${session.runId}%Rabatt`,
    expectSampleLeftOut,
  ],
  ['24', 'A `_` in `description` is matched literally', ({ session }) => `${session.runId} o_d`, expectSampleLeftOut],
  ['25', 'A `.` in `description` is matched literally', ({ session }) => `${session.runId} o.d`, expectSampleLeftOut],
];

/** Clauses about filters that must find a payment, or leave it out. */
export const sampleFilterClauses: readonly Clause[] = [
  ...sampleFilters.map(
    ([number, source, title, queries, expectation]): Clause => ({
      ...common,
      ...source,
      id: `PAY-FILTER-${number}`,
      title: `${title}.`,
      check: async (context) => {
        const sample = await context.use(samplePayment);
        await checkEach(queries(sample), (query) => checkFilters(context, query, expectation, sample));
      },
    }),
  ),
  ...descriptionFilters.map(
    ([number, title, descriptionFor, expectation]): Clause => ({
      ...common,
      id: `PAY-FILTER-${number}`,
      quote: paymentFilterQuotes.description,
      title: `${title}.`,
      check: async (context) => {
        const sample = await context.use(unusualSample);
        await checkFilters(context, { description: descriptionFor(context) }, expectation, sample);
      },
    }),
  ),
];
