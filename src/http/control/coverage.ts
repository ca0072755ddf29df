import { coverageOf } from './coverage-report.js';
import type { ControlRoutes } from './handler.js';

export const coverageRoutes: Pick<ControlRoutes, 'getCoverage' | 'forgetCoverage'> = {
  getCoverage: ({ account }) => coverageOf(account),

  forgetCoverage: ({ account }) => {
    const forgotten = coverageOf(account);
    account.forgetCoverage();
    return forgotten;
  },
};
