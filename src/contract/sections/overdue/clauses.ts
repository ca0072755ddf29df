import type { Clause } from '../../engine/clause.js';
import type { Exchange } from '../../engine/exchange.js';
import {
  aCount,
  aCurrency,
  aDecimal,
  anArray,
  anObject,
  aString,
  aUrl,
  decimalOf,
  expectField,
  expectSuccess,
  type Kind,
  orAbsent,
  orNull,
  recordsAt,
  succeeded,
  valueAt,
} from '../../engine/expect.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { Blocked, Skip, Violation } from '../../engine/verdict.js';
import { clockSkew } from '../clock.js';
import { overdueRows } from '../field-rows.js';
import { fieldClauses } from '../fields.js';
import { createdInvoice } from '../invoice-creation/setups.js';
import { overdueGrowth, recentDetail } from '../invoice-detail/setups.js';
import { invoiceFieldClauses } from '../invoice-fields.js';
import { overdueInvoices, overduePage } from '../invoice-list/setups.js';
import { newLink } from '../payment-links/setups.js';
import { afterPayment } from '../statistics/setups.js';

const dayMs = 86_400_000;

const common = { level: 'documented', operation: 'listOverdueInvoices', spec: 'Invoice' } as const;
const endpoint = {
  ...common,
  spec: 'GET /invoices/overdue',
  quote:
    'No parameters. Response: `success`, `count` (integer), `total_outstanding` (decimal), `currency` (string), `data` (array of overdue-invoice records).',
} as const;
const listSentence =
  '- list, read and create invoices, read invoice statistics, list overdue invoices, and send a payment reminder e-mail for an unpaid invoice;';

/** Fields next to `data`. */
const topLevel: readonly (readonly [number: string, field: string, kind: Kind])[] = [
  ['02', 'data', anArray],
  ['03', 'count', aCount],
  ['04', 'total_outstanding', aDecimal],
  ['05', 'currency', aCurrency],
];

/** The suite's invoice that was due weeks ago, in the detail and in the overdue list. */
const bothViews = setup('an overdue invoice in both views', async (context) => {
  const { page, recent } = await context.use(overdueGrowth);
  const index = recordsAt(page.json, 'data').findIndex(({ id }) => id === recent.record['id']);
  if (index === -1) throw notListed();
  return { page, at: `data.${index}`, detail: (await context.use(recentDetail)).page };
});

/** The day from which days overdue are counted, computed from a row. */
function today(row: Readonly<Record<string, unknown>>): number {
  return Date.parse(String(row['due_date'])) / 86_400_000 + Number(row['days_overdue']);
}

/** When an invoice becomes overdue is open. */
function notListed(): Skip {
  return new Skip('an overdue invoice', 'that of the suite is not listed; when it becomes overdue is open');
}

function expectUnlisted(page: Exchange, id: unknown, why: string): void {
  const listed = recordsAt(page.json, 'data').find((row) => row['id'] === id);
  if (listed) throw new Violation(`invoice ${id}, ${why}, not to be among the overdue ones`, listed, page);
}

async function shown(context: ClauseContext): Promise<Exchange> {
  return succeeded(await context.use(overduePage));
}

/** Overdue invoices. */
export const overdueClauses: readonly Clause[] = [
  {
    ...endpoint,
    id: 'INV-OVERDUE-01',
    spec: 'Endpoints',
    quote: 'Literal segments `stats` and `overdue` under `/invoices` are not invoice identifiers.',
    title: '`overdue` under `/invoices` is not an invoice id: it lists the overdue invoices.',
    check: async (context) => expectSuccess(await context.use(overduePage)),
  },
  ...topLevel.map(
    ([number, field, kind]): Clause => ({
      ...endpoint,
      id: `INV-OVERDUE-${number}`,
      title: `\`${field}\` of the overdue list is ${kind.description}.`,
      check: async (context) => expectField(await shown(context), field, kind),
    }),
  ),
  {
    ...endpoint,
    level: 'inferred',
    id: 'INV-OVERDUE-06',
    title: '`count` is the number of overdue invoices in `data`.',
    check: async (context) => {
      const page = await shown(context);
      const [count, data] = ['count', 'data'].map((path) => valueAt(page.json, path));
      if (!Array.isArray(data)) throw new Blocked('`data` contains no array', page);
      if (count !== data.length) throw new Violation(`\`count\` to be ${data.length}`, count, page);
    },
  },
  {
    ...endpoint,
    id: 'INV-OVERDUE-07',
    spec: 'What the service does',
    quote: listSentence,
    title: 'An invoice that is not due yet is not listed as overdue.',
    check: async (context) => {
      const { record } = await context.use(createdInvoice);
      expectUnlisted(await shown(context), record['id'], 'which is due in years');
    },
  },
  {
    ...endpoint,
    id: 'INV-OVERDUE-08',
    spec: 'What the service does',
    quote: listSentence,
    title: 'Paid and cancelled invoices are not listed as overdue.',
    check: async (context) => {
      await context.use(overdueInvoices);
      const page = await shown(context);
      const settled = recordsAt(page.json, 'data').find(({ status }) => status === 'paid' || status === 'cancelled');
      if (settled) throw new Violation('no paid or cancelled invoice among the overdue ones', settled, page);
    },
  },
  {
    ...endpoint,
    id: 'INV-OVERDUE-09',
    spec: 'What the service does',
    quote: listSentence,
    title: 'An invoice that was paid is no longer listed as overdue.',
    check: async (context) => {
      const { page, record } = await context.use(afterPayment);
      expectUnlisted(page, record['id'], 'which is paid');
    },
  },
  ...invoiceFieldClauses({
    prefix: 'INV-OVERDUE',
    from: 11,
    ...common,
    of: 'an overdue invoice',
    place: overdueInvoices,
  }),
  ...fieldClauses({
    prefix: 'INV-OVERDUE',
    ...common,
    rows: overdueRows,
    of: 'an overdue invoice',
    place: overdueInvoices,
    fields: {
      29: ['days_overdue', aCount],
      30: ['payment_link', orNull(aUrl)],
      31: ['customer.phone', orAbsent(aString)],
    },
  }),
  {
    ...common,
    id: 'INV-OVERDUE-32',
    quote: overdueRows.days_overdue,
    title: '`days_overdue` counts from the due date: its difference between two invoices is that of their due dates.',
    check: async (context) => {
      const page = await shown(context);
      const [first, ...others] = recordsAt(page.json, 'data').filter((row) => Number.isFinite(today(row)));
      if (!first || others.length === 0) throw new Skip('two overdue invoices', 'fewer are listed');
      for (const row of others) {
        // A clock change may shift the difference to the next day.
        if (Math.abs(today(row) - today(first)) > 1) {
          const days = Number(row['days_overdue']) + today(first) - today(row);
          const what = `\`days_overdue\` of invoice ${row['id']}, beside that of invoice ${first['id']}, to be ${days}`;
          throw new Violation(what, row['days_overdue'], page);
        }
      }
    },
  },
  {
    ...common,
    level: 'inferred',
    id: 'INV-OVERDUE-33',
    quote: overdueRows.payment_link,
    title: '`payment_link` is a URL as long as no payment has been initiated.',
    check: async (context) => {
      const { page, at } = await context.use(bothViews);
      expectField(page, `${at}.payment_link`, aUrl);
    },
  },
  {
    ...common,
    id: 'INV-OVERDUE-34',
    quote: overdueRows.payment_link,
    title: '`payment_link` is null once a payment has been initiated.',
    check: { untestable: 'the API cannot start a payment, and a driver completes the payments that it starts' },
  },
  {
    ...common,
    id: 'INV-OVERDUE-35',
    quote: overdueRows.customer,
    title: 'The overdue list and the detail view have the same customer phone.',
    check: async (context) => {
      const { page, at, detail } = await context.use(bothViews);
      expectField(detail, 'data.customer', anObject);
      const [here, there] = [valueAt(page.json, `${at}.customer.phone`), valueAt(detail.json, 'data.customer.phone')];
      // A phone that was never given may be null in one view and omitted in the other.
      const [one, other] = [here, there].map((phone) => phone || undefined);
      if (one !== other) throw new Violation(`\`${at}.customer.phone\` to be ${there}, as in detail`, here, page);
    },
  },
  {
    ...endpoint,
    level: 'inferred',
    id: 'INV-OVERDUE-36',
    title: '`total_outstanding` no longer includes an overdue invoice after its payment.',
    check: async (context) => {
      const { page: after, record, isAtRest } = await context.use(afterPayment);
      const before = await shown(context);
      const rows = recordsAt(before.json, 'data');
      if (!rows.some(({ id }) => id === record['id'])) throw notListed();
      // Whether it sums overdue or all unpaid invoices is open: this one is in both.
      if (!isAtRest || rows.length - recordsAt(after.json, 'data').length !== 1) {
        throw new Skip('an account that nobody else changes', 'its invoices keep changing');
      }
      if (record['currency'] !== valueAt(after.json, 'currency')) {
        throw new Skip('an invoice in the currency of the list', `this one is in ${record['currency']}`);
      }
      const [was, is] = [before, after].map(({ json }) => decimalOf(valueAt(json, 'total_outstanding')));
      const by = decimalOf(record['amount']);
      if (was === undefined || is === undefined || by === undefined) throw new Blocked('an amount is missing');
      if (Math.abs(was - is - by) > 0.005) {
        throw new Violation(`\`total_outstanding\`, which was ${was}, to be less by ${by}`, is, after);
      }
    },
  },
  {
    ...endpoint,
    id: 'INV-OVERDUE-37',
    spec: 'What the service does',
    quote: listSentence,
    title: 'An invoice that was due years ago is listed as overdue if one that was due weeks ago is.',
    check: async (context) => {
      const { page, old, hasOld } = await context.use(overdueGrowth);
      if (!hasOld) throw new Violation(`invoice ${old.record['id']} among the overdue ones`, 'a list without it', page);
    },
  },
  {
    ...common,
    id: 'INV-OVERDUE-38',
    quote: overdueRows.days_overdue,
    title: '`days_overdue` is the number of days past the due date.',
    check: async (context) => {
      await context.use(newLink);
      const { page, recent, old } = await context.use(overdueGrowth);
      const today = (Date.now() + (await context.use(clockSkew))) / 86_400_000;
      for (const row of recordsAt(page.json, 'data')) {
        if (row['id'] !== recent.record['id'] && row['id'] !== old.record['id']) continue;
        const days = Math.floor(today - Date.parse(String(row['due_date'])) / 86_400_000);
        // Time zones, and from when days are counted, are open.
        if (!(Math.abs(Number(row['days_overdue']) - days) <= 2)) {
          throw new Violation(`\`days_overdue\` of invoice ${row['id']} to be some ${days}`, row['days_overdue'], page);
        }
      }
    },
  },
  {
    ...endpoint,
    level: 'inferred',
    id: 'INV-OVERDUE-39',
    title: '`count` is still the number of overdue invoices in `data` after one of them was paid.',
    check: async (context) => {
      const { page } = await context.use(afterPayment);
      const listed = recordsAt(page.json, 'data').length;
      const count = valueAt(page.json, 'count');
      if (count !== listed) throw new Violation(`\`count\` to be ${listed}`, count, page);
    },
  },
  {
    ...endpoint,
    id: 'INV-OVERDUE-40',
    spec: 'What the service does',
    quote: listSentence,
    title: 'An invoice that was due weeks ago is listed as overdue if one that was due years ago is.',
    check: async (context) => {
      const { page, recent, hasRecent } = await context.use(overdueGrowth);
      const { id } = recent.record;
      if (hasRecent) return;
      // The suite counts weeks on its own clock, while a simulator may be frozen at any date.
      if ((await context.use(clockSkew)) < -dayMs) {
        throw new Skip(
          'a clock like that of this machine',
          "the target's clock is behind, so the invoice may not be due there",
        );
      }
      throw new Violation(`invoice ${id} among the overdue ones`, 'a list without it', page);
    },
  },
];
