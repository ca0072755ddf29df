import { coverageReportOf } from './coverage-report.js';
import type { ControlRoutes } from './handler.js';

export const coverageRoutes: Pick<ControlRoutes, 'getCoverage' | 'forgetCoverage'> = {
  getCoverage: ({ account }) => coverageReportOf(account),

  forgetCoverage: ({ account }) => {
    const forgotten = coverageReportOf(account);
    account.forgetCoverage();
    return forgotten;
  },
};
