import { accessMutants } from './access.js';
import { depositKeyMutants } from './deposit-keys.js';
import { depositLifeMutants } from './deposit-lives.js';
import { depositListMutants, depositMutants } from './deposits.js';
import { envelopeMutants } from './envelope.js';
import { invoiceCreationMutants } from './invoice-creation.js';
import { invoiceFieldMutants } from './invoice-fields.js';
import { invoiceViewMutants } from './invoice-views.js';
import { limitMutants } from './limits.js';
import { linkMutants } from './links.js';
import { pageMutants } from './lists.js';
import type { Mutant } from './mutant.js';
import { overdueMutants } from './overdue.js';
import { paymentMutants } from './payments.js';
import { reminderMutants } from './reminders.js';
import { statisticsMutants } from './statistics.js';
import { versionMutants } from './versioning.js';
import { webhookMutants } from './webhooks.js';

/** Every mutant, section by section. */
export const mutants: readonly Mutant[] = [
  ...invoiceCreationMutants,
  ...invoiceFieldMutants,
  ...invoiceViewMutants,
  ...pageMutants,
  ...overdueMutants,
  ...statisticsMutants,
  ...reminderMutants,
  ...linkMutants,
  ...paymentMutants,
  ...depositMutants,
  ...depositKeyMutants,
  ...depositListMutants,
  ...depositLifeMutants,
  ...webhookMutants,
  ...accessMutants,
  ...envelopeMutants,
  ...versionMutants,
  ...limitMutants,
];
