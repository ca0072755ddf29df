import type { components as controlComponents } from '../generated/control-validated-types.js';
import { requireKnownOptions } from '../lib/known-options.js';
import type { Choices } from '../openapi/profile.js';
import type { Actions } from './actions.js';

/** Settings of an account. */
export type AccountSettings = controlComponents['schemas']['Settings'];

/** Settings to change; omitted ones stay. */
export interface SettingsOptions {
  /** Choices for gaps in the specification; they replace the previous profile as a whole. */
  readonly profile?: Choices;
  /** Refuses requests beyond the rate limit. */
  readonly rateLimit?: boolean;
  /** URL that receives webhooks, such as `localhost:3000/webhooks`; null for none. */
  readonly webhookUrl?: string | null;
  /** Secret that signs webhooks. */
  readonly webhookSecret?: string;
}

/** Reads and changes the settings of an account. */
export interface Settings {
  /** Reads the settings, with the names of the control API: `webhook_url`. */
  show(): Promise<AccountSettings>;
  /** Changes settings. @throws ServiceError invalid, webhook-url-invalid; UserError for an unknown option */
  update(options: SettingsOptions): Promise<AccountSettings>;
}

const optionNames: Readonly<Record<keyof SettingsOptions, true>> = {
  profile: true,
  rateLimit: true,
  webhookUrl: true,
  webhookSecret: true,
};

/** Creates the object through which tests read and change the settings of an account. */
export function settingsOf({ call, get }: Pick<Actions, 'call' | 'get'>): Settings {
  return {
    show: () => get('getSettings', ''),
    async update(options) {
      requireKnownOptions(options, optionNames);
      const { profile, rateLimit, webhookUrl, webhookSecret } = options;
      const body = { profile, rate_limit: rateLimit, webhook_url: webhookUrl, webhook_secret: webhookSecret };
      return call('changeSettings', { body });
    },
  };
}
