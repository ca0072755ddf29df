import type { components } from '../generated/config-types.js';

/** Configuration of the commands: the default export of `billing-sim.config.mjs`. */
export type BillingSimConfig = components['schemas']['BillingSimConfig'];

/** Returns the configuration unchanged. Its type lets editors autocomplete and check it. */
export function defineConfig(config: BillingSimConfig): BillingSimConfig {
  return config;
}
