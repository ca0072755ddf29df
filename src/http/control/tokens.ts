import type { Token } from '../../domain/records.js';
import type { World } from '../../simulation/create-world.js';
import type { ControlRoutes } from './routes.js';

export function tokenRoutes({ accounts }: World): Pick<ControlRoutes, 'listTokens' | 'createToken' | 'revokeToken'> {
  return {
    listTokens: ({ account }) => ({
      tokens: account.tokens.rows.filter(({ revoked_at }) => revoked_at === null).map(tokenView),
    }),

    createToken: ({ account, body: { name, scopes } }) => {
      const { token, text } = accounts.createToken(account, name, scopes);
      return { ...tokenView(token), token: text };
    },

    revokeToken: ({ account, id }) => {
      accounts.revokeToken(account, Number(id));
      return { id: Number(id) };
    },
  };
}

function tokenView({ id, name, scopes, created_at }: Token) {
  return { id, name, scopes, created_at };
}
