import type { Clause } from '../../src/contract/engine/clause.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { depositFilterClauses } from '../../src/contract/sections/deposit-filters/clauses.js';
import { depositLifecycleClauses } from '../../src/contract/sections/deposit-lifecycle/clauses.js';
import { depositListClauses } from '../../src/contract/sections/deposit-list/clauses.js';
import { depositClauses } from '../../src/contract/sections/deposits/clauses.js';
import { idempotencyClauses } from '../../src/contract/sections/idempotency/clauses.js';
import { linkListClauses } from '../../src/contract/sections/link-list/clauses.js';
import { linkSlugClauses } from '../../src/contract/sections/link-slugs/clauses.js';
import { paymentFilterClauses } from '../../src/contract/sections/payment-filters/clauses.js';
import { linkClauses } from '../../src/contract/sections/payment-links/clauses.js';
import { paymentClauses } from '../../src/contract/sections/payments/clauses.js';
import { webhookSignatureClauses } from '../../src/contract/sections/webhook-signatures/clauses.js';
import { webhookClauses } from '../../src/contract/sections/webhooks/clauses.js';

/** All clauses except the open ones, which only observe what a target does. */
export const nonOpenClauses: readonly Clause[] = clauses.filter(({ level }) => level !== 'open');

/** Clauses about payment links, payments, deposits and their webhooks. */
export const paymentAndDepositClauses: readonly Clause[] = [
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
];

/** Clauses about everything else: the envelope, invoices, tokens, limits and the version. */
export const clausesExceptPaymentsAndDeposits: readonly Clause[] = nonOpenClauses.filter(
  (clause) => !paymentAndDepositClauses.some(({ id }) => id === clause.id),
);
