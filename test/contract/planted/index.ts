import type { FaultId } from '../../second/faults/index.js';
import { accessFaultsSeenBy } from './access.js';
import { envelopeFaultsSeenBy } from './envelope.js';
import { invoiceFaultsSeenBy } from './invoices.js';
import { limitFaultsSeenBy } from './limits.js';
import { moneyFaultsSeenBy } from './money.js';
import type { SeenBy } from './seen-by.js';

/** The faults that whoever wrote the second implementation has planted in it, all of them. */
export const seenBy: SeenBy<FaultId> = {
  ...envelopeFaultsSeenBy,
  ...invoiceFaultsSeenBy,
  ...moneyFaultsSeenBy,
  ...accessFaultsSeenBy,
  ...limitFaultsSeenBy,
};

/** Those that break what the specification does not say in so many words of this operation: they are warned of. */
export const onlyWarnedOf: Partial<Record<FaultId, string>> = {
  'records-keyed': 'what GET /deposits answers with is not shown',
};
