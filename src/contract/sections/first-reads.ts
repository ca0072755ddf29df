import { requireSuccess } from '../engine/expect.js';
import { type ClauseContext, setup } from '../engine/session.js';

/**
 * Reads what will show the records of a kind, before the suite creates the first of them. A new account has none then,
 * and a target may handle that wrongly: it may refuse the request, or show a sum as null. Clauses about all valid
 * requests, and about all responses, report this.
 */
const firstReads = {
  invoices: [firstRead('/invoices'), firstRead('/invoices/overdue'), firstRead('/invoices/stats')],
  links: [firstRead('/payment-links')],
  payments: [firstRead('/payments')],
  deposits: [firstRead('/deposits')],
} as const;

/** The list of deposits before the suite creates any. */
export const [firstDepositList] = firstReads.deposits;

function firstRead(path: string) {
  return setup(`the first GET ${path}`, async (context) => requireSuccess(await context.get(path)));
}

/** Runs the first reads of a kind of records, unless they have run. Call this before each creation of such a record. */
export async function readBeforeCreation(context: ClauseContext, kind: keyof typeof firstReads): Promise<void> {
  for (const read of firstReads[kind]) await context.runIfPossible(read);
}
