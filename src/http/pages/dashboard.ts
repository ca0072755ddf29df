import { accountPages } from './accounts.js';
import { clockPages } from './clock.js';
import { customerPages } from './customers.js';
import { depositPages } from './deposits.js';
import { faultPages } from './faults.js';
import { invoicePages } from './invoices.js';
import { mailPages } from './mails.js';
import { overviewPages } from './overview.js';
import { paymentLinkPages } from './payment-links.js';
import { paymentPages } from './payments.js';
import { profilePages } from './profile.js';
import { requestPages } from './requests.js';
import { scenarioPages } from './scenarios.js';
import type { Page } from './show.js';
import { snapshotPages } from './snapshots.js';
import { tokenPages } from './tokens.js';
import { webhookPages } from './webhooks.js';

/** The pages of the dashboard, by what their addresses have behind the account. */
export const dashboardPages: readonly Page[] = [
  ...overviewPages,
  ...invoicePages,
  ...paymentLinkPages,
  ...paymentPages,
  ...depositPages,
  ...customerPages,
  ...clockPages,
  ...webhookPages,
  ...mailPages,
  ...requestPages,
  ...faultPages,
  ...scenarioPages,
  ...snapshotPages,
  ...tokenPages,
  ...profilePages,
  ...accountPages,
];
