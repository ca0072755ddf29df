import { type FaultId, faults } from '../../second-implementation/faults/index.js';
import { accessFaultsDetectedBy } from './access.js';
import type { DetectedBy } from './detected-by.js';
import { envelopeFaultsDetectedBy } from './envelope.js';
import { invoiceFaultsDetectedBy } from './invoices.js';
import { limitFaultsDetectedBy } from './limits.js';
import { paymentAndDepositFaultsDetectedBy } from './payments-and-deposits.js';

/** The clauses that detect each fault that can be planted in the second implementation. */
export const detectedBy: DetectedBy<FaultId> = {
  ...envelopeFaultsDetectedBy,
  ...invoiceFaultsDetectedBy,
  ...paymentAndDepositFaultsDetectedBy,
  ...accessFaultsDetectedBy,
  ...limitFaultsDetectedBy,
};

/**
 * All faults that can be planted in the second implementation. The filter removes none: it tells the compiler that the
 * keys, which it knows only as strings, are ids of faults.
 */
export const plantedFaults: readonly FaultId[] = Object.keys(detectedBy).filter((id): id is FaultId =>
  Object.hasOwn(faults, id),
);

/** Faults that cause only warnings, although they break an express promise. The value says why. */
export const faultsThatOnlyWarn: Partial<Record<FaultId, string>> = {
  // The list of deposits has an object in place of the array `data`.
  'records-object': 'the clause is inferred, since the specification shows no response of GET /deposits',
  // The first response, before the suite creates invoices, shows none of them.
  'overdue-list-stale':
    'the clause is inferred, since the specification does not say when an invoice is added to the overdue list',
};
