import type { Seed } from '../../src/domain/seed.js';
import type { Choices } from '../../src/index.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import type { Account } from '../../src/simulation/account.js';
import type { Ports } from '../../src/simulation/state/account-state.js';
import type { Store } from '../../src/simulation/state/ports.js';
import { createWorld, type World } from '../../src/simulation/world.js';
import { createMemoryStore } from '../../src/store/memory.js';
import { isolatedPorts } from '../support/ports.js';

/** Time at which the clocks of accounts are frozen, unless a test chooses another. */
export const startTime = '2026-04-01T08:00:00.000Z';

/** A seed with customers but no other records. */
const seed: Seed = {
  currency: 'EUR',
  time_zone: 'Europe/Paris',
  customers: ['EUR', 'USD', null].map((currency, index) => ({
    id: index + 1,
    name: `Customer ${index + 1}`,
    email: `customer${index + 1}@inn.example`,
    company: null,
    phone: null,
    address: null,
    city: null,
    postal_code: null,
    country: null,
    currency,
  })),
  invoices: [],
  payment_links: [],
  payments: [],
  deposits: [],
};

/** Fields of a deposit, for `createDeposit`. */
export const newDeposit = {
  booking_reference: 'BK-1',
  amount: 100,
  currency: 'EUR',
  customer: null,
  check_in_date: null,
  check_out_date: null,
  metadata: {},
} as const;

/** Creates a world without accounts and without a server; in memory if no store is given. */
export function emptyWorld(store: Store = createMemoryStore(), ports: Partial<Ports> = {}): Promise<World> {
  return createWorld({
    store,
    ports: isolatedPorts(ports),
    secret: () => 'secret',
    resolveProfile,
    onStoreFailure: () => undefined,
  });
}

/** Creates an account whose clock is frozen. @param records replace the lists of the seed, which has three customers */
export function openAccount(
  world: World,
  id: string,
  choices: Choices = {},
  records: Partial<Seed> = {},
  now = startTime,
): Account {
  return world.accounts.create({
    id,
    choices,
    seed: { ...seed, ...records },
    now,
    randomSeed: id,
  }).account;
}
