import type { Clause } from '../../src/contract/clause.js';
import { depositListClauses } from '../../src/contract/clauses/deposit-list.js';
import { depositStateClauses } from '../../src/contract/clauses/deposit-states.js';
import { depositClauses } from '../../src/contract/clauses/deposits.js';
import { linkListClauses } from '../../src/contract/clauses/link-list.js';
import { linkSlugClauses } from '../../src/contract/clauses/link-slugs.js';
import { linkClauses } from '../../src/contract/clauses/links.js';
import { paymentFilterClauses } from '../../src/contract/clauses/payment-filters.js';
import { paymentClauses } from '../../src/contract/clauses/payments.js';
import { webhookSignatureClauses } from '../../src/contract/clauses/webhook-signatures.js';
import { webhookClauses } from '../../src/contract/clauses/webhooks.js';

/** The clauses of what is paid, held and told: links, payments, deposits and webhooks. */
export const moneyClauses: readonly Clause[] = [
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
];
