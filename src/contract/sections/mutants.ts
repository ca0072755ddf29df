import { type Mutant, mutantsFromRows } from '../mutation/mutant.js';
import { authenticationMutants } from './authentication/mutants.js';
import { depositFilterMutants } from './deposit-filters/mutants.js';
import { depositLifecycleMutants } from './deposit-lifecycle/mutants.js';
import { depositRefusalMutants } from './deposit-lifecycle/refusal-mutants.js';
import { depositListMutants } from './deposit-list/mutants.js';
import { depositMutants } from './deposits/mutants.js';
import { envelopeMutants } from './envelope/mutants.js';
import { idempotencyMutants } from './idempotency/mutants.js';
import { invoiceCreationMutants } from './invoice-creation/mutants.js';
import { invoiceRuleMutants } from './invoice-creation/rule-mutants.js';
import { invoiceDetailMutants } from './invoice-detail/mutants.js';
import { invoiceListMutants } from './invoice-list/mutants.js';
import { linkListMutants } from './link-list/mutants.js';
import { linkSlugMutants } from './link-slugs/mutants.js';
import { overdueMutants } from './overdue/mutants.js';
import { paymentFilterMutants } from './payment-filters/mutants.js';
import { linkMutants } from './payment-links/mutants.js';
import { paymentMutants } from './payments/mutants.js';
import { rateLimitMutants } from './rate-limits/mutants.js';
import { reminderMutants } from './reminders/mutants.js';
import { statisticsMutants } from './statistics/mutants.js';
import { validRequestMutants } from './valid-requests/mutants.js';
import { versionMutants } from './versioning/mutants.js';
import { webhookSignatureMutants } from './webhook-signatures/mutants.js';
import { webhookMutants } from './webhooks/mutants.js';

/** All mutants (defects that a clause must detect), by section. */
export const mutants: readonly Mutant[] = mutantsFromRows([
  ...invoiceCreationMutants,
  ...invoiceRuleMutants,
  ...invoiceListMutants,
  ...invoiceDetailMutants,
  ...overdueMutants,
  ...statisticsMutants,
  ...reminderMutants,
  ...linkMutants,
  ...linkSlugMutants,
  ...linkListMutants,
  ...paymentMutants,
  ...paymentFilterMutants,
  ...depositMutants,
  ...idempotencyMutants,
  ...depositListMutants,
  ...depositFilterMutants,
  ...depositLifecycleMutants,
  ...depositRefusalMutants,
  ...webhookMutants,
  ...webhookSignatureMutants,
  ...authenticationMutants,
  ...validRequestMutants,
  ...envelopeMutants,
  ...versionMutants,
  ...rateLimitMutants,
]);
