import { ServiceError } from '../domain/service-error.js';
import { readSeed } from '../files/seed-file.js';
import { UserError } from '../lib/user-error.js';
import { type Counts, generateRecords } from '../simulation/seeding/generate.js';
import { loadWorld } from './server.js';

interface GenerationOptions {
  /** The same seed on the same data gives the same records. */
  readonly randomSeed: number;
  /** Called before the first record is added, with the number of all records to add. */
  readonly onBegin: (total: number) => void;
  /** Called after each batch is stored, with the number of its records. */
  readonly onAdded: (count: number) => void;
  readonly log: (line: string) => void;
}

/**
 * Adds generated records to the default account of a data folder that no simulator uses.
 * @throws UserError if the new records need others that neither exist nor are requested; also the errors of `loadWorld`
 */
export async function addGeneratedRecords(
  folder: string,
  counts: Counts,
  { randomSeed, onBegin, onAdded, log }: GenerationOptions,
): Promise<void> {
  const { world, startStoring, close } = await loadWorld({
    folder,
    durability: 'os',
    seed: await readSeed('demo'),
    log,
  });
  const { customers, invoices, links, payments, deposits } = counts;
  try {
    const account = world.accounts.default();
    if (invoices + payments > 0 && customers + account.customers.size === 0) {
      throw new UserError('invoices and payments need a customer: add --customers 1, or more');
    }
    if (payments > 0 && links + account.paymentLinks.size === 0) {
      throw new UserError('payments need a payment link: add --links 1, or more');
    }
    await startStoring();
    onBegin(customers + invoices + links + payments + deposits);
    for (const changes of generateRecords(account, counts, randomSeed)) {
      account.transaction((tx) => tx.put(changes));
      await account.whenStored().catch((error: unknown) => {
        throw error instanceof ServiceError && error.code === 'not-stored' ? notStored(folder) : error;
      });
      onAdded(Object.values(changes).reduce((sum, rows) => sum + rows.length, 0));
    }
  } finally {
    await close();
  }
}

/** Error for records that could not be stored, for a reason that was logged. */
function notStored(folder: string): UserError {
  return new UserError(`not all records could be stored in ${folder}, for the reason above; those that were remain`);
}
