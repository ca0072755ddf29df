import type { Clause } from '../../engine/clause.js';
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
  expectValue,
  valueAt,
} from '../../engine/expect.js';
import type { ClauseContext } from '../../engine/session.js';
import { Blocked, Violation } from '../../engine/verdict.js';
import { maxPerPage } from '../../predicates/statements.js';
import { linkRows, pageRows, rowOf } from '../field-rows.js';
import { fieldClauses } from '../fields.js';
import { expectCounted } from '../overdue/setups.js';
import { listClauses } from '../paging/clauses.js';
import {
  foreignLink,
  foundLink,
  linksAnswer,
  linksPage,
  listedLink,
  listedLinks,
  newLink,
  oddLink,
  oddText,
  otherCaseLink,
  paidLink,
} from '../payment-links/setups.js';
import { threePayments } from '../payments/setups.js';
import { isSame } from '../same-fields.js';
import { laterRow, linkGrowth, listedPaidLink } from './setups.js';

const listing = { operation: 'listPaymentLinks', spec: 'Payment link' } as const;

const listSentence = 'Response: pagination envelope of payment links (list view).';

const listedFields = ['url', 'description', 'amount', 'currency', 'created_at'] as const;

/** Each field in the list equals that of the creation. */
const sameFields: readonly Clause[] = listedFields.map((field, index) => ({
  id: `LINK-LIST-${31 + index}`,
  level: 'documented',
  ...listing,
  quote: linkRows[field],
  title: `The \`${field}\` of a link in the list is that of its creation.`,
  check: async (context) => {
    const { record, exchange } = await context.use(newLink);
    if (record[field] === undefined) throw new Blocked(`the creation has shown no \`${field}\``, exchange);
    const { page, at } = await context.use(listedLink);
    const got = valueAt(page.json, `${at}.${field}`);
    if (!isSame(record[field], got)) {
      throw new Violation(`\`${at}.${field}\` to be ${String(record[field])}`, got, page);
    }
  },
}));

/** Expected values of list fields, as their names suggest; the specification says no more about them. */
const meanings: readonly (readonly [id: string, title: string, field: string, Expected, typeof listedLink])[] = [
  ['36', '`payments_count` of a new link is 0', 'payments_count', () => 0, listedLink],
  ['37', '`revenue` of a new link is 0', 'revenue', () => 0, listedLink],
  ['38', '`is_active` of a new link is true', 'is_active', () => true, listedLink],
  ['39', '`payments_count` of a link that was paid once is 1', 'payments_count', () => 1, listedPaidLink],
  ['40', '`revenue` of a link that was paid once is its amount', 'revenue', paidAmount, listedPaidLink],
];

type Expected = (context: ClauseContext) => number | boolean | Promise<number>;

async function paidAmount(context: ClauseContext): Promise<number> {
  const { record, exchange } = await context.use(paidLink);
  const amount = decimalOf(record['amount']);
  if (amount === undefined) throw new Blocked('the link has no amount', exchange);
  return amount;
}

const laterNew = laterRow(newLink);
const laterOdd = laterRow(oddLink);
const laterForeign = laterRow(foreignLink);

/** The list after more links were created and some of them paid. */
const later: readonly Clause[] = [
  {
    id: 'LINK-LIST-41',
    level: 'documented',
    operation: listing.operation,
    spec: 'Pagination envelope (list endpoints)',
    quote: pageRows.total,
    title: '`total` of payment links includes newly created ones.',
    check: async (context) => expectCounted(await context.use(linkGrowth)),
  },
  {
    id: 'LINK-LIST-42',
    level: 'inferred',
    ...listing,
    quote: linkRows.payments_count,
    title: 'A payment counts only for its own link, even if another one has nearly the same description.',
    check: async (context) => {
      await context.use(threePayments);
      const { page, at } = await context.use(laterNew);
      expectValue(page, `${at}.payments_count`, 0);
      expectValue(page, `${at}.revenue`, 0);
    },
  },
  {
    id: 'LINK-LIST-43',
    level: 'documented',
    ...listing,
    quote: linkRows.description,
    title: 'The list shows a description as it was given, in any script, with signs of any kind.',
    check: async (context) => {
      const { page, at } = await context.use(laterOdd);
      const [given, got] = [oddText(context), valueAt(page.json, `${at}.description`)];
      if (String(got).normalize() !== given.normalize()) {
        throw new Violation(`\`${at}.description\` to be ${given}`, got, page);
      }
    },
  },
  {
    id: 'LINK-LIST-44',
    level: 'documented',
    ...listing,
    quote: linkRows.currency,
    title: 'The list has each link in the currency of its creation.',
    check: async (context) => {
      const { page, at } = await context.use(laterForeign);
      expectValue(page, `${at}.currency`, 'USD');
    },
  },
];

/** The list of payment links. */
export const linkListClauses: readonly Clause[] = [
  ...listClauses({
    prefix: 'LINK-LIST',
    operation: listing.operation,
    spec: 'GET /payment-links',
    quotes: { list: listSentence, perPage: 'Query parameter `per_page`: integer, default 25, maximum 100.' },
    path: '/payment-links',
    of: 'payment links',
    level: 'documented',
    sizes: { standard: 25, maximum: maxPerPage },
    full: linksAnswer,
    filled: otherCaseLink,
  }),
  {
    id: 'LINK-LIST-21',
    level: 'documented',
    operation: listing.operation,
    spec: 'GET /payment-links',
    quote: listSentence,
    title: 'A new link is in the list.',
    check: async (context) => {
      const found = await context.use(foundLink);
      if (found === 'absent') {
        throw new Violation('the new link in the list', 'a list without it', (await context.use(linksPage)).page);
      }
      if (found === 'elsewhere') throw new Blocked('the list is too long to search');
    },
  },
  ...fieldClauses({
    prefix: 'LINK-LIST',
    ...listing,
    rows: linkRows,
    of: 'a link in the list',
    place: listedLinks,
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
  ...sameFields,
  ...meanings.map(
    ([number, title, field, expected, place]): Clause => ({
      id: `LINK-LIST-${number}`,
      level: 'inferred',
      ...listing,
      quote: rowOf(linkRows, field),
      title: `${title}.`,
      check: async (context) => {
        const { page, at } = await context.use(place);
        expectValue(page, `${at}.${field}`, await expected(context));
      },
    }),
  ),
  ...later,
];
