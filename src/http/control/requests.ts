import { ServiceError } from '../../domain/service-error.js';
import type { Account } from '../../simulation/account.js';
import type { LoggedRequest } from '../../simulation/coverage/request-log.js';
import type { ControlRoutes } from './handler.js';
import { pageOf } from './page.js';
import type { Feed } from './stream.js';
import { requestView } from './views.js';

export const requestRoutes: Pick<ControlRoutes, 'listRequests' | 'getRequest'> = {
  listRequests: ({ account, query }) => pageOf(query, { rows: account.requests.latest(), view: requestView }),

  getRequest: ({ account, name }) => {
    const request = account.requests.latest().find(({ id }) => id === name);
    if (!request) throw new ServiceError('request-unknown', { hint: 'the log has the last 1,000 requests' });
    return requestView(request);
  },
};

export function requestFeed({ requests }: Account): Feed {
  const itemOf = (request: LoggedRequest) => ({ id: request.id, data: requestView(request) });
  return {
    event: 'request',
    since: (id) => {
      const latest = requests.latest();
      const place = latest.findIndex((request) => request.id === id);
      return latest
        .slice(0, place === -1 ? latest.length : place)
        .reverse()
        .map(itemOf);
    },
    watch: (push) => requests.watch((request) => push(itemOf(request))),
  };
}
