import type { Token } from '../../domain/records.js';
import { getToken, unrevokedTokensOf } from '../../simulation/tokens.js';
import type { World } from '../../simulation/world.js';
import type { ControlRoutes } from './operations.js';
import { pageOf } from './pagination.js';

export function tokenRoutes({ accounts }: World) {
  return {
    listTokens: ({ account, query }) => pageOf(query, { rows: unrevokedTokensOf(account), view: tokenView }),

    createToken: ({ account, body: { name, scopes }, logDetails }) => {
      logDetails([name, ...scopes].join(', '));
      const { token, bearer } = accounts.createToken(account, name, scopes);
      return { ...tokenView(token), token: bearer };
    },

    getToken: ({ account, id }) => tokenView(getToken(account, id)),

    revokeToken: ({ account, id, logDetails }) => {
      logDetails(getToken(account, id).name);
      return tokenView(accounts.revokeToken(account, id));
    },
  } satisfies Partial<ControlRoutes>;
}

function tokenView({ id, name, scopes, created_at }: Token) {
  return { id, name, scopes, created_at };
}
