import { ServiceError } from '../domain/service-error.js';
import { readSeed } from '../files/seed-file.js';
import { UserError } from '../lib/user-error.js';
import { generateRecords, type RecordCounts } from '../simulation/seeding/generate.js';
import type { RowsByTable } from '../simulation/state/changes.js';
import { loadWorld } from './server.js';

interface Progress {
  /** Number of records that were added. */
  readonly added: number;
  /** Number of records to add. It grows with each paid invoice, because the payment of the invoice is added later. */
  readonly total: number;
}

interface GenerationOptions {
  /** The same random seed on the same data gives the same records. */
  readonly randomSeed: number;
  /** Called before the first record is added, and after each batch is stored. */
  readonly onProgress: (progress: Progress) => void;
  readonly log: (line: string) => void;
  /** Ends the generation after the current batch. */
  readonly stopSignal: AbortSignal;
}

/**
 * Adds generated records to the default account of a data folder that no simulator uses.
 * @returns how many records were added, including the payments of paid invoices
 * @throws UserError if the new records need others that neither exist nor are requested; also the errors of `loadWorld`
 */
export async function addGeneratedRecords(
  folder: string,
  counts: RecordCounts,
  { randomSeed, onProgress, log, stopSignal }: GenerationOptions,
): Promise<RecordCounts> {
  const { world, startStoring, close } = await loadWorld({
    folder,
    durability: 'os',
    seed: () => readSeed('demo'),
    log,
  });
  const { customers, invoices, links, payments } = counts;
  try {
    const account = world.accounts.default();
    if (invoices + payments > 0 && customers + account.customers.size === 0) {
      throw new UserError('invoices and payments need a customer: add --customers 1 or more');
    }
    if (payments > 0 && links + account.paymentLinks.size === 0) {
      throw new UserError('payments need a payment link: add --links 1 or more');
    }
    await startStoring();
    let total = sumOf(counts);
    let added: RecordCounts = { customers: 0, invoices: 0, links: 0, payments: 0, deposits: 0 };
    onProgress({ added: sumOf(added), total });
    for (const changes of generateRecords(account, world.accounts, counts, randomSeed)) {
      if (stopSignal.aborted) break;
      account.transaction((tx) => tx.put(changes));
      await account.whenStored().catch((error: unknown) => {
        throw error instanceof ServiceError && error.code === 'not-stored' ? notStored(folder) : error;
      });
      total += changes.invoices?.filter(({ status }) => status === 'paid').length ?? 0;
      added = withNewRows(added, changes);
      onProgress({ added: sumOf(added), total });
    }
    return added;
  } finally {
    await close();
  }
}

function withNewRows(
  { customers, invoices, links, payments, deposits }: RecordCounts,
  rows: RowsByTable,
): RecordCounts {
  // Payments are stored together with the changed links that they were made through.
  const newLinks = rows.payments ? [] : (rows.payment_links ?? []);
  return {
    customers: customers + (rows.customers?.length ?? 0),
    invoices: invoices + (rows.invoices?.length ?? 0),
    links: links + newLinks.length,
    payments: payments + (rows.payments?.length ?? 0),
    deposits: deposits + (rows.deposits?.length ?? 0),
  };
}

function sumOf({ customers, invoices, links, payments, deposits }: RecordCounts): number {
  return customers + invoices + links + payments + deposits;
}

/** Error for records that could not be stored, for a reason that was logged. */
function notStored(folder: string): UserError {
  return new UserError(`some records could not be stored in ${folder}, for the reason above; the others are kept`);
}
