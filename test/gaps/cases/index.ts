import type { GapCases } from '../test-account.js';
import { auth } from './auth.js';
import { deposits } from './deposits.js';
import { invoices } from './invoices.js';
import { limits } from './limits.js';
import { linksAndPayments } from './links-and-payments.js';
import { page } from './page.js';
import { rate } from './rate.js';
import { request } from './request.js';
import { responses } from './responses.js';
import { validation } from './validation.js';
import { webhookEvents } from './webhook-events.js';

/**
 * The test cases of all gaps, which are questions that the specification leaves open. `choices.test.ts` checks that each
 * choice for a gap has a test case.
 */
export const gapCases: GapCases = {
  ...auth,
  ...validation,
  ...request,
  ...rate,
  ...page,
  ...responses,
  ...invoices,
  ...linksAndPayments,
  ...deposits,
  ...limits,
  ...webhookEvents,
};
