import type { Request } from 'express';
import { requireFound } from '../domain/service-error.js';
import type { Account } from '../simulation/account.js';
import type { World } from '../simulation/world.js';

/**
 * Finds the account that the path of a request names, or else the default account, and runs its due agenda items.
 * @throws ServiceError account-not-found
 */
export function accountOfPath(world: World, { params }: Request): Account {
  const id = params['account'];
  const found = id === undefined ? world.accounts.default() : world.accounts.get(String(id));
  const account = requireFound(found, 'account-not-found');
  account.schedule.runDueItems();
  return account;
}
