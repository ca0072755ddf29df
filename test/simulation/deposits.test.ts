import { describe, expect, it } from 'vitest';
import type { DepositStatus, EventName } from '../../src/domain/records.js';
import type { ErrorCode } from '../../src/domain/service-error.js';
import type { Account } from '../../src/simulation/account.js';
import {
  authorizeDeposit,
  captureDeposit,
  declineDeposit,
  expireDeposit,
  releaseDeposit,
} from '../../src/simulation/operations/deposits.js';
import {
  addDeposit,
  committedBy,
  expectRefused,
  isEvent,
  keysOf,
  openWorldWithDrafts,
  payloadOf,
} from './lifecycle-world.js';
import { startTime } from './world.js';

describe('a deposit', () => {
  type Action =
    | 'authorize'
    | 'decline'
    | 'capture a part'
    | 'capture the rest'
    | 'capture too much'
    | 'release'
    | 'expire';

  const actions: Readonly<Record<Action, (account: Account, id: number | string) => unknown>> = {
    authorize: authorizeDeposit,
    decline: declineDeposit,
    'capture a part': (account, id) => captureDeposit(account, id, { amount: 50, description: 'Minibar' }),
    'capture the rest': (account, id) => captureDeposit(account, id, {}),
    'capture too much': (account, id) => captureDeposit(account, id, { amount: 300.01 }),
    release: releaseDeposit,
    expire: expireDeposit,
  };

  /** Actions that bring a new deposit to each status. */
  const setupActions: Readonly<Record<DepositStatus, readonly Action[]>> = {
    pending: [],
    authorized: ['authorize'],
    partially_captured: ['authorize', 'capture a part'],
    captured: ['authorize', 'capture the rest'],
    released: ['authorize', 'release'],
    expired: ['authorize', 'expire'],
    failed: ['decline'],
  };

  const notCapturable = 'deposit-not-capturable';
  const notReleasable = 'deposit-not-releasable';
  /** Error codes in the statuses that are final. */
  const refusedInFinalStatus = {
    authorize: 'transition-not-allowed',
    decline: 'transition-not-allowed',
    'capture a part': notCapturable,
    'capture the rest': notCapturable,
    'capture too much': notCapturable,
    release: notReleasable,
    expire: 'transition-not-allowed',
  } as const;

  /** Event of an allowed action, or error code of a refused one. */
  const outcomes: Readonly<Record<DepositStatus, Readonly<Record<Action, EventName | ErrorCode>>>> = {
    pending: {
      ...refusedInFinalStatus,
      authorize: 'deposit.authorized',
      decline: 'deposit.failed',
      expire: 'deposit.expired',
    },
    authorized: {
      authorize: 'transition-not-allowed',
      decline: 'transition-not-allowed',
      'capture a part': 'deposit.partially_captured',
      'capture the rest': 'deposit.captured',
      'capture too much': 'capture-too-large',
      release: 'deposit.released',
      expire: 'deposit.expired',
    },
    partially_captured: {
      authorize: 'transition-not-allowed',
      decline: 'transition-not-allowed',
      'capture a part': 'deposit.partially_captured',
      'capture the rest': 'deposit.captured',
      'capture too much': 'capture-too-large',
      release: 'deposit.released',
      expire: 'deposit.expired',
    },
    captured: refusedInFinalStatus,
    released: refusedInFinalStatus,
    expired: refusedInFinalStatus,
    failed: refusedInFinalStatus,
  };

  const cases = keysOf(outcomes).flatMap((status) =>
    keysOf(actions).map((action) => ({ status, action, outcome: outcomes[status][action] })),
  );

  it.each(cases)('that is $status: $action → $outcome', async ({ status, action, outcome }) => {
    const testWorld = await openWorldWithDrafts();
    const { account } = testWorld;
    const id = addDeposit(account);
    for (const setupAction of setupActions[status]) actions[setupAction](account, id);
    expect(account.deposits.get(id)?.status).toBe(status);

    if (!isEvent(outcome)) {
      expectRefused(testWorld, () => actions[action](account, id), outcome);
      return;
    }
    const deliveryCount = account.deliveries.size;
    const commits = committedBy(testWorld, () => actions[action](account, id));
    const record = account.deposits.get(id);
    const newDeliveries = account.deliveries.rows.slice(deliveryCount);
    expect(commits).toEqual([
      { account: 'one', mode: 'merge', changes: { deposits: [record], deliveries: newDeliveries } },
    ]);
    expect(newDeliveries).toMatchObject([
      { event: outcome, subject: { resource: 'deposit', id }, created_at: startTime, url: null },
    ]);
    expect(payloadOf(newDeliveries[0]?.body)).toMatchObject({ event: outcome, data: { id, status: record?.status } });
    expect(testWorld.steps.slice(-2)).toMatchObject([
      { kind: 'transition', subject: { resource: 'deposit', id }, from: status, to: record?.status, at: startTime },
      { kind: 'event', event: outcome, subject: { resource: 'deposit', id }, at: startTime },
    ]);
  });

  it('that is declined stays pending, without an event, under deposit.decline: pending', async () => {
    const testWorld = await openWorldWithDrafts({ 'deposit.decline': 'pending' });
    const id = addDeposit(testWorld.account);
    const deliveryCount = testWorld.account.deliveries.size;
    const commits = committedBy(testWorld, () => declineDeposit(testWorld.account, id));
    expect(commits).toEqual([
      { account: 'one', mode: 'merge', changes: { deposits: [testWorld.account.deposits.get(id)] } },
    ]);
    expect(testWorld.account.deposits.get(id)).toMatchObject({ status: 'pending', history: [{ cause: 'decline' }] });
    expect(testWorld.account.deliveries.size).toBe(deliveryCount);
  });

  it('that is released again does not change under deposit.release-when: repeated, and nothing is stored', async () => {
    const testWorld = await openWorldWithDrafts({ 'deposit.release-when': 'repeated' });
    const id = addDeposit(testWorld.account);
    authorizeDeposit(testWorld.account, id);
    const released = releaseDeposit(testWorld.account, id);
    const contentsBefore = structuredClone(testWorld.account.contents());
    expect(committedBy(testWorld, () => expect(releaseDeposit(testWorld.account, id)).toBe(released))).toEqual([]);
    expect(testWorld.account.contents()).toEqual(contentsBefore);
  });

  it.each(keysOf(actions))('that does not exist: %s → deposit-not-found', async (action) => {
    const testWorld = await openWorldWithDrafts();
    expectRefused(testWorld, () => actions[action](testWorld.account, 99), 'deposit-not-found');
  });
});
