import { formatInstant } from '../../domain/dates.js';
import type { Seed } from '../../domain/seed.js';
import { parseSeed } from '../../files/seed-file.js';
import { demo } from '../../generated/seed-demo.js';
import { empty } from '../../generated/seed-empty.js';
import type { Choices } from '../../openapi/profile.js';
import type { Account } from '../../simulation/account.js';
import type { World } from '../../simulation/world.js';
import type { Views } from '../service/views.js';
import type { ControlRoutes, ResultOf } from './operations.js';
import { pageOf } from './pagination.js';
import { readChoices, readTime, withFieldErrors } from './parse-fields.js';
import { accountSettings } from './settings.js';

export function accountRoutes({ accounts }: World, views: Views) {
  return {
    listAccounts: ({ query }) => pageOf(query, { rows: accounts.all(), view: accountView }),

    createAccount: ({
      body: { id = accounts.freeId(), seed, profile, now, random_seed: randomSeed, ...settings },
      logDetails,
    }) => {
      const choices = profile && readChoices(profile);
      // The fixed tokens of a seed, such as those of `demo`, may already belong to another account.
      const { tokens: _fixedTokens, ...contents } = seedOf(seed, choices);
      logDetails(`${id} with ${typeof seed === 'object' ? 'its own seed' : `the seed ${seed}`}`);
      const { account, tokens } = accounts.create({
        ...accountSettings(settings),
        id,
        seed: contents,
        choices,
        now: now === undefined ? undefined : formatInstant(readTime('now', now)),
        randomSeed,
      });
      return { id, base_url: views.baseUrl(), tokens, webhook_secret: account.record.webhook_secret };
    },

    getAccount: ({ account }) => accountView(account),

    deleteAccount: ({ account }) => {
      const removed = accountView(account);
      accounts.remove(account);
      return removed;
    },

    resetAccount: ({ account }) => accountView(accounts.reset(account)),
  } satisfies Partial<ControlRoutes>;
}

function seedOf(seed: 'demo' | 'empty' | object, choices: Choices = {}): Seed {
  if (typeof seed === 'object') return withFieldErrors(() => parseSeed(seed, choices, 'seed'), 'seed');
  return seed === 'demo' ? demo : empty;
}

export function accountView({ id, record, clock }: Account): ResultOf<'resetAccount'> {
  return { id, created_at: record.created_at, now: formatInstant(clock.now()), mode: clock.state.mode };
}
