import type { OperationId } from '../../generated/billing-document.js';
import type { ClauseContext, Setup } from '../engine/session.js';
import { type CreatedRecord, createdSoFar, expectWhereShown } from './created-records.js';
import type { RecordLocation } from './fields.js';
import {
  createdInvoice,
  fullCreation,
  futureCreation,
  minimalCreation,
  minimumQuantityCreation,
  pastDueCreation,
  sameDayCreation,
  secondPastDueCreation,
  someInvoiceDetail,
  unusualCreation,
} from './invoice-creation/setups.js';
import {
  futureDetail,
  overdueListWithNewInvoices,
  paidInvoiceLocation,
  recentPastDueCreation,
  recentPastDueDetail,
  recentPastDueLocation,
  unusualDetail,
} from './invoice-detail/setups.js';
import { newInvoiceLocation } from './invoice-list/setups.js';
import { paidInvoice, paymentBeforeDueDate, sharedCreation } from './statistics/setups.js';

/** Setups that create invoices with valid bodies. */
const creations: readonly Setup<unknown>[] = [
  fullCreation,
  minimalCreation,
  sameDayCreation,
  minimumQuantityCreation,
  futureCreation,
  unusualCreation,
  sharedCreation,
  pastDueCreation,
  secondPastDueCreation,
  recentPastDueCreation,
];

/**
 * Returns the invoices that the suite has created with valid bodies, each as the response to its creation shows it.
 * @throws Skip or Blocked if not even a simple invoice can be created
 */
export async function createdInvoices(context: ClauseContext): Promise<CreatedRecord[]> {
  await context.use(createdInvoice);
  for (const creation of creations) await context.runIfPossible(creation);
  return createdSoFar(context, 'createInvoice');
}

/** Setups that read invoices of the suite, keyed by the operation that they use. */
const readsByOperation = {
  listInvoices: [newInvoiceLocation, recentPastDueLocation, paidInvoiceLocation],
  getInvoice: [someInvoiceDetail, recentPastDueDetail, futureDetail, unusualDetail, paymentBeforeDueDate, paidInvoice],
  listOverdueInvoices: [overdueListWithNewInvoices],
} as const satisfies Partial<Record<OperationId, readonly Setup<unknown>[]>>;

/**
 * Checks the invoices of the suite wherever responses of an operation show them, including earlier responses of the
 * run.
 * @param expect gets the location of an invoice in a response, and the invoice as it was created; throws a Violation
 * @throws Skip or Blocked if no response shows any of them
 */
export async function checkShownInvoices(
  context: ClauseContext,
  operation: keyof typeof readsByOperation,
  expect: (location: RecordLocation, created: CreatedRecord) => void,
): Promise<void> {
  const created = await createdInvoices(context);
  for (const read of readsByOperation[operation]) await context.runIfPossible(read);
  expectWhereShown(context, operation, created, expect);
}
