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
  // In a Jest context, `propertyIsEnumerable` is false for all globals, so `memberOf` would not find it.
  const collect: unknown = Object.getOwnPropertyDescriptor(globalThis, collectAccountName)?.value;
  if (typeof collect === 'function') collect(account, isOpen);
};
