import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceError } from '../../src/domain/service-error.js';
import { builtInScenarios } from '../../src/generated/scenarios.js';
import type { Account } from '../../src/simulation/account.js';
import {
  authorizeDeposit,
  captureShare,
  createDeposit,
  declineDeposit,
  releaseDeposit,
} from '../../src/simulation/operations/deposits.js';
import { createInvoice } from '../../src/simulation/operations/invoices.js';
import { createPaymentLink } from '../../src/simulation/operations/payment-links.js';
import { createInvoicePayment, createLinkPayment, endPayment } from '../../src/simulation/operations/payments.js';
import { startScenario } from '../../src/simulation/scenarios/scenarios.js';
import { restoreSnapshot, saveSnapshot } from '../../src/simulation/seeding/snapshots.js';
import type { World } from '../../src/simulation/world.js';
import { sampledRunsUnlessFull } from '../support/sample.js';
import { ScriptedReceivers } from './scripted-receivers.js';
import { ScriptedStore } from './scripted-store.js';
import { injectFault } from './webhook-faults.js';
import { advanceBy, hourMs, withWebhooks } from './webhooks.js';
import { emptyWorld, newDeposit, openAccount } from './world.js';

/**
 * Two accounts get the same random requests. The clock of the second is advanced in several steps, and the account is
 * restarted or restored in between. Both must end with the same records, agenda and webhooks.
 */

/** The same in both worlds: whether a message is delivered depends on its content and the number of attempts so far. */
function flakyReceivers(): ScriptedReceivers {
  const attemptCounts = new Map<string, number>();
  return new ScriptedReceivers(({ body }) => {
    const count = (attemptCounts.get(body) ?? 0) + 1;
    attemptCounts.set(body, count);
    const digit = Number.parseInt(hash('sha1', `${count} ${body}`).slice(0, 1), 16);
    if (digit < 8) return {};
    return digit < 12 ? { status: 500 } : { status: 503, retryAfter: '700' };
  });
}

interface Twin {
  account: Account;
  world: World;
  store: ScriptedStore;
  readonly receivers: ScriptedReceivers;
}

async function openTwin(store = new ScriptedStore(), receivers = flakyReceivers()): Promise<Twin> {
  const world = await emptyWorld(store, { sendWebhook: receivers.send, scenarios: builtInScenarios });
  const account = world.accounts.get('one') ?? withWebhooks(world, openAccount(world, 'one'));
  return { account, world, store, receivers };
}

/** Opens the world again from its stored commits. */
async function restart(twin: Twin): Promise<void> {
  const store = new ScriptedStore();
  store.commits.push(...structuredClone(twin.store.commits));
  twin.world.accounts.stop();
  Object.assign(twin, await openTwin(store, twin.receivers));
}

async function restore(twin: Twin): Promise<void> {
  await saveSnapshot(twin.account, 'now');
  twin.account = await restoreSnapshot(twin.world.accounts, twin.account, 'now');
}

const scenarioNames = builtInScenarios.map(({ name }) => name);
const faultEffects = ['delay=5m', 'burst=1h', 'reorder=30m', 'duplicate', 'drop=attempt', 'stale', 'receiver-fails'];
const invoice = { customer_id: 1, date: '2026-03-01', due_date: '2026-04-03' };
const items = [{ description: 'Night', quantity: 1, unit_price: 80, tax_rate: 7.5 }];

/** Requests, each for the record with the given number; it may not exist. */
const requests: readonly ((twin: Twin, number: number) => unknown)[] = [
  ({ account }) => createDeposit(account, newDeposit),
  ({ account }, number) =>
    createDeposit(account, { ...newDeposit, metadata: { scenario: scenarioNames[number % scenarioNames.length] } }),
  ({ account }, number) => authorizeDeposit(account, number),
  ({ account }, number) => captureShare(account, number, 0.5, {}),
  ({ account }, number) => releaseDeposit(account, number),
  ({ account }, number) => declineDeposit(account, number),
  ({ account }) => createInvoice(account, { ...invoice, items }),
  ({ account }, number) => createInvoicePayment(account, number, { outcome: number % 2 ? 'paid' : 'pending' }),
  ({ account, world }) =>
    createPaymentLink(account, { description: 'Night', amount: 5, currency: 'EUR' }, world.accounts),
  ({ account }, number) => createLinkPayment(account, number, { outcome: number % 2 ? 'paid' : 'pending' }),
  ({ account }, number) => endPayment(account, number, 'succeed'),
  ({ account }, number) => startScenario(account, 'late-payment', number),
  ({ account }, number) => injectFault(account, faultEffects[number % faultEffects.length] ?? 'drop', { times: 3 }),
];

/** Sends a request. @returns the error code; undefined for a success */
function codeOf(request: () => unknown): string | undefined {
  try {
    request();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

const anyStep = fc.record({
  request: fc.constantFrom(...requests),
  number: fc.integer({ min: 1, max: 8 }),
  /** Time until the next step. */
  hours: fc.constantFrom(0, 0, 0, 1, 30, 200),
  /** Where the second clock stops on the way, in percent. */
  stops: fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 2 }),
  interruption: fc.constantFrom(undefined, undefined, restart, restore),
});

test('restarts, restores, and the number of advances to a time change nothing', async () => {
  const steps = fc.array(anyStep, { minLength: 10, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(steps, async (allSteps) => {
      const [one, other] = [await openTwin(), await openTwin()];
      for (const { request, number, hours, stops, interruption } of allSteps) {
        expect(codeOf(() => request(other, number))).toBe(codeOf(() => request(one, number)));
        const times = [...stops, 100]
          .sort((a, b) => a - b)
          .map((percent) => Math.round((percent / 100) * hours * hourMs));
        await advanceBy(one.account, hours * hourMs);
        for (const [index, time] of times.entries()) {
          await advanceBy(other.account, time - (times[index - 1] ?? 0));
          await interruption?.(other);
        }
      }
      const { snapshots: _, ...contents } = other.account.contents();
      expect({ ...contents, snapshots: [] }).toEqual(one.account.contents());
      expect(other.account.schedule.upcoming()).toEqual(one.account.schedule.upcoming());
      expect(other.receivers.sent.map(({ body }) => body)).toEqual(one.receivers.sent.map(({ body }) => body));
    }),
    { seed: 1, numRuns: sampledRunsUnlessFull(160, { oneIn: 10 }) },
  );
});
