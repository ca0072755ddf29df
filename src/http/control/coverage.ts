import type { DocumentedOperation } from '../../domain/call-coverage.js';
import type { Account } from '../../simulation/account.js';
import type { CoverageReport } from '../../simulation/coverage.js';
import { apiOf, servedDocument } from '../document/profiles.js';
import type { ControlRoutes } from './operations.js';

export const coverageRoutes = {
  getCoverage: ({ account }) => coverageReportOf(account),

  resetCoverage: ({ account }) => {
    const reportBeforeReset = coverageReportOf(account);
    account.resetCoverage();
    return reportBeforeReset;
  },
} satisfies Partial<ControlRoutes>;

/** Reports the parts of the document that the clients of an account have exercised. */
export function coverageReportOf(account: Account): CoverageReport {
  const { operations } = apiOf(account.profile);
  const document = servedDocument(account.profile);
  const documented = operations.map(({ id, method, path, scope, idempotencyKey }): DocumentedOperation => {
    const responses = document.paths?.[path]?.[method]?.responses ?? {};
    const statuses = Object.keys(responses).map(Number).filter(Number.isInteger);
    return { id, method: method.toUpperCase(), path, scope, statuses, takesKey: idempotencyKey !== undefined };
  });
  return account.coverage.report(documented, account);
}
