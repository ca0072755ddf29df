import { ServiceError } from '../../../domain/service-error.js';
import type { LoggedRequest } from '../../../simulation/coverage/request-log.js';
import { requestView } from '../../control/views.js';
import { apiOf } from '../../document/profiles.js';
import { curlOf } from '../components/curl.js';
import { pageSize } from '../components/list.js';
import { explained } from '../routing/explain.js';
import { hasText, readSearch } from '../routing/search.js';
import { type Asked, type Page, placeOf, reading, type Show } from '../routing/show.js';
import { requestPage, requestsPage } from './view.js';

const requests: Show = (asked) => {
  const search = readSearch(asked.search);
  const found = asked.account.requests.latest().filter((request) => isFound(request, search));
  const first = (search.page - 1) * pageSize;
  const rows = found.slice(first, first + pageSize).map(requestView);
  const example = { method: 'GET', path: '/api/v1/deposits', token: 'full' };
  const curl = curlOf(originOf(asked), example, { body: false, key: false });
  return requestsPage(placeOf(asked, 'requests'), { rows, total: found.length, search }, curl);
};

function isFound(
  request: LoggedRequest,
  { text, status }: { readonly text: string; readonly status: string },
): boolean {
  const { method, path, operation, token } = request;
  const own = request.status === null ? 'no answer' : `${Math.floor(request.status / 100)}xx`;
  return (
    (status === '' || status === own) && hasText([`${method} ${path}`, operation, token, String(request.status)], text)
  );
}

const request: Show = (asked) => {
  const { account } = asked;
  const { name } = reading(asked);
  const logged = account.requests.latest().find(({ id }) => id === name);
  if (!logged) throw new ServiceError('route-unknown', { hint: 'the log keeps the last 1,000 requests' });
  const operation = apiOf(account.profile).operations.find(({ id }) => id === logged.operation);
  return requestPage(placeOf(asked, 'requests'), requestView(logged), {
    origin: originOf(asked),
    unkept: { body: operation?.takesBody ?? false, key: operation?.key !== undefined },
    explanation: explained(account, logged),
  });
};

function originOf({ views }: Asked): string {
  return new URL(views.baseUrl()).origin;
}

export const requestPages: readonly Page[] = [
  ['/requests', requests],
  ['/requests/:name', request],
];
