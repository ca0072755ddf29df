import { accountPages } from './accounts/route.js';
import { clockPages } from './clock/route.js';
import { customerPages } from './customers/route.js';
import { depositPages } from './deposits/route.js';
import { faultPages } from './faults/route.js';
import { invoicePages } from './invoices/route.js';
import { mailPages } from './mails/route.js';
import { overviewPages } from './overview/route.js';
import { paymentLinkPages } from './payment-links/route.js';
import { paymentPages } from './payments/route.js';
import { profilePages } from './profile/route.js';
import { requestPages } from './requests/route.js';
import type { Page } from './routing/show.js';
import { scenarioPages } from './scenarios/route.js';
import { snapshotPages } from './snapshots/route.js';
import { tokenPages } from './tokens/route.js';
import { webhookPages } from './webhooks/route.js';

/** The pages of the dashboard, by their path below the account. */
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
