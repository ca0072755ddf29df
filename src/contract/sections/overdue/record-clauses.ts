import { dayMs } from '../../../lib/durations.js';
import { Skip, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import type { Exchange } from '../../engine/exchange.js';
import { recordsAt, requireSuccess } from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { knownClockSkewMs, possibleClockSkewsMs, possibleDates } from '../clock.js';
import { checkShownInvoices } from '../created-invoices.js';
import { type CreatedRecord, requireRecord } from '../created-records.js';
import { detailQuotes, lineQuotes, overdueCapabilityQuote, overdueQuotes } from '../field-quotes.js';
import { allRecords, type RecordLocation } from '../fields.js';
import { overdueListWithNewInvoices } from '../invoice-detail/setups.js';
import {
  detailOnlyCustomerFields,
  expectFieldsAsReturned,
  expectFieldsAsSent,
  expectLinesAsSent,
  expectLineTotalsAsReturned,
  expectNoCustomerFields,
  expectSameCustomer,
} from '../invoice-fields.js';
import { dueTomorrowCreation, overdueInvoices, overdueResponse } from '../invoice-list/setups.js';
import { impossibleStatusClause } from '../invoice-status-clauses.js';
import { expectDistinctIds } from '../paging/pages.js';
import { expectEachResponse, successesSoFar } from '../responses.js';
import { checkListsAndStatistics } from '../statistics/setups.js';

const common = { level: 'documented', operation: 'listOverdueInvoices', spec: 'Invoice' } as const;

/** All invoices in the overdue lists that the suite has read. */
const allOverdueInvoices = allRecords(common.operation, overdueInvoices);

const listFieldsQuote = 'Overdue-invoice records contain the list fields plus:';

const view = { prefix: 'INV-OVERDUE', operation: common.operation, name: 'the overdue list' } as const;

/** Checks the invoices of the suite in all overdue lists so far. @throws Skip if none is listed */
async function checkOverdueInvoices(
  context: ClauseContext,
  check: (location: RecordLocation, created: CreatedRecord) => void,
): Promise<void> {
  await context.use(overdueListWithNewInvoices);
  await checkShownInvoices(context, 'listOverdueInvoices', check);
}

/** The current day according to a record, in days since 1970: its due date plus the days that it is overdue. */
function currentDayAccordingTo(record: JsonObject): number {
  return Date.parse(String(record['due_date'])) / dayMs + Number(record['days_overdue']);
}

/** Returns the records of an overdue list that have a due date and a number of days. */
const datedRecordsIn = (page: Exchange): JsonObject[] =>
  recordsAt(page.json, 'data').filter((record) => Number.isFinite(currentDayAccordingTo(record)));

/** @throws Violation unless it is the same day according to all records of an overdue list */
function expectSameCurrentDay(page: Exchange): void {
  const [first, ...others] = datedRecordsIn(page);
  if (!first) return;
  for (const record of others) {
    const difference = currentDayAccordingTo(first) - currentDayAccordingTo(record);
    // A change to or from daylight saving time between the due dates may add or remove a day.
    if (Math.abs(difference) <= 1) continue;
    const days = Number(record['days_overdue']) + difference;
    throw new Violation(
      `\`days_overdue\` of invoice ${record['id']} to be ${days}, as that of invoice ${first['id']} implies`,
      record['days_overdue'],
      page,
    );
  }
}

/** The records of the overdue list: which invoices they show, and how. */
export const overdueRecordClauses: readonly Clause[] = [
  {
    ...common,
    id: 'INV-OVERDUE-32',
    quote: overdueQuotes.days_overdue,
    title: '`days_overdue` counts from the due date: the values of two invoices are as far apart as their due dates.',
    readsEarlierResponses: true,
    check: async (context) => {
      requireSuccess(await context.use(overdueResponse));
      const pages = successesSoFar(context, common.operation);
      if (pages.every((page) => datedRecordsIn(page).length < 2))
        throw new Skip({ missing: 'two overdue invoices', reason: 'fewer are listed' });
      expectEachResponse(context, pages, expectSameCurrentDay);
    },
  },
  {
    ...common,
    id: 'INV-OVERDUE-41',
    quote: listFieldsQuote,
    title: 'The overdue list shows the customer, reference and dates of an invoice as they were sent.',
    readsEarlierResponses: true,
    check: (context) => checkOverdueInvoices(context, expectFieldsAsSent),
  },
  {
    ...common,
    id: 'INV-OVERDUE-42',
    quote: listFieldsQuote,
    title: 'The overdue list shows the lines of an invoice as they were sent.',
    readsEarlierResponses: true,
    check: (context) => checkOverdueInvoices(context, expectLinesAsSent),
  },
  {
    ...common,
    id: 'INV-OVERDUE-43',
    quote: listFieldsQuote,
    title:
      'Number, amount, currency and customer of an overdue invoice in the list equal those in the response to its creation.',
    readsEarlierResponses: true,
    check: (context) =>
      checkOverdueInvoices(context, (location, created) => {
        expectFieldsAsReturned(location, created);
        expectSameCustomer(location, created.record, ['name', 'email']);
      }),
  },
  {
    ...common,
    id: 'INV-OVERDUE-46',
    quote: lineQuotes.total,
    title: 'The line totals of an overdue invoice in the list equal those in the response to its creation.',
    readsEarlierResponses: true,
    check: (context) => checkOverdueInvoices(context, expectLineTotalsAsReturned),
  },
  {
    ...common,
    id: 'INV-OVERDUE-47',
    spec: 'What the service does',
    quote: overdueCapabilityQuote,
    title: 'No invoice is listed as overdue twice.',
    readsEarlierResponses: true,
    check: async (context) => {
      await context.use(overdueInvoices);
      expectDistinctIds(successesSoFar(context, 'listOverdueInvoices'), 'data', 'overdue invoices');
    },
  },
  {
    ...common,
    id: 'INV-OVERDUE-45',
    quote: detailQuotes.customer,
    title: 'The overdue list omits the address of the customer.',
    readsEarlierResponses: true,
    check: async (context) => {
      const fields = detailOnlyCustomerFields.filter((field) => field !== 'phone');
      for (const location of await allOverdueInvoices(context)) expectNoCustomerFields(location, fields);
    },
  },
  {
    ...common,
    id: 'INV-OVERDUE-44',
    spec: 'What the service does',
    quote: overdueCapabilityQuote,
    title: 'No invoice that is due today or later is listed as overdue.',
    check: async (context) => {
      await context.use(knownClockSkewMs);
      requireRecord((await context.use(dueTomorrowCreation)).exchange);
      // Skips the clause if no overdue invoice is listed.
      await context.use(overdueInvoices);
      const skewsMs = await context.use(possibleClockSkewsMs);
      for (const page of successesSoFar(context, 'listOverdueInvoices')) {
        // If the next day has begun in the target's time zone, which is unknown, an invoice due today may be overdue.
        const { latest } = possibleDates(page, skewsMs);
        const notDue = recordsAt(page.json, 'data').find(
          ({ due_date: due }) => typeof due === 'string' && due >= latest,
        );
        if (notDue)
          throw new Violation(`no invoice that is due on ${latest} or later in the overdue list`, notDue, page);
      }
    },
  },
  {
    ...common,
    // The specification does not say when the status of an invoice becomes `overdue`.
    level: 'inferred',
    id: 'INV-OVERDUE-52',
    quote: listFieldsQuote,
    title: 'The overdue list shows an invoice with the same `status` as the list of invoices.',
    check: (context) =>
      checkListsAndStatistics(context, ({ list, overdue }) => {
        const hasStatus = ({ id, status }: JsonObject): boolean => id !== undefined && status !== undefined;
        const listed = new Map(
          recordsAt(list.json, 'data.data')
            .filter(hasStatus)
            .map(({ id, status }) => [id, status]),
        );
        const records = recordsAt(overdue.json, 'data').filter(
          (record) => hasStatus(record) && listed.has(record['id']),
        );
        if (records.length === 0)
          throw new Skip({ missing: 'an overdue invoice', reason: 'the first page of invoices has none' });
        for (const { id, status } of records) {
          if (status !== listed.get(id))
            throw new Violation(`\`status\` of invoice ${id} to be ${listed.get(id)}, as in the list`, status, overdue);
        }
      }),
  },
  impossibleStatusClause(view, 'paidOrPartial', '50'),
  impossibleStatusClause(view, 'draftViewedOrCancelled', '51'),
];
