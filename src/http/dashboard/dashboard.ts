import { accountPages } from './accounts/route.js';
import { activityPages } from './activity/route.js';
import { clockPages } from './clock/route.js';
import { contractPages } from './contract/route.js';
import { coveragePages } from './coverage/route.js';
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
import type { PageRoute } from './routing/page.js';
import { scenarioPages } from './scenarios/route.js';
import { searchPages } from './search/route.js';
import { snapshotPages } from './snapshots/route.js';
import { tokenPages } from './tokens/route.js';
import { webhookPages } from './webhooks/route.js';

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
