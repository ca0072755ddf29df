import { expect } from 'vitest';
import type { Step } from '../../src/domain/advance-report.js';
import type { EventName } from '../../src/domain/records.js';
import type { Seed } from '../../src/domain/seed.js';
import type { ErrorCode } from '../../src/domain/service-error.js';
import type { Choices } from '../../src/index.js';
import type { Account } from '../../src/simulation/account.js';
import { createDeposit } from '../../src/simulation/operations/deposits.js';
import type { Commit } from '../../src/simulation/state/changes.js';
import { serviceErrorOf } from '../domain/samples.js';
import { ScriptedStore } from './scripted-store.js';
import { emptyWorld, newDeposit, openAccount } from './world.js';

export interface TestWorld {
  readonly account: Account;
  /** Commits, in order. */
  readonly commits: readonly Commit[];
  /** Steps of all commits, in order. */
  readonly steps: readonly Step[];
}

/** Opens an account with two draft invoices of 119.58, due on 28 April, and an open payment, but no webhook URL. */
export async function openWorldWithDrafts(choices: Choices = {}): Promise<TestWorld> {
  const store = new ScriptedStore();
  const steps: Step[] = [];
  const account = openAccount(await emptyWorld(store), 'one', choices, seedWithDrafts);
  account.watch((step) => steps.push(step));
  return { account, commits: store.commits, steps };
}

export const seedWithDrafts: Partial<Seed> = {
  invoices: [1, 2].map((id) => ({
    id,
    invoice_number: `INV-${id}`,
    reference: null,
    customer_id: 1,
    status: 'draft',
    date: '0',
    due_date: '27d',
    notes: null,
    items: [{ description: 'Nights', quantity: 2, unit_price: 59.79, tax_rate: 0 }],
    subscription: null,
  })),
  payment_links: [{ id: 1, description: 'Consulting', amount: 49.9, is_active: true, created: '-1d' }],
  payments: [
    {
      id: 1,
      payment_link_id: 1,
      customer_id: 1,
      amount: 49.9,
      status: 'open',
      payment_method: 'card',
      created: '-1h',
    },
  ],
};

/** Expects that an action throws an error with this code, and changes, stores, plans and emits nothing. */
export function expectRefused({ account, commits, steps }: TestWorld, action: () => unknown, code: ErrorCode): void {
  const contentsBefore = structuredClone(account.contents());
  const stateBefore = { commits: commits.length, steps: steps.length, agenda: account.schedule.upcoming() };
  expect(serviceErrorOf(action)?.code).toBe(code);
  expect(account.contents()).toEqual(contentsBefore);
  expect({ commits: commits.length, steps: steps.length, agenda: account.schedule.upcoming() }).toEqual(stateBefore);
}

/** Runs an action. @returns its commits */
export function committedBy({ commits }: TestWorld, action: () => unknown): Commit[] {
  const countBefore = commits.length;
  action();
  return commits.slice(countBefore);
}

/** Creates a deposit. @returns its id */
export function addDeposit(account: Account): number | string {
  return createDeposit(account, { ...newDeposit, amount: 300 }).id;
}

/** Events have a dot in their names, such as `deposit.created`; error codes have none. */
export function isEvent(outcome: EventName | ErrorCode): outcome is EventName {
  return outcome.includes('.');
}

export function payloadOf(body: string | undefined): unknown {
  return JSON.parse(body ?? 'null');
}

export function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(record).filter((key): key is Key => Object.hasOwn(record, key));
}
