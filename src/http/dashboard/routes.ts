import { accountPages } from './pages/accounts.js';
import { activityPages } from './pages/activity.js';
import { clockPages } from './pages/clock.js';
import { contractPages } from './pages/contract.js';
import { coveragePages } from './pages/coverage.js';
import { customerPages } from './pages/customers.js';
import { depositPages } from './pages/deposits.js';
import { faultPages } from './pages/faults.js';
import { invoicePages } from './pages/invoices.js';
import { mailPages } from './pages/mails.js';
import { overviewPages } from './pages/overview.js';
import { paymentLinkPages } from './pages/payment-links.js';
import { paymentPages } from './pages/payments.js';
import { profilePages } from './pages/profile.js';
import { requestPages } from './pages/requests.js';
import { scenarioPages } from './pages/scenarios.js';
import { searchPages } from './pages/search.js';
import { snapshotPages } from './pages/snapshots.js';
import { tokenPages } from './pages/tokens.js';
import { webhookPages } from './pages/webhooks.js';
import type { PageRoute } from './routing/page.js';

/** The pages of the dashboard, and the files that it offers for download. */
export const dashboardPages: readonly PageRoute[] = [
  ...activityPages,
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
  ...coveragePages,
  ...contractPages,
  ...tokenPages,
  ...profilePages,
  ...accountPages,
  ...searchPages,
];
