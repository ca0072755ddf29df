import { coverageReportOf } from './coverage-report.js';
import type { ControlRoutes } from './handler.js';

export const coverageRoutes: Pick<ControlRoutes, 'getCoverage' | 'resetCoverage'> = {
  getCoverage: ({ account }) => coverageReportOf(account),

  resetCoverage: ({ account }) => {
    const forgotten = coverageReportOf(account);
    account.resetCoverage();
    return forgotten;
  },
};
