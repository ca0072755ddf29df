import { coverageOf } from '../coverage.js';
import type { ControlRoutes } from './routes.js';

export const coverageRoutes: Pick<ControlRoutes, 'getCoverage' | 'forgetCoverage'> = {
  getCoverage: ({ account }) => coverageOf(account),

  forgetCoverage: ({ account }) => {
    account.forgetCoverage();
    return { id: account.id };
  },
};
