import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceError } from '../../src/domain/service-error.js';
import type { Account } from '../../src/simulation/account.js';
import { getInvoiceStats, listOverdueInvoices } from '../../src/simulation/operations/invoices.js';
import { sampledRunsUnlessFull } from '../support/sample.js';
import { codeOf, openTwin, type RandomRequest, randomRequests, type Twin } from './twins.js';
import { advanceBy, hourMs } from './webhooks.js';

/** Requests that replace the account. */
const replacements: readonly RandomRequest[] = [
  ({ account, world }) => world.accounts.reset(account),
  ({ account, world }) => world.accounts.configure(account, { choices: { 'deposit.window': { for: '2d' } } }),
];

/** The records of an account, and what is derived from them. */
function stateOf(account: Account) {
  const { activity, coverage, deliveryTotals, faultIndex, paymentLinksBySlug, schedule } = account;
  const statuses = ['unsent', 'waiting', 'retrying', 'delivered', 'failed'] as const;
  return {
    contents: account.contents(),
    agenda: schedule.upcoming(),
    invoiceStats: getInvoiceStats(account),
    overdueInvoices: listOverdueInvoices(account),
    deliveryCounts: statuses.map((status) => deliveryTotals.countWithStatus(status)),
    faults: faultIndex.all(),
    links: paymentLinksBySlug.all('night'),
    coverage: coverage.report([], account),
    activity: activity.entries().map(({ detail }) => detail),
  };
}

interface Requests {
  readonly requests: readonly { readonly request: RandomRequest; readonly number: number }[];
  readonly hours: number;
}

/** Sends requests and advances the clock, none of which can be stored. */
async function sendUnstorable(twin: Twin, { requests, hours }: Requests): Promise<void> {
  twin.store.holdCommits();
  for (const { request, number } of requests) {
    codeOf(() => request(twin, number));
    twin.account = currentAccount(twin);
  }
  const advance = advanceBy(twin.account, hours * hourMs);
  const outcome = expect(advance).rejects.toThrow(ServiceError);
  // Until the advance waits for the store.
  await nextTurn();
  twin.store.rejectHeldCommits();
  await outcome;
  // Until the messages that the advance wanted to send are planned again.
  await nextTurn();
  twin.account = currentAccount(twin);
}

/** The account, which a request may have replaced. */
function currentAccount({ world }: Twin): Account {
  const account = world.accounts.get('one');
  if (!account) throw new Error('the account does not exist');
  return account;
}

const anyNumber = fc.integer({ min: 1, max: 8 });
const anyRequest = fc.record({ request: fc.constantFrom(...randomRequests), number: anyNumber });
const anyHours = fc.constantFrom(0, 0, 0, 1, 30, 200);
const anyUnstorable = fc.record({
  requests: fc.array(fc.record({ request: fc.constantFrom(...randomRequests, ...replacements), number: anyNumber }), {
    maxLength: 5,
  }),
  hours: anyHours,
});
const anyStep = fc.record({
  unstorable: fc.option(anyUnstorable, { nil: undefined }),
  stored: anyRequest,
  hours: anyHours,
});

test('requests and advances of the clock that could not be stored leave no trace', async () => {
  const steps = fc.array(anyStep, { minLength: 5, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(steps, async (allSteps) => {
      const [one, other] = [await openTwin(), await openTwin()];
      for (const { unstorable, stored, hours } of allSteps) {
        if (unstorable) await sendUnstorable(other, unstorable);
        expect(stateOf(other.account)).toEqual(stateOf(one.account));
        const codes = [one, other].map((twin) => codeOf(() => stored.request(twin, stored.number)));
        expect(codes[1]).toBe(codes[0]);
        for (const { account } of [one, other]) await advanceBy(account, hours * hourMs);
      }
      expect(stateOf(other.account)).toEqual(stateOf(one.account));
      expect(other.receivers.sent.map(({ body }) => body)).toEqual(one.receivers.sent.map(({ body }) => body));
    }),
    { seed: 1, numRuns: sampledRunsUnlessFull(200, { oneIn: 5 }) },
  );
});
