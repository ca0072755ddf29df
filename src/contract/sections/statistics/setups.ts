import { setTimeout as sleep } from 'node:timers/promises';
import { Blocked, Skip, Violation } from '../../engine/check-errors.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, isSuccess, requireSuccess, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { JsonObject } from '../../engine/json.js';
import { type ClauseContext, type Session, setup } from '../../engine/session.js';
import { isSameId } from '../../predicates/matchers.js';
import { type CreatedRecord, type Creation, requireRecord, withRecord } from '../created-records.js';
import {
  invoicePath,
  minimumQuantityInvoice,
  pastDueInvoice,
  postInvoice,
  someInvoiceDetail,
} from '../invoice-creation/setups.js';
import { invoicesPage, isListedAsOverdue, overdueResponse } from '../invoice-list/setups.js';
import { findUntilListed } from '../paging/setups.js';
import { readCreatedRecord } from '../read-created-record.js';

/** Common to clauses about the statistics. */
export const statisticsSource = {
  level: 'documented',
  operation: 'getInvoiceStats',
  spec: 'Invoice statistics',
} as const;

/** Statistics before and after the creation or payment of an invoice. */
export interface StatisticsChange {
  readonly before: Exchange;
  readonly after: Exchange;
  /** True if the number of invoices changed as expected, which suggests that no other client was active. */
  readonly isUndisturbed: boolean;
}

/** Reads a number from the statistics. @throws Blocked if it is missing or malformed */
export function statisticIn({ json }: Exchange, field: string): number {
  const value = valueAt(json, `data.${field}`);
  if (value === undefined) throw new Blocked(`the statistics have no \`data.${field}\``);
  const number = decimalOf(value);
  if (number === undefined) {
    throw new Blocked(`\`data.${field}\` of the statistics is ${JSON.stringify(value)}, not a decimal`);
  }
  return number;
}

/** Reads the current statistics. */
export const readStatistics = (context: ClauseContext): Promise<Exchange> => context.get('/invoices/stats');

/** The statistics after the creation of an invoice; the current ones if none can be created. */
export const statistics = setup('the statistics', async (context) => {
  const change = await ifPossible(context.use(sharedCreation));
  return change?.after ?? readStatistics(context);
});

/** The creation of the invoice with a custom number: the first attempt of `sharedCreation`. */
export const customNumberCreation = setup('a new invoice with a custom number', async (context) => {
  const { first } = await context.use(sharedCreation);
  return first;
});

/** Maximum number of attempts to measure a change while no other client is active. */
const maxAttempts = 3;

/**
 * Creates an invoice between two reads of the statistics; creates another if other clients were active.
 * @param bodyChanges returns, for each attempt, the fields to replace in the valid body of an invoice that is not due
 * soon
 * @returns the last creation with the statistics around it, and the first creation
 */
export async function measureCreation(
  context: ClauseContext,
  bodyChanges: (attempt: number) => JsonObject = () => ({}),
): Promise<StatisticsChange & Creation & { readonly first: Creation }> {
  let first: Creation | undefined;
  let before = await readStatistics(context);
  for (let attempt = 1; ; attempt++) {
    const creation = await postInvoice(context, bodyChanges(attempt));
    first ??= creation;
    const after = isSuccess(creation.exchange)
      ? await readUntilIncreased(context, before, 'total_invoices')
      : await readStatistics(context);
    const difference = fieldDifference({ before, after }, 'total_invoices');
    // If `total_invoices` grew by more than one, other clients are active.
    if (!(difference > 1) || attempt === maxAttempts) {
      return { ...creation, first, before, after, isUndisturbed: difference === 1 };
    }
    before = after;
  }
}

/**
 * Invoice number of the invoice with a custom number. It is short, because the specification does not say how long a
 * number may be.
 */
export const customInvoiceNumber = ({ session }: ClauseContext): string => `C-${session.runId}`;

/** The statistics before and after the creation of an invoice. Only the first attempt uses a custom number. */
export const sharedCreation = setup('the statistics around the creation of an invoice', (context) =>
  measureCreation(context, (attempt) =>
    attempt === 1 ? { invoice_number: customInvoiceNumber(context), reference: context.withRunPrefix('number') } : {},
  ),
);

/**
 * Pays an invoice between two reads of the statistics; pays another if other clients were active.
 * @param create returns the invoice to pay in each attempt. After the first one, the statistics should already include
 *   it: a target that updates them late seems to have other clients
 */
export async function measurePayment(
  context: ClauseContext,
  create: (attempt: number) => Promise<CreatedRecord>,
): Promise<StatisticsChange & CreatedRecord> {
  context.requireDriverMethod('markInvoicePaid');
  // Throws if the target does not store invoices, so that the driver is not called for an invoice that does not exist.
  requireSuccess(await context.use(someInvoiceDetail));
  for (let attempt = 1; ; attempt++) {
    const paid = await create(attempt);
    const before = await readStatistics(context);
    await context.drive('markInvoicePaid', paid.record);
    const after = await readUntilIncreased(context, before, 'paid_invoices');
    const difference = fieldDifference({ before, after }, 'total_invoices');
    if (difference === 0 || Number.isNaN(difference) || attempt === maxAttempts)
      return { ...paid, before, after, isUndisturbed: difference === 0 };
  }
}

async function createInvoiceToPay(context: ClauseContext, changes: JsonObject = {}): Promise<CreatedRecord> {
  return withRecord(await postInvoice(context, { reference: context.withRunPrefix('to pay'), ...changes }));
}

/** The sessions whose target has violated a clause about a change. It does not just update its statistics late. */
export const sessionsWithWrongChange = new WeakSet<Session>();

/** Time for the statistics to include a new invoice, since a target may update some fields later than others. */
const settlingMs = 1_000;

/** Creates an invoice to pay, and waits until the statistics should include it. */
export async function createSettledInvoice(context: ClauseContext, changes: JsonObject = {}): Promise<CreatedRecord> {
  const created = await createInvoiceToPay(context, changes);
  const { session } = context;
  if (!sessionsWithWrongChange.has(session)) {
    // A target may compute the statistics only when they are requested, and return those of the request before.
    await readStatistics(context);
    await sleep(Math.min(settlingMs, session.eventuallyTimeoutMs));
  }
  return created;
}

/** The statistics before and after the driver pays an invoice that was due long ago. */
export const sharedPayment = setup('the statistics around the payment of an invoice', async (context) => {
  // Other clauses look for the invoice in the overdue list, so the list must be read before the payment.
  await ifPossible(context.use(overdueResponse));
  return measurePayment(context, async (attempt) =>
    attempt === 1 ? context.use(pastDueInvoice) : (await createOverdueInvoice(context)).created,
  );
});

/** Creates an invoice that was due long ago, and reads the overdue list. */
async function createOverdueInvoice(
  context: ClauseContext,
): Promise<{ readonly created: CreatedRecord; readonly overdue: Exchange }> {
  const created = await createSettledInvoice(context, { date: '2020-01-01', due_date: '2020-01-31' });
  return { created, overdue: await context.get('/invoices/overdue') };
}

/** Measures the payment of an invoice that is in the overdue list. @throws Skip if the list does not contain it */
export async function measureOverduePayment(
  context: ClauseContext,
  isFirstAttempt: boolean,
): Promise<StatisticsChange & CreatedRecord> {
  if (isFirstAttempt) {
    const shared = await context.use(sharedPayment);
    const { record: listedBefore } = await context.use(pastDueInvoice);
    if (shared.record['id'] === listedBefore['id']) {
      if (!isListedAsOverdue(await context.use(overdueResponse), shared.record)) throw unlistedInvoiceSkip();
      return shared;
    }
  }
  // A later attempt of the shared payment paid an invoice that was created after the list was read.
  return measurePayment(context, async () => {
    const { created, overdue } = await createOverdueInvoice(context);
    if (!isListedAsOverdue(overdue, created.record)) throw unlistedInvoiceSkip();
    return created;
  });
}

/** Creates the Skip for an invoice that is missing from the overdue list, which is not a violation. */
export function unlistedInvoiceSkip(): Skip {
  return new Skip({
    missing: 'an overdue invoice',
    reason:
      'the one that the suite created is not listed; the specification does not say when an invoice becomes overdue',
  });
}

/** Searches the list for the invoice that `paymentBeforeDueDate` pays. */
const unpaidInvoiceSearch = setup('the search for an unpaid invoice in the list', async (context) => {
  const { record } = await context.use(minimumQuantityInvoice);
  const isMatch = ({ id }: JsonObject): boolean => isSameId(id, record['id']);
  return findUntilListed(context, '/invoices', isMatch, await context.use(invoicesPage));
});

/**
 * The payment of an invoice that is not due yet, measured in the statistics. `invoicePaidEarly` is the invoice that the
 * first attempt pays, even if a later attempt pays another one. `listedBefore` is the result of searching the list for it
 * before the payment, `detailBefore` its detail view then, and `page` the response with its detail view afterwards.
 */
export const paymentBeforeDueDate = setup('the payment of an invoice that is not due yet', async (context) => {
  context.requireDriverMethod('markInvoicePaid');
  const { record } = await context.use(minimumQuantityInvoice);
  // The invoice is listed and read while it is unpaid: other clauses check that later reads show it as `paid`.
  const listedBefore = await ifPossible(context.use(unpaidInvoiceSearch));
  const path = invoicePath(record);
  const detailBefore = requireRecord(await readCreatedRecord(context, path));
  const change = await measurePayment(context, (attempt) =>
    attempt === 1 ? context.use(minimumQuantityInvoice) : createSettledInvoice(context),
  );
  const page = await eventually(
    context,
    () => context.get(path),
    (read) => valueAt(read.json, 'data.status') === 'paid',
  );
  return { ...change, invoicePaidEarly: record, listedBefore, detailBefore, page };
});

/**
 * Reads the statistics until a field has grown, or the timeout has passed. Stops early if the field is not a number.
 * @returns the last statistics that were read, even if the field never grew
 */
function readUntilIncreased(context: ClauseContext, before: Exchange, field: string): Promise<Exchange> {
  return eventually(
    context,
    () => readStatistics(context),
    (after) => !(fieldDifference({ before, after }, field) <= 0),
  );
}

/** Value of a field after the change minus its value before; NaN if one is not a number, which other clauses report. */
export function fieldDifference({ before, after }: Pick<StatisticsChange, 'before' | 'after'>, field: string): number {
  const [valueBefore, valueAfter] = [before, after].map(({ json }) => decimalOf(valueAt(json, `data.${field}`)));
  return Number(valueAfter) - Number(valueBefore);
}

/** The paid invoice and its detail view. Waits until that view shows it as `paid`, or the timeout has passed. */
export const paidInvoice = setup('a paid invoice', async (context) => {
  const { record, isUndisturbed } = await context.use(sharedPayment);
  const page = await eventually(
    context,
    () => context.get(invoicePath(record)),
    (read) => valueAt(read.json, 'data.status') === 'paid',
  );
  return { record, isUndisturbed, page, detail: requireRecord(page) };
});

/** @throws Blocked if an invoice that the driver has paid is not `paid` */
export function requirePaid({ status }: JsonObject): void {
  if (status !== 'paid') throw new Blocked('the driver paid the invoice, but its status is not `paid`');
}

/** The overdue list after one of its invoices was paid. */
export const overdueListAfterPayment = setup('the overdue invoices after a payment', async (context) => {
  const { record, detail, isUndisturbed } = await context.use(paidInvoice);
  requirePaid(detail);
  const page = await eventually(
    context,
    async () => requireSuccess(await context.get('/invoices/overdue')),
    (page) => !isListedAsOverdue(page, record),
  );
  return { record, isUndisturbed, page };
});

/** The invoice list, the overdue list and the statistics, read while nothing changed. */
interface ListsAndStatistics {
  readonly list: Exchange;
  readonly overdue: Exchange;
  readonly stats: Exchange;
}

export const listsAndStatistics = setup('the statistics and the lists, read together', readListsAndStatistics);

/**
 * Checks the lists and the statistics, read together. After a violation, reads and checks them again until the check
 * passes or the timeout has passed, because a target may update its lists late.
 * @param check throws Violation if they violate the clause
 * @throws Violation; Skip if other clients are active, because a list that is updated late may then never agree with
 * the statistics
 */
export async function checkListsAndStatistics(
  context: ClauseContext,
  check: (read: ListsAndStatistics) => void,
): Promise<void> {
  const isValid = (read: ListsAndStatistics): boolean => violationOf(check, read) === undefined;
  if (isValid(await context.use(listsAndStatistics))) return;
  const later: ListsAndStatistics[] = [];
  const last = await eventually(
    context,
    async () => {
      const read = await readListsAndStatistics(context);
      later.push(read);
      return read;
    },
    isValid,
  );
  const violation = violationOf(check, last);
  if (!violation) return;
  if (later.some(({ stats }) => !isUnchanged({ before: stats, after: last.stats })))
    throw changedByOthersSkip('the statistics');
  throw violation;
}

function violationOf(check: (read: ListsAndStatistics) => void, read: ListsAndStatistics): Violation | undefined {
  try {
    check(read);
    return undefined;
  } catch (error) {
    if (error instanceof Violation) return error;
    throw error;
  }
}

/** Reads the lists and statistics while no other client is active. @throws Skip if one is active at every attempt */
async function readListsAndStatistics(context: ClauseContext): Promise<ListsAndStatistics> {
  // Makes sure that there are overdue invoices and a paid one, if the suite can create and pay them.
  await context.runIfPossible(sharedPayment);
  let before = requireSuccess(await readStatistics(context));
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const list = requireSuccess(await context.get('/invoices?per_page=100'));
    const overdue = requireSuccess(await context.get('/invoices/overdue'));
    const stats = requireSuccess(await readStatistics(context));
    if (isUnchanged({ before, after: stats })) return { list, overdue, stats };
    before = stats;
  }
  throw changedByOthersSkip('the statistics');
}

/** Creates the Skip for an account that other clients change. */
export function changedByOthersSkip(changing: 'the statistics' | 'the invoices'): Skip {
  return new Skip({ missing: 'an account that nobody else changes', reason: `${changing} keep changing` });
}

/**
 * True if the statistics stayed the same, so that no other client was active. A field that is not a number, which other
 * clauses report, counts as unchanged.
 */
function isUnchanged(change: Pick<StatisticsChange, 'before' | 'after'>): boolean {
  return ['total_invoices', 'overdue_invoices', 'total_outstanding'].every((field) => !fieldDifference(change, field));
}
