import { memberOf } from '../lib/json.js';
import type { SimulatorAccount } from './account.js';

/** Collects the accounts that `createAccount` creates. @param isOpen returns true while the account exists */
export type CollectAccount = (account: SimulatorAccount, isOpen: () => boolean) => void;

/**
 * Name of the global function of type `CollectAccount`. The environment of `billing-sim/jest` sets it in the context
 * of a test file, which has its own globals and its own instance of this module.
 */
export const collectAccountName = 'billing-sim.collectAccount';

/** Passes a new account to the environment that collects accounts, if there is one. */
export const collectAccount: CollectAccount = (account, isOpen) => {
  const collect = memberOf(globalThis, collectAccountName);
  if (typeof collect === 'function') collect(account, isOpen);
};
