import type { Account } from '../../simulation/account.js';
import type { World } from '../../simulation/create-world.js';
import { readChoices } from './forms.js';
import type { ResultOf } from './operations.js';
import type { ControlRoutes } from './routes.js';

export function settingsRoutes({ accounts }: World): Pick<ControlRoutes, 'getSettings' | 'changeSettings'> {
  return {
    getSettings: ({ account }) => settingsView(account),

    changeSettings: ({ account, body: { profile, ...settings } }) => {
      const choices = profile && readChoices(profile);
      return settingsView(accounts.configure(account, { ...settings, choices }));
    },
  };
}

function settingsView({ record }: Account): ResultOf<'getSettings'> {
  const { webhook_url: webhookUrl, webhook_secret: webhookSecret, rate_limit: rateLimit, profile } = record;
  return { webhookUrl, webhookSecret, rateLimit, profile };
}
