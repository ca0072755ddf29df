import { ServiceError } from '../../../domain/service-error.js';
import type { LoggedRequest } from '../../../simulation/coverage/request-log.js';
import { requestView } from '../../control/views.js';
import { apiOf } from '../../document/profiles.js';
import { curlOf } from '../components/curl.js';
import { pageSize } from '../components/list.js';
import { explain } from '../routing/explain.js';
import { hasText, readSearch } from '../routing/search.js';
import { type Page, type PageContext, placeOf, readOnlyRequest, type Show } from '../routing/show.js';
import { requestPage, requestsPage } from './view.js';

const requests: Show = (context) => {
  const search = readSearch(context.search);
  const found = context.account.requests.latest().filter((request) => isFound(request, search));
  const first = (search.page - 1) * pageSize;
  const rows = found.slice(first, first + pageSize).map(requestView);
  const example = { method: 'GET', path: '/api/v1/deposits', token: 'full' };
  const curl = curlOf(originOf(context), example, { body: false, key: false });
  return requestsPage(placeOf(context, 'requests'), { rows, total: found.length, search }, curl);
};

function isFound(
  request: LoggedRequest,
  { text, status }: { readonly text: string; readonly status: string },
): boolean {
  const { method, path, operation, token } = request;
  const statusClass = request.status === null ? 'no answer' : `${Math.floor(request.status / 100)}xx`;
  return (
    (status === '' || status === statusClass) &&
    hasText([`${method} ${path}`, operation, token, String(request.status)], text)
  );
}

const request: Show = (context) => {
  const { account } = context;
  const { name } = readOnlyRequest(context);
  const logged = account.requests.latest().find(({ id }) => id === name);
  if (!logged) throw new ServiceError('route-unknown', { hint: 'the log keeps the last 1,000 requests' });
  const operation = apiOf(account.profile).operations.find(({ id }) => id === logged.operation);
  return requestPage(placeOf(context, 'requests'), requestView(logged), {
    origin: originOf(context),
    unlogged: { body: operation?.takesBody ?? false, key: operation?.key !== undefined },
    explanation: explain(account, logged),
  });
};

function originOf({ views }: PageContext): string {
  return new URL(views.baseUrl()).origin;
}

export const requestPages: readonly Page[] = [
  ['/requests', requests],
  ['/requests/:name', request],
];
