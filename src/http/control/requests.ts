import { METHODS } from 'node:http';
import { matchesStatus } from '../../domain/faults.js';
import { invalidField } from '../../domain/service-error.js';
import { operationIds } from '../../generated/billing-document.js';
import { didYouMean } from '../../lib/did-you-mean.js';
import { integerOrText } from '../../lib/integer-or-text.js';
import { quote } from '../../lib/messages.js';
import type { Account } from '../../simulation/account.js';
import type { LoggedRequest } from '../../simulation/activity/request-log.js';
import type { ControlRoutes } from './operations.js';
import { pageOf } from './pagination.js';
import { replay, type SendToSelf } from './replay.js';
import { requestDetails } from './request-details.js';
import type { Feed } from './stream.js';
import { requestView } from './views.js';

export function requestRoutes(send: SendToSelf) {
  return {
    listRequests: ({ account, query: { status, ...query } }) => {
      checkFilterValue('method', query.method, METHODS);
      checkFilterValue('operation', query.operation, operationIds);
      // Includes the names of revoked tokens, since their requests are still in the log.
      checkFilterValue(
        'token',
        query.token,
        account.tokens.rows.map(({ name }) => name),
      );
      const requests = account.requests.newestFirst();
      const expectedStatus = status && integerOrText(status);
      const rows = expectedStatus
        ? requests.filter((request) => matchesStatus(expectedStatus, request.status))
        : requests;
      return pageOf(query, { rows, view: requestView });
    },

    getRequest: ({ account, name: id }) => requestDetails(account, account.requests.get(id)),

    replayRequest: async ({ account, name: id, body: { same_key = false }, logDetails }) => {
      const request = account.requests.get(id);
      logDetails(`${id} ${request.method} ${request.path}`);
      return requestDetails(account, await replay(account, request, { sameKey: same_key, send }));
    },
  } satisfies Partial<ControlRoutes>;
}

/** Streams logged requests. A client gets the whole log if the log no longer has the last request that it received. */
export function requestFeed({ requests }: Account): Feed {
  const itemOf = (request: LoggedRequest) => ({ id: request.id, data: requestView(request) });
  return {
    event: 'request',
    numberedBy: requests,
    since: (id) => {
      const newestFirst = requests.newestFirst();
      const index = newestFirst.findIndex((request) => request.id === id);
      return newestFirst
        .slice(0, index === -1 ? newestFirst.length : index)
        .reverse()
        .map(itemOf);
    },
    watch: (push) => requests.watch((request) => push(itemOf(request))),
  };
}

/** Rejects a filter for a method, an operation or a token that does not exist. @throws ServiceError invalid */
function checkFilterValue(
  field: 'method' | 'operation' | 'token',
  name: string | undefined,
  names: readonly string[],
): void {
  if (name === undefined || names.includes(name)) return;
  throw invalidField(field, 'custom', { message: `unknown ${field} ${quote(name)}${didYouMean(name, names)}` });
}
