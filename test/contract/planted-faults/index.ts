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

/** All faults that can be planted in the second implementation. */
export const plantedFaults: readonly FaultId[] = Object.keys(detectedBy).filter((id): id is FaultId =>
  Object.hasOwn(faults, id),
);

/** Faults that cause only warnings, since the specification merely suggests what they break. The value says why. */
export const faultsThatOnlyWarn: Partial<Record<FaultId, string>> = {
  'records-object': 'the specification does not show a response of GET /deposits',
};
