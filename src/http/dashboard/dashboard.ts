import { accountPages } from './accounts/route.js';
import { activityPages } from './activity/route.js';
import { clockPages } from './clock/route.js';
import { contractDownloads, contractPages } from './contract/route.js';
import { coveragePages } from './coverage/route.js';
import { customerExports, customerPages } from './customers/route.js';
import { depositExports, depositPages } from './deposits/route.js';
import { faultPages } from './faults/route.js';
import { invoiceExports, invoicePages } from './invoices/route.js';
import { mailExports, mailPages } from './mails/route.js';
import { overviewPages } from './overview/route.js';
import { traceDownloads } from './overview/trace.js';
import { paymentLinkExports, paymentLinkPages } from './payment-links/route.js';
import { paymentExports, paymentPages } from './payments/route.js';
import { profilePages } from './profile/route.js';
import { requestExports, requestPages } from './requests/route.js';
import type { PageRoute } from './routing/page.js';
import { scenarioPages } from './scenarios/route.js';
import { searchPages } from './search/route.js';
import { snapshotDownloads, snapshotPages } from './snapshots/route.js';
import { tokenPages } from './tokens/route.js';
import { webhookExports, webhookPages, webhookPostPages } from './webhooks/route.js';

/** The pages of the dashboard. */
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

/** The files that the dashboard offers for download. */
export const dashboardDownloads: readonly PageRoute[] = [
  ...snapshotDownloads,
  ...traceDownloads,
  ...contractDownloads,
  ...invoiceExports,
  ...paymentLinkExports,
  ...paymentExports,
  ...depositExports,
  ...customerExports,
  ...requestExports,
  ...webhookExports,
  ...mailExports,
];

/**
 * Pages that respond to a form with its result. The form is sent by POST, so that its input does not appear in a URL.
 */
export const dashboardPostPages: readonly PageRoute[] = webhookPostPages;
