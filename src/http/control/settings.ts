import { ServiceError } from '../../domain/service-error.js';
import { probableWord } from '../../lib/did-you-mean.js';
import { memberOf } from '../../lib/json.js';
import { addMissingScheme } from '../../lib/missing-scheme.js';
import { defaultProfile } from '../../openapi/profile.js';
import type { Account } from '../../simulation/account.js';
import type { World } from '../../simulation/world.js';
import { settingsDetails } from './action-details.js';
import type { HandlerDependencies } from './control-options.js';
import type { BodyOf, ControlRoutes, ResultOf } from './operations.js';
import { readChoices } from './parse-fields.js';

export function settingsRoutes({ accounts }: World, resolveListenerUrl: HandlerDependencies['resolveListenerUrl']) {
  return {
    getSettings: ({ account }) => settingsView(account),

    async changeSettings({ account, body: { profile, webhook_url: url, ...settings }, logDetails }) {
      const choices = profile && readChoices(profile);
      // The URL of a `billing-sim listen` that has stopped is replaced by the URL that was set before it started. The
      // contract suite, for example, restores the URL that it found, and the listener may have stopped during the run.
      // `configure` completes the URL, too; it is completed before that so that the log shows it in full.
      const webhookUrl = url === undefined ? undefined : await resolveListenerUrl(url && addMissingScheme(url));
      const changes = { ...accountSettings(settings), webhookUrl, choices };
      logDetails(settingsDetails(account.record, changes));
      return settingsView(accounts.configure(account, changes));
    },

    chooseForGap: ({ account, name: gap, body: { choice }, logDetails }) => {
      if (memberOf(defaultProfile(), gap) === undefined) {
        const suggestion = probableWord(gap, Object.keys(defaultProfile()));
        throw new ServiceError('gap-not-found', { hint: suggestion && `did you mean ${suggestion}?` });
      }
      // A gap with its default choice is removed, so that the profile lists only what differs.
      const choices = withoutDefaults(readChoices({ ...account.record.profile, [gap]: choice }));
      logDetails(settingsDetails(account.record, { choices }));
      return settingsView(accounts.configure(account, { choices }));
    },

    rotateWebhookSecret: ({ account }) => ({ webhook_secret: accounts.rotateSecret(account) }),
  } satisfies Partial<ControlRoutes>;
}

function settingsView({ record }: Account): ResultOf<'getSettings'> {
  const { webhook_url, webhook_secret, rate_limit, profile } = record;
  return { webhook_url, webhook_secret, rate_limit, profile };
}

/** Converts settings from the names in requests to the names in the simulation. */
export function accountSettings({
  webhook_url: webhookUrl,
  webhook_secret: webhookSecret,
  rate_limit: rateLimit,
}: Omit<BodyOf<'changeSettings'>, 'profile'>) {
  return { webhookUrl, webhookSecret, rateLimit };
}

/** Removes choices that are the defaults. */
function withoutDefaults(choices: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(choices).filter(([gap, choice]) => choice !== memberOf(defaultProfile(), gap)),
  );
}
