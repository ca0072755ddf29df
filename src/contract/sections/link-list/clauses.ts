import { Blocked, Violation } from '../../engine/check-errors.js';
import { type Clause, numberedId } from '../../engine/clause.js';
import {
  aBoolean,
  aCount,
  aCurrency,
  aDecimal,
  anInteger,
  aString,
  aTimestamp,
  aUrl,
  decimalOf,
} from '../../engine/expect.js';
import type { ClauseContext } from '../../engine/session.js';
import { isSameAmount } from '../../predicates/amounts.js';
import { isPresent } from '../../predicates/matchers.js';
import { expectWhereShown } from '../created-records.js';
import { linkQuotes, pageQuotes } from '../field-quotes.js';
import { allRecords, fieldClauses, fieldOf } from '../fields.js';
import { listClauses } from '../paging/clauses.js';
import { expectAllListed, expectNoUnknownRecords } from '../paging/expect-listed.js';
import { expectTotalGrew } from '../paging/list-growth.js';
import { expectFound } from '../paging/setups.js';
import { createdLinks } from '../payment-links/created-links.js';
import {
  largeLink,
  letterCaseLink,
  linksPage,
  linksResponse,
  listedLinks,
  newLink,
  newLinkLocation,
  newLinkSearch,
  paidLink,
  unusualLink,
  unusualText,
  usdLink,
} from '../payment-links/setups.js';
import { paidLargeLink, threePayments } from '../payments/setups.js';
import { expectFieldEquals, expectFieldValue } from '../same-values.js';
import { countedLinks, linkAfterGrowth, linkListGrowth, paidLargeLinkLocation, paidLinkLocation } from './setups.js';

const common = { level: 'documented', operation: 'listPaymentLinks', spec: 'Payment link' } as const;

const listSentence = 'Response: pagination envelope of payment links (list view).';

const listedFields = ['url', 'description', 'amount', 'currency', 'created_at'] as const;

/** Clauses that compare the fields of a link in the list with those in the response to its creation. */
const sameFieldClauses: readonly Clause[] = listedFields.map((field, index) => ({
  ...common,
  id: numberedId('LINK-LIST', 31 + index),
  quote: linkQuotes[field],
  title: `The \`${field}\` of a link in the list equals the one in the response to its creation.`,
  readsEarlierResponses: true,
  check: async (context) => {
    const { record: link, exchange } = await context.use(newLink);
    if (!isPresent(link[field]))
      throw new Blocked(`the response to the creation of the link has no \`${field}\``, exchange);
    const created = await createdLinks(context);
    for (const read of [newLinkSearch, linkListGrowth]) await context.runIfPossible(read);
    expectWhereShown(context, common.operation, created, (location, { record }) =>
      expectFieldEquals(location, field, record[field]),
    );
  },
}));

/**
 * Expected values of fields that only the list has. The specification gives only their names and types, so these
 * clauses are `inferred`.
 */
const expectedValues = [
  ['36', '`payments_count` of a new link is 0', 'payments_count', 0, newLinkLocation],
  ['37', '`revenue` of a new link is 0', 'revenue', 0, newLinkLocation],
  ['38', '`is_active` of a new link is true', 'is_active', true, newLinkLocation],
  ['39', '`payments_count` of a link that was paid once is 1', 'payments_count', 1, paidLinkLocation],
  ['40', '`revenue` of a link that was paid once is its amount', 'revenue', paidAmount, paidLinkLocation],
] as const;

async function paidAmount(context: ClauseContext): Promise<number> {
  const { record, exchange } = await context.use(paidLink);
  const amount = decimalOf(record['amount']);
  if (amount === undefined) throw new Blocked('the link has no amount', exchange);
  return amount;
}

const newLinkAfterGrowth = linkAfterGrowth(newLink);
const unusualLinkAfterGrowth = linkAfterGrowth(unusualLink);
const usdLinkAfterGrowth = linkAfterGrowth(usdLink);
const largeLinkAfterGrowth = linkAfterGrowth(largeLink);

/** The list of payment links. */
export const linkListClauses: readonly Clause[] = [
  ...listClauses({
    prefix: 'LINK-LIST',
    operation: common.operation,
    spec: 'GET /payment-links',
    quotes: { list: listSentence, perPage: 'Query parameter `per_page`: integer, default 25, maximum 100.' },
    path: '/payment-links',
    plural: 'payment links',
    level: 'documented',
    largestPage: linksResponse,
    // This link is the third with the same slug, so its setup also creates the first and the second.
    threeRecords: letterCaseLink,
  }),
  {
    ...common,
    id: 'LINK-LIST-21',
    spec: 'GET /payment-links',
    quote: listSentence,
    title: 'A new link is in the list.',
    check: async (context) =>
      expectFound(await context.use(newLinkSearch), 'the new link', (await context.use(linksPage)).page),
  },
  ...fieldClauses({
    prefix: 'LINK-LIST',
    ...common,
    quotes: linkQuotes,
    recordName: 'a link in the list',
    records: allRecords(common.operation, listedLinks),
    fields: {
      22: ['id', anInteger],
      23: ['url', aUrl],
      24: ['description', aString],
      25: ['amount', aDecimal],
      26: ['currency', aCurrency],
      27: ['created_at', aTimestamp],
      28: ['payments_count', aCount],
      29: ['revenue', aDecimal],
      30: ['is_active', aBoolean],
    },
  }),
  ...sameFieldClauses,
  ...expectedValues.map(
    ([number, title, field, expected, location]): Clause => ({
      ...common,
      id: `LINK-LIST-${number}`,
      level: 'inferred',
      quote: linkQuotes[field],
      title: `${title}.`,
      check: async (context) => {
        const shown = await context.use(location);
        expectFieldValue(shown, field, typeof expected === 'function' ? await expected(context) : expected);
      },
    }),
  ),
  {
    ...common,
    id: 'LINK-LIST-41',
    spec: 'Pagination envelope (list endpoints)',
    quote: pageQuotes.total,
    title: 'The `total` of the list of payment links includes new ones.',
    check: async (context) => expectTotalGrew(await context.use(linkListGrowth)),
  },
  {
    ...common,
    id: 'LINK-LIST-42',
    level: 'inferred',
    quote: linkQuotes.payments_count,
    title: 'A payment counts only toward its own link, even if the description of another link differs only in case.',
    check: async (context) => {
      // One of the payments is for a link whose description differs from that of the new link only in case.
      await context.use(threePayments);
      const location = await context.use(newLinkAfterGrowth);
      expectFieldValue(location, 'payments_count', 0);
      expectFieldValue(location, 'revenue', 0);
    },
  },
  {
    ...common,
    id: 'LINK-LIST-43',
    quote: linkQuotes.description,
    title: 'The list shows a description as it was sent, in any script and with any punctuation.',
    check: async (context) => {
      const location = await context.use(unusualLinkAfterGrowth);
      const [sent, got] = [unusualText(context), fieldOf(location, 'description')];
      if (String(got).normalize() !== sent.normalize()) {
        throw new Violation(`\`${location.path}.description\` to be ${sent}`, got, location.exchange);
      }
    },
  },
  {
    ...common,
    id: 'LINK-LIST-44',
    quote: linkQuotes.currency,
    title: 'The list shows each link in the currency that it was created with.',
    check: async (context) => {
      expectFieldValue(await context.use(usdLinkAfterGrowth), 'currency', 'USD');
    },
  },
  {
    ...common,
    id: 'LINK-LIST-45',
    quote: `${linkQuotes.description} … ${linkQuotes.amount}`,
    title: 'The list shows a long description and an amount of more than 1,000 as they were sent.',
    check: async (context) => {
      const { body } = await context.use(largeLink);
      const location = await context.use(largeLinkAfterGrowth);
      expectFieldValue(location, 'description', String(body['description']));
      expectFieldValue(location, 'amount', Number(body['amount']));
    },
  },
  {
    ...common,
    id: 'LINK-LIST-46',
    spec: 'GET /payment-links',
    quote: listSentence,
    title: 'Every link that was created is in the list.',
    readsEarlierResponses: true,
    check: async (context) => {
      const { after } = await context.use(linkListGrowth);
      await expectAllListed(context, after, {
        path: '/payment-links',
        creation: 'createPaymentLink',
        list: common.operation,
      });
    },
  },
  {
    ...common,
    id: 'LINK-LIST-47',
    level: 'inferred',
    spec: 'GET /payment-links',
    quote: listSentence,
    title: 'Each link that was created is in the list once.',
    readsEarlierResponses: true,
    check: async (context) => {
      await context.use(linkListGrowth);
      // Reads the last page if the new links are not on the first one.
      await context.runIfPossible(newLinkAfterGrowth);
      // If a link is listed twice with different ids, no create response returned one of these ids.
      expectNoUnknownRecords(context, {
        creation: 'createPaymentLink',
        list: common.operation,
        belongsToRun: ({ description }) => String(description).toLowerCase().includes(context.session.runId),
      });
    },
  },
  {
    ...common,
    id: 'LINK-LIST-48',
    level: 'inferred',
    quote: linkQuotes.revenue,
    title: 'A payment of more than 1,000 counts in full toward its link.',
    check: async (context) => {
      const { record } = await context.use(paidLargeLink);
      const location = await context.use(paidLargeLinkLocation);
      expectFieldValue(location, 'payments_count', 1);
      expectFieldValue(location, 'revenue', Number(record['amount']));
    },
  },
  {
    ...common,
    id: 'LINK-LIST-49',
    level: 'inferred',
    quote: linkQuotes.payments_count,
    title: '`payments_count` of each link is the number of its payments, even if it was paid twice.',
    readsEarlierResponses: true,
    check: async (context) => {
      for (const { location, paymentsCount } of await context.use(countedLinks))
        expectFieldValue(location, 'payments_count', paymentsCount);
    },
  },
  {
    ...common,
    id: 'LINK-LIST-50',
    level: 'inferred',
    quote: linkQuotes.revenue,
    title: '`revenue` of each link is the sum of its payments, even if it was paid twice.',
    readsEarlierResponses: true,
    check: async (context) => {
      for (const { location, created, paymentsCount } of await context.use(countedLinks)) {
        const revenue = decimalOf(fieldOf(location, 'revenue'));
        const expected = paymentsCount * Number(created.body['amount']);
        if (!isSameAmount(Number(revenue), expected))
          throw new Violation(`\`${location.path}.revenue\` to be ${expected}`, revenue, location.exchange);
      }
    },
  },
  {
    ...common,
    id: 'LINK-LIST-51',
    level: 'inferred',
    quote: linkQuotes.is_active,
    title: '`is_active` of each link that has not been paid is true.',
    readsEarlierResponses: true,
    check: async (context) => {
      for (const { location, paymentsCount } of await context.use(countedLinks))
        if (paymentsCount === 0) expectFieldValue(location, 'is_active', true);
    },
  },
];
