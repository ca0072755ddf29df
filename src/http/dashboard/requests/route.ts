import { formatInstant } from '../../../domain/dates.js';
import type { Account } from '../../../simulation/account.js';
import type { LoggedRequest } from '../../../simulation/activity/request-log.js';
import { findChains } from '../../control/activity.js';
import { chainView } from '../../control/activity-views.js';
import { requestView } from '../../control/views.js';
import { curlOf } from '../components/curl.js';
import { explainResponse } from '../routing/explain-response.js';
import { type ListSource, listPageOf } from '../routing/list.js';
import { createExportRoutes } from '../routing/list-export.js';
import { operationInput, type PageContext, type PageHandler, type PageRoute } from '../routing/page.js';
import { requestPage, requestsPage } from './view.js';

export const requestList = (account: Account): ListSource<LoggedRequest> => ({
  rows: account.requests.newestFirst().toReversed(),
  searchTextsOf: ({ id, method, path, operation, token, status, error }) => [
    id,
    `${method} ${path}`,
    operation,
    token,
    String(status),
    error,
  ],
  statusOf: ({ status }) => (status === null ? 'no response' : `${Math.floor(status / 100)}xx`),
  exportedFields: {
    id: ({ id }) => id,
    at: ({ at }) => formatInstant(at),
    method: ({ method }) => method,
    path: ({ path }) => path,
    status: ({ status }) => status,
    error: ({ error }) => error,
    operation: ({ operation }) => operation,
    token: ({ token }) => token,
    faults: ({ faults }) => faults.join(' '),
    milliseconds: ({ milliseconds }) => milliseconds,
  },
});

const showRequests: PageHandler = (context) => {
  const { rows, ...listPage } = listPageOf(context.query, requestList(context.account));
  const sent = { headers: [{ name: 'Authorization', value: 'Bearer ****' }], body: null };
  const exampleCurl = curlOf(originOf(context), { method: 'GET', path: '/api/v1/deposits', sent });
  return requestsPage(context.location, { ...listPage, rows: rows.map(requestView) }, exampleCurl);
};

const showRequest: PageHandler = async (context) => {
  const { account, controlApi } = context;
  const details = await controlApi.getRequest(operationInput(context));
  // The chain that begins with the request has the id of the request as its correlation.
  const chain = findChains(account, {}).find(({ correlation }) => correlation === details.id);
  return requestPage(context.location, details, {
    origin: originOf(context),
    explanation: explainResponse(account, details),
    chain: chain && chainView(chain),
  });
};

function originOf({ views }: PageContext): string {
  return new URL(views.baseUrl()).origin;
}

export const requestPages: readonly PageRoute[] = [
  ['/requests', showRequests],
  ['/requests/:idOrName', showRequest],
  ...createExportRoutes('requests', requestList),
];
