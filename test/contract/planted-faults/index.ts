import type { FaultId } from '../../second-implementation/faults/index.js';
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

/** Faults that cause only warnings, since the specification merely suggests what they break. The value says why. */
export const faultsThatOnlyWarn: Partial<Record<FaultId, string>> = {
  'records-object': 'the specification does not show a response of GET /deposits',
};
