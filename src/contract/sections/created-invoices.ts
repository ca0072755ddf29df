import { isRecord } from '../../lib/json.js';
import { isSuccess, valueAt } from '../engine/expect.js';
import type { ClauseContext, Setup } from '../engine/session.js';
import { Blocked } from '../engine/verdict.js';
import type { RecordLocation } from './fields.js';
import {
  type CreatedRecord,
  createdInvoice,
  fullCreation,
  minimalCreation,
  minimumQuantityCreation,
  pastDueCreation,
  sameDayCreation,
  secondPastDueCreation,
  someInvoiceDetail,
  unusualCreation,
} from './invoice-creation/setups.js';
import {
  overdueListAfterCreation,
  paidInvoiceRow,
  recentlyDueCreation,
  recentlyDueDetail,
  recentlyDueRow,
} from './invoice-detail/setups.js';
import { newInvoiceLocation } from './invoice-list/setups.js';
import { responsesSoFar } from './responses.js';
import { measuredCreation, paidInvoice, paymentBeforeDueDate } from './statistics/setups.js';

/** Setups that create invoices with valid bodies. */
const creations: readonly Setup<unknown>[] = [
  fullCreation,
  minimalCreation,
  sameDayCreation,
  minimumQuantityCreation,
  unusualCreation,
  measuredCreation,
  pastDueCreation,
  secondPastDueCreation,
  recentlyDueCreation,
];

/**
 * Returns the invoices that the suite has created with valid bodies, each as the response to its creation shows it.
 * @throws Skip or Blocked if not even a simple invoice can be created
 */
export async function createdInvoices(context: ClauseContext): Promise<CreatedRecord[]> {
  await context.use(createdInvoice);
  for (const creation of creations) await context.ensureRun(creation);
  const senders = creations.map(({ name }) => name);
  return context.session.sentRequests.flatMap(({ sender, call: { method, path, body }, exchange }) => {
    if (method !== 'POST' || path !== '/invoices' || !senders.includes(sender)) return [];
    if (!exchange || !isSuccess(exchange) || !isRecord(body)) return [];
    const record = valueAt(exchange.json, 'data');
    return isRecord(record) ? [{ exchange, body, record }] : [];
  });
}

/** Operations that show invoices: path of the invoices in the response, and setups that read invoices of the suite. */
const views = {
  listInvoices: { path: 'data.data', reads: [newInvoiceLocation, recentlyDueRow, paidInvoiceRow] },
  getInvoice: { path: 'data', reads: [someInvoiceDetail, recentlyDueDetail, paymentBeforeDueDate, paidInvoice] },
  listOverdueInvoices: { path: 'data', reads: [overdueListAfterCreation] },
} as const;

/**
 * Checks the invoices of the suite wherever a response of an operation so far shows one of them.
 * @param expect gets the location of an invoice in a response, and the invoice as it was created; throws a Violation
 * @throws Skip or Blocked if no response shows any of them
 */
export async function expectInvoicesShown(
  context: ClauseContext,
  operation: keyof typeof views,
  expect: (location: RecordLocation, created: CreatedRecord) => void,
): Promise<void> {
  const created = await createdInvoices(context);
  const { path, reads } = views[operation];
  for (const read of reads) await context.ensureRun(read);
  const shown = responsesSoFar(context, operation)
    .filter(isSuccess)
    .flatMap((page) => locationsAt({ page, path }))
    .flatMap((location) => {
      const id = valueAt(location.page.json, `${location.path}.id`);
      const invoice = created.find(({ record }) => record['id'] === id && id !== undefined);
      return invoice ? [{ location, invoice }] : [];
    });
  if (shown.length === 0) throw new Blocked('no response shows an invoice that the suite created');
  for (const { location, invoice } of shown) expect(location, invoice);
  context.recordEvidence(...shown.slice(-1).map(({ location }) => location.page));
}

/** Returns the locations of the records of an array, or the location itself if there is no array. */
function locationsAt(location: RecordLocation): RecordLocation[] {
  const { page, path } = location;
  const value = valueAt(page.json, path);
  return Array.isArray(value) ? value.map((_record, index) => ({ page, path: `${path}.${index}` })) : [location];
}
