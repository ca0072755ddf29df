import type { GapCases } from '../test-account.js';
import { auth } from './auth.js';
import { body } from './body.js';
import { deposits } from './deposit.js';
import { webhookEvents } from './event.js';
import { invoices } from './invoice.js';
import { limits } from './limits.js';
import { linksAndPayments } from './link.js';
import { page } from './page.js';
import { rate } from './rate.js';
import { request } from './request.js';
import { validation } from './validation.js';

/** Tests of all gaps. `choices.test.ts` checks that no choice is missing. */
export const gapCases: GapCases = {
  ...auth,
  ...validation,
  ...request,
  ...rate,
  ...page,
  ...body,
  ...invoices,
  ...linksAndPayments,
  ...deposits,
  ...limits,
  ...webhookEvents,
};
