import type { Clause } from '../clause.js';
import { probes } from '../probes/index.js';
import { authenticationClauses } from './authentication.js';
import { depositListClauses } from './deposit-list.js';
import { depositStateClauses } from './deposit-states.js';
import { depositClauses } from './deposits.js';
import { envelopeClauses } from './envelope.js';
import { invoiceCreateClauses } from './invoice-create.js';
import { invoiceDetailClauses } from './invoice-detail.js';
import { invoiceListClauses } from './invoice-list.js';
import { invoiceRuleClauses } from './invoice-rules.js';
import { limitClauses } from './limits.js';
import { linkListClauses } from './link-list.js';
import { linkSlugClauses } from './link-slugs.js';
import { linkClauses } from './links.js';
import { overdueClauses } from './overdue.js';
import { paymentFilterClauses } from './payment-filters.js';
import { paymentClauses } from './payments.js';
import { reminderClauses } from './reminders.js';
import { statisticsClauses } from './statistics.js';
import { versionClauses } from './versioning.js';
import { webhookSignatureClauses } from './webhook-signatures.js';
import { webhookClauses } from './webhooks.js';

/** Every clause, section by section, in the order in which they are checked. */
export const clauses: readonly Clause[] = [
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
  ...depositListClauses,
  ...depositStateClauses,
  ...webhookClauses,
  ...webhookSignatureClauses,
  ...authenticationClauses,
  // These look at all that was answered before; the last of them uses the limit of requests up.
  ...envelopeClauses,
  ...versionClauses,
  ...limitClauses,
  // What the target was seen to do where the specification is silent: these ask for nothing that the others have not.
  ...probes.filter(({ isFree }) => isFree),
];
