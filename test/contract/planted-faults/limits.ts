import type { limitFaults } from '../../second-implementation/faults/limits.js';
import type { DetectedBy } from './detected-by.js';

/** Clauses that detect faults of the rate limit. */
export const limitFaultsDetectedBy: DetectedBy<keyof typeof limitFaults> = {
  'rate-limit-missing': 'RATE-HEADER-01',
  'rate-remaining-missing': 'RATE-HEADER-02',
  'rate-reset-missing': 'RATE-HEADER-03',
  'rate-missing-on-201': 'INV-CREATE-06 RATE-HEADER-01',
  'rate-missing-on-unauthenticated': 'AUTH-NOTOKEN-01 RATE-HEADER-04',
  'rate-missing-on-scope': 'AUTH-SCOPE-01 RATE-HEADER-01',
  'rate-missing-on-404': 'INV-REMIND-06 RATE-HEADER-01',
  'rate-missing-on-refused': 'INV-RULE-01 RATE-HEADER-01',
  'rate-missing-on-429': 'RATE-EXCESS-03',
  'rate-missing-on-overdue': 'INV-OVERDUE-02 RATE-HEADER-01',
  'rate-limit-with-unit': 'RATE-FORM-01',
  'rate-remaining-constant': 'RATE-COUNT-01',
  'rate-remaining-counts-used': 'RATE-COUNT-01',
  'rate-reset-past': 'RATE-RESET-01',
  'rate-reset-empty': 'RATE-FORM-03',
  'rate-halved': 'RATE-LIMIT-01',
  'rate-refused-early': 'RATE-EXCESS-04',
  'rate-not-enforced': 'RATE-EXCESS-01',
  'rate-never-resets': 'RATE-EXCESS-05',
  'rate-excess-success': 'RATE-EXCESS-02',
  'rate-excess-error-missing': 'RATE-EXCESS-02',
};
