import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, isSuccess, recordsAt, succeeded, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import {
  type Created,
  type Creation,
  createInvoice,
  lateInvoice,
  leastQuantityInvoice,
  type Row,
  readInvoice,
  recordOf,
} from '../invoice-creation/setups.js';
import { invoicesPage, overduePage } from '../invoice-list/setups.js';

/** Statistics before and after something happened to an invoice. */
export interface Change {
  readonly before: Exchange;
  readonly after: Exchange;
  /** Whether the number of invoices changed as expected: no other client was seen active. */
  readonly isAtRest: boolean;
}

/** Reads the current statistics. */
const readStatistics = (context: ClauseContext): Promise<Exchange> => context.get('/invoices/stats');

/** Last statistics read around the creation of an invoice, if one can be created. */
export const statistics = setup('the statistics', async (context) => {
  const change = await ifPossible(context.use(aroundCreation));
  return change?.after ?? readStatistics(context);
});

/** The creation of the invoice that was sent with a number. */
export const numberedCreation = setup('a new invoice with a number of its own', async (context) => {
  const { first } = await context.use(aroundCreation);
  return first;
});

/** Attempts to change something while no other client is active. */
const tries = 3;

/** Creates an invoice that is not due soon; creates another if other clients were active. */
export async function measureCreation(
  context: ClauseContext,
  own: (attempt: number) => Row = () => ({}),
): Promise<Change & Creation & { readonly first: Creation }> {
  let first: Creation | undefined;
  let before = await readStatistics(context);
  for (let attempt = 1; ; attempt++) {
    const creation = await createInvoice(context, own(attempt));
    first ??= creation;
    const after = isSuccess(creation.exchange)
      ? await readOnceIncreased(context, before, 'total_invoices')
      : await readStatistics(context);
    const more = changeOf({ before, after }, 'total_invoices');
    // If the number changed by more than one, other clients are active.
    if (!(more > 1) || attempt === tries) return { ...creation, first, before, after, isAtRest: more === 1 };
    before = after;
  }
}

/** Number that the suite gives to an invoice. */
export const ownNumber = (context: ClauseContext): string => `${context.session.prefix}-1`;

/** The first invoice created here has a number of its own. */
export const aroundCreation = setup('the statistics around the creation of an invoice', (context) =>
  measureCreation(context, (attempt) =>
    attempt === 1 ? { invoice_number: ownNumber(context), reference: context.text('own number') } : {},
  ),
);

/** Pays an invoice, and another one if other clients were active. @param make returns the invoice for each attempt */
export async function measurePayment(
  context: ClauseContext,
  make: (attempt: number) => Promise<Created> = () => newInvoice(context),
): Promise<Change & Created> {
  // Reports a missing driver method before anything is created.
  if (!context.session.driver.markInvoicePaid) await context.drive('markInvoicePaid', {});
  // An invoice that was not stored cannot have been paid.
  succeeded(await context.use(readInvoice));
  for (let attempt = 1; ; attempt++) {
    const paid = await make(attempt);
    const before = await readStatistics(context);
    await context.drive('markInvoicePaid', paid.record);
    const after = await readOnceIncreased(context, before, 'paid_invoices');
    const more = changeOf({ before, after }, 'total_invoices');
    if (more === 0 || Number.isNaN(more) || attempt === tries) return { ...paid, before, after, isAtRest: more === 0 };
  }
}

async function newInvoice(context: ClauseContext, own: Row = {}): Promise<Created> {
  const creation = await createInvoice(context, { reference: context.text('to be paid'), ...own });
  return { ...creation, record: recordOf(creation.exchange) };
}

/** The first payment by the driver. */
export const aroundPayment = setup('the statistics around the payment of an invoice', async (context) => {
  // Keeps it overdue until other clauses have read it.
  await ifPossible(context.use(overduePage));
  return measurePayment(context, (attempt) =>
    attempt === 1 ? context.use(lateInvoice) : newInvoice(context, longDue),
  );
});

const longDue = { date: '2020-01-01', due_date: '2020-01-31' };

/** Payment of an invoice in the overdue list. @throws Skip if the list does not contain it */
export async function measureOverduePayment(context: ClauseContext, isFirst: boolean): Promise<Change & Created> {
  const isListed = ({ json }: Exchange, { record }: Created): boolean =>
    recordsAt(json, 'data').some(({ id }) => id === record['id']);
  let listed: Exchange | undefined;
  const change = isFirst
    ? await context.use(aroundPayment)
    : await measurePayment(context, async () => {
        const made = await newInvoice(context, longDue);
        listed = await context.get('/invoices/overdue');
        return made;
      });
  if (!isListed(listed ?? (await context.use(overduePage)), change)) {
    throw new Skip('an overdue invoice', 'that of the suite is not listed; when it becomes overdue is open');
  }
  return change;
}

/** Payment of an invoice that is not due yet, with its detail before and after. */
export const plainPayment = setup('the payment of an invoice that is not due yet', async (context) => {
  if (!context.session.driver.markInvoicePaid) await context.drive('markInvoicePaid', {});
  const { record } = await context.use(leastQuantityInvoice);
  // The detail must not be cached.
  await context.after(invoicesPage);
  const path = `/invoices/${record['id']}`;
  const detailBefore = recordOf(await context.get(path));
  const change = await measurePayment(context, (attempt) =>
    attempt === 1 ? context.use(leastQuantityInvoice) : newInvoice(context),
  );
  const detail = await eventually(
    context,
    () => context.get(path),
    (read) => valueAt(read.json, 'data.status') === 'paid',
  );
  return { ...change, first: record, detailBefore, detail };
});

/**
 * The statistics after a number has grown, which may take time; the current ones if it never does or is not a number.
 */
function readOnceIncreased(context: ClauseContext, before: Exchange, figure: string): Promise<Exchange> {
  return eventually(
    context,
    () => readStatistics(context),
    (after) => !(changeOf({ before, after }, figure) <= 0),
  );
}

/** Difference of a number; NaN if it is not a number, which other clauses report. */
export function changeOf({ before, after }: Pick<Change, 'before' | 'after'>, figure: string): number {
  const [was, is] = [before, after].map(({ json }) => decimalOf(valueAt(json, `data.${figure}`)));
  return Number(is) - Number(was);
}

/** The paid invoice, once its detail shows it as paid; its current state if it never does. */
export const paidInvoice = setup('a paid invoice', async (context) => {
  const { record, isAtRest } = await context.use(aroundPayment);
  const page = await eventually(
    context,
    () => context.get(`/invoices/${record['id']}`),
    (read) => valueAt(read.json, 'data.status') === 'paid',
  );
  return { record, isAtRest, page, detail: recordOf(page) };
});

/** The overdue list after one of its invoices was paid. */
export const afterPayment = setup('the overdue invoices after a payment', async (context) => {
  const { record, detail, isAtRest } = await context.use(paidInvoice);
  if (detail['status'] !== 'paid') throw new Blocked('the invoice that the driver paid is not `paid`');
  const page = await eventually(
    context,
    async () => succeeded(await context.get('/invoices/overdue')),
    ({ json }) => !recordsAt(json, 'data').some(({ id }) => id === record['id']),
  );
  return { record, isAtRest, page };
});

/** Statistics, list and overdue list at the same time. */
interface Totals {
  readonly list: Exchange;
  readonly overdue: Exchange;
  readonly stats: Exchange;
}

const firstTotals = setup('the statistics beside the lists', readTotals);

/** Lists and statistics, read while no other client is active. @throws Skip if one always is */
export const stableTotals = (context: ClauseContext, isFirst: boolean): Promise<Totals> =>
  isFirst ? context.use(firstTotals) : readTotals(context);

async function readTotals(context: ClauseContext): Promise<Totals> {
  await ifPossible(context.use(lateInvoice));
  let before = succeeded(await readStatistics(context));
  for (let attempt = 1; attempt <= tries; attempt++) {
    const list = succeeded(await context.get('/invoices?per_page=1'));
    const overdue = succeeded(await context.get('/invoices/overdue'));
    const stats = succeeded(await readStatistics(context));
    if (isUndisturbed({ before, after: stats })) return { list, overdue, stats };
    before = stats;
  }
  throw new Skip('an account that nobody else changes', 'the statistics keep changing');
}

/**
 * Whether no other client was seen active; a value that is not a number, which other clauses report, counts as
 * unchanged.
 */
function isUndisturbed(change: Pick<Change, 'before' | 'after'>): boolean {
  return ['total_invoices', 'overdue_invoices', 'total_outstanding'].every((figure) => !changeOf(change, figure));
}
