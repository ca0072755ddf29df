import { ServiceError } from '../../../domain/service-error.js';
import type { PageHandler, PageRoute } from '../routing/page.js';
import { download } from '../routing/responses.js';
import { readSearch } from '../routing/search.js';
import { contractPage } from './view.js';

const showContract: PageHandler = (context) => {
  const { account, contractRuns, query } = context;
  return contractPage(context.location, contractRuns.last(account), readSearch(query));
};

const downloadReport: PageHandler = async ({ account, contractRuns }) => {
  const content = await contractRuns.report(account);
  if (content === undefined) throw new ServiceError('route-unknown', { hint: 'no clause has been checked yet' });
  return download(content, `contract-${account.id}.html`, 'text/html; charset=utf-8');
};

export const contractPages: readonly PageRoute[] = [
  ['/contract', showContract],
  ['/contract/report.html', downloadReport],
];
