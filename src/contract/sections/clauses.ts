import type { Clause } from '../engine/clause.js';
import { authenticationClauses } from './authentication/clauses.js';
import { depositFilterClauses } from './deposit-filters/clauses.js';
import { depositLifecycleClauses } from './deposit-lifecycle/clauses.js';
import { depositListClauses } from './deposit-list/clauses.js';
import { depositClauses } from './deposits/clauses.js';
import { envelopeClauses } from './envelope/clauses.js';
import { idempotencyClauses } from './idempotency/clauses.js';
import { invoiceCreateClauses } from './invoice-creation/clauses.js';
import { invoiceRuleClauses } from './invoice-creation/rule-clauses.js';
import { invoiceDetailClauses } from './invoice-detail/clauses.js';
import { invoiceListClauses } from './invoice-list/clauses.js';
import { linkListClauses } from './link-list/clauses.js';
import { linkSlugClauses } from './link-slugs/clauses.js';
import { overdueClauses } from './overdue/clauses.js';
import { paymentFilterClauses } from './payment-filters/clauses.js';
import { linkClauses } from './payment-links/clauses.js';
import { paymentClauses } from './payments/clauses.js';
import { probes } from './probes.js';
import { rateLimitClauses } from './rate-limits/clauses.js';
import { reminderClauses } from './reminders/clauses.js';
import { statisticsClauses } from './statistics/clauses.js';
import { validRequestClauses } from './valid-requests/clauses.js';
import { versionClauses } from './versioning/clauses.js';
import { webhookSignatureClauses } from './webhook-signatures/clauses.js';
import { webhookClauses } from './webhooks/clauses.js';

/** Clauses on the operations of the service and on webhooks, by section. */
const operationClauses: readonly Clause[] = [
  ...invoiceCreateClauses,
  ...invoiceRuleClauses,
  ...invoiceListClauses,
  ...invoiceDetailClauses,
  ...overdueClauses,
  ...statisticsClauses,
  ...reminderClauses,
  ...linkClauses,
  ...linkSlugClauses,
  ...linkListClauses,
  ...paymentClauses,
  ...paymentFilterClauses,
  ...depositClauses,
  ...idempotencyClauses,
  ...depositListClauses,
  ...depositFilterClauses,
  ...depositLifecycleClauses,
  ...webhookClauses,
  ...webhookSignatureClauses,
  ...authenticationClauses,
  ...validRequestClauses,
];

/** The clauses of a run, in the order in which they are checked. */
export const clauses: readonly Clause[] = [
  ...operationClauses.filter(({ readsEarlierResponses }) => !readsEarlierResponses),
  ...operationClauses.filter(({ readsEarlierResponses }) => readsEarlierResponses),
  // These sections check the responses of all sections above. The last of them may use up the rate limit.
  ...envelopeClauses,
  ...versionClauses,
  ...rateLimitClauses,
  // Probes observe behavior that the specification leaves open. Passive ones add no requests to a run. The active ones
  // do, so only `calibrate` and `compare` run them.
  ...probes.filter(({ isPassive }) => isPassive),
];
