import { describe, expect, test } from 'vitest';
import type { Scenario, ScenarioStep } from '../../src/domain/scenario.js';
import { shippedScenarios } from '../../src/generated/scenarios.js';
import type { Account } from '../../src/simulation/account.js';
import { createDeposit, getDeposit } from '../../src/simulation/operations/deposits.js';
import { createInvoice, getInvoice } from '../../src/simulation/operations/invoices.js';
import { createPaymentLink } from '../../src/simulation/operations/payment-links.js';
import { payLink } from '../../src/simulation/operations/payments.js';
import { cancelRun, startScenario } from '../../src/simulation/scenarios/scenarios.js';
import type { Commit } from '../../src/simulation/state/changes.js';
import type { Store, WebhookOutcome } from '../../src/simulation/state/ports.js';
import { createMemoryStore } from '../../src/store/memory.js';
import { fakeMachine } from '../support/fake-machine.js';
import { emptyWorld, openAccount } from './world.js';

const day = 86_400_000;
const hour = 3_600_000;
const testTimeoutMs = 30_000;

async function open(scenarios: readonly Scenario[] = shippedScenarios, store?: Store) {
  const delivered: WebhookOutcome = {
    headers: {},
    status: 200,
    error: null,
    milliseconds: 1,
    answer: '',
    retryAfter: null,
  };
  const ports = { clock: fakeMachine('2026-04-01T08:00:00Z'), scenarios, sendWebhook: async () => delivered };
  const world = await emptyWorld(store, ports);
  const account = openAccount(world, 'one');
  world.accounts.configure(account, { webhookUrl: 'http://receiver.example/' });
  world.accounts.start();
  return { world, account };
}

function deposit(account: Account, metadata: Record<string, string> = {}, booking_reference = 'BK-1'): number {
  const input = {
    booking_reference,
    amount: 200,
    currency: 'EUR',
    customer: null,
    check_in_date: null,
    check_out_date: null,
    metadata,
  };
  const created = createDeposit(account, input);
  return Number(created.id);
}

function invoice(account: Account): number {
  const items = [{ description: 'Night', quantity: 1, unit_price: 80, tax_rate: 0 }];
  return createInvoice(account, { customer_id: 1, date: '2026-04-01', due_date: '2026-04-15', items }, 1_000_000).id;
}

function link(account: Account, world: Awaited<ReturnType<typeof open>>['world'], description: string): number {
  return createPaymentLink(account, { description, amount: 10, currency: 'EUR' }, world.accounts).id;
}

const step = (verb: ScenarioStep['do'], after = 0, given: ScenarioStep['with'] = {}): ScenarioStep => ({
  after,
  do: verb,
  with: given,
});

describe('a shipped scenario', () => {
  test.each([
    ['authorize-then-expire', 8, { status: 'expired', captured_amount: 0 }, ['authorize', 'expire']],
    ['decline', 1, { status: 'failed' }, ['decline']],
    ['no-show', 3, { status: 'captured', captured_amount: 200 }, ['authorize', 'capture']],
    [
      'partial-capture-then-release',
      7,
      { status: 'released', captured_amount: expect.toSatisfy((captured) => captured > 0 && captured < 200) },
      ['authorize', 'capture', 'release'],
    ],
    ['capture-at-the-last-minute', 8, { status: 'captured', captured_amount: 200 }, ['authorize', 'capture']],
    ['flaky-receiver', 1, { status: 'authorized' }, ['authorize']],
  ])('%s, requested in metadata, ends the lifecycle of a deposit in %d days', async (name, days, end, causes) => {
    const { account } = await open();
    const id = deposit(account, { scenario: name });
    await account.schedule.advance({ by: days * day, timeoutMs: testTimeoutMs });
    expect(getDeposit(account, id)).toMatchObject(end);
    expect(getDeposit(account, id).history.map(({ cause }) => cause)).toEqual(causes);
    expect(account.runs.rows).toMatchObject([{ scenario: name, status: 'done', due_at: null, reason: null }]);
  });

  test('late-payment lets an invoice fall due before it is paid', async () => {
    const { account } = await open();
    const id = invoice(account);
    startScenario(account, 'late-payment', id);
    await account.schedule.advance({ by: 365 * day, timeoutMs: testTimeoutMs });
    expect(getInvoice(account, id).history.map(({ cause }) => cause)).toEqual(['send', 'view', 'fall-due', 'pay']);
    expect(getInvoice(account, id)).toMatchObject({ status: 'paid', paid_amount: 80 });
  });

  test('flaky-receiver rejects three attempts, and the messages are delivered by retries', async () => {
    const { account } = await open();
    deposit(account, { scenario: 'flaky-receiver' });
    await account.schedule.advance({ by: day, timeoutMs: testTimeoutMs });
    expect(account.attempts.rows.filter(({ status }) => status === 503)).toHaveLength(3);
    expect(account.faults.rows).toMatchObject([{ times: 3, hits: 3 }]);
    for (const { id } of account.deliveries.rows) {
      expect(account.attemptsOfDelivery.all(id).at(-1)).toMatchObject({ status: 200 });
    }
  });

  test('at the last minute captures just before the hold expires', async () => {
    const { account } = await open();
    const id = deposit(account, { scenario: 'capture-at-the-last-minute' });
    await account.schedule.advance({ by: 8 * day, timeoutMs: testTimeoutMs });
    const { captures, expires_at } = getDeposit(account, id);
    const left = Date.parse(expires_at ?? '') - Date.parse(captures[0]?.at ?? '');
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(60_000);
  });
});

describe('a trigger', () => {
  const scenario = (
    trigger: Scenario['trigger'],
    subject: Scenario['for'] = 'deposit',
    steps = [step('fault', 0, { times: 1, status: 500 })],
  ): Scenario => ({
    name: 'triggered',
    description: '',
    for: subject,
    ...(trigger ? { trigger } : {}),
    steps,
  });

  test.each<[string, Scenario['trigger'], boolean]>([
    ['an event', { event: 'deposit.created' }, true],
    ['another event', { event: 'deposit.authorized' }, false],
    ['a booking reference', { event: 'deposit.created', match: { booking_reference: 'EXPIRE-7' } }, true],
    ['another booking reference', { event: 'deposit.created', match: { booking_reference: 'EXPIRE-8' } }, false],
    ['the beginning of one', { event: 'deposit.created', match: { booking_reference: 'EXPIRE-*' } }, true],
    ['its end', { event: 'deposit.created', match: { booking_reference: '*-7' } }, true],
    ['its middle', { event: 'deposit.created', match: { booking_reference: '*PIRE*' } }, true],
    ['both ends that overlap', { event: 'deposit.created', match: { booking_reference: 'EXPIRE-7*7' } }, false],
    ['parts in another order', { event: 'deposit.created', match: { booking_reference: '*-*EXP*' } }, false],
    [
      'characters of regular expressions',
      { event: 'deposit.created', match: { booking_reference: 'EXPIRE.7' } },
      false,
    ],
    ['metadata', { event: 'deposit.created', match: { metadata: { room: '2*' } } }, true],
    ['metadata that is not there', { event: 'deposit.created', match: { metadata: { constructor: '*' } } }, false],
    [
      'all of it',
      { event: 'deposit.created', match: { booking_reference: 'EXPIRE-*', metadata: { room: '205' } } },
      false,
    ],
  ])('by %s', async (_name, trigger, starts) => {
    const { account } = await open([scenario(trigger)]);
    deposit(account, { room: '204' }, 'EXPIRE-7');
    expect(account.runs.rows.map(({ scenario: name }) => name)).toEqual(starts ? ['triggered'] : []);
  });

  test('by a payment is for the link or the invoice that was paid', async () => {
    const { account, world } = await open([
      scenario({ event: 'payment.succeeded', match: { description: 'Late*' } }, 'payment_link'),
    ]);
    payLink(account, link(account, world, 'Late checkout'), {});
    payLink(account, link(account, world, 'Parking'), {});
    expect(account.runs.rows.map(({ subject }) => subject)).toEqual([{ resource: 'payment_link', id: 1 }]);
  });

  test('by the creation of an invoice or a link starts it on that', async () => {
    const { account, world } = await open([
      scenario({ event: 'invoice.created' }, 'invoice'),
      { ...scenario({ event: 'payment_link.created' }, 'payment_link'), name: 'other' },
    ]);
    invoice(account);
    link(account, world, 'Parking');
    expect(account.runs.rows.map(({ subject }) => subject)).toEqual([
      { resource: 'invoice', id: 1 },
      { resource: 'payment_link', id: 1 },
    ]);
  });

  test('uses the account’s own scenario before a shared one with the same name', async () => {
    const { account } = await open([scenario({ event: 'deposit.created' })]);
    account.transaction((tx) =>
      tx.put({ scenarios: [{ ...scenario({ event: 'deposit.expired' }), name: 'triggered' }] }),
    );
    deposit(account);
    expect(account.runs.size).toBe(0);
  });

  test('in metadata does not start a scenario that is not for deposits', async () => {
    const { account } = await open();
    deposit(account, { scenario: 'late-payment' });
    deposit(account, { scenario: 'no-such' });
    expect(account.runs.size).toBe(0);
  });
});

describe('a run', () => {
  test('stops when the status does not allow its step, and says why', async () => {
    const { account } = await open([
      {
        name: 'wrong',
        description: '',
        for: 'deposit',
        steps: [step('authorize'), step('decline', hour), step('expire', hour)],
      },
    ]);
    const id = deposit(account);
    startScenario(account, 'wrong', id);
    await account.schedule.advance({ by: day, timeoutMs: testTimeoutMs });
    expect(account.runs.get(1)).toMatchObject({
      status: 'stopped',
      played: 1,
      due_at: null,
      reason: 'decline: the deposit is authorized; possible next: expire, capture, release',
    });
  });

  test('can be cancelled, once', async () => {
    const { account } = await open();
    const id = deposit(account);
    const run = startScenario(account, 'no-show', id);
    expect(cancelRun(account, run.id)).toMatchObject({ status: 'cancelled', due_at: null });
    expect(() => cancelRun(account, run.id)).toThrow('it is cancelled');
    expect(() => cancelRun(account, 99)).toThrow('run-unknown');
    await account.schedule.advance({ by: 8 * day, timeoutMs: testTimeoutMs });
    expect(getDeposit(account, id).history).toEqual([]);
  });

  test('of an unknown record or scenario is refused', async () => {
    const { account } = await open();
    expect(() => startScenario(account, 'no-show', 99)).toThrow('deposit-unknown');
    expect(() => startScenario(account, 'late-payment', 99)).toThrow('invoice-unknown');
    expect(() => startScenario(account, 'no-shaw', 99)).toThrow('scenario-unknown: there are authorize-then-expire');
    expect(account.runs.size).toBe(0);
  });

  test('survives a restart, though its scenario is gone', async () => {
    const commits: Commit[] = [];
    const recording: Store = {
      ...createMemoryStore(),
      append: async (commit) => void commits.push(structuredClone(commit)),
    };
    const { account } = await open(shippedScenarios, recording);
    const id = deposit(account, { scenario: 'no-show' });
    await account.schedule.advance({ by: hour, timeoutMs: testTimeoutMs });
    const world = await emptyWorld(
      {
        ...createMemoryStore(),
        async *load() {
          yield* commits;
        },
      },
      {
        scenarios: [],
        clock: fakeMachine('2026-04-01T08:00:00Z'),
        sendWebhook: async () => ({
          headers: {},
          status: 200,
          error: null,
          milliseconds: 1,
          answer: '',
          retryAfter: null,
        }),
      },
    );
    world.accounts.start();
    const again = world.accounts.get('one');
    expect(again?.schedule.upcoming()).toContainEqual(expect.objectContaining({ kind: 'scenario-step', id: 1 }));
    await again?.schedule.advance({ by: 3 * day, timeoutMs: testTimeoutMs });
    expect(again?.deposits.get(id)).toMatchObject({ status: 'captured' });
  });

  test('is limited when scenarios start each other endlessly', async () => {
    const { account, world } = await open([
      {
        name: 'again',
        description: '',
        for: 'payment_link',
        trigger: { event: 'payment.succeeded' },
        steps: [step('pay')],
      },
    ]);
    payLink(account, link(account, world, 'Parking'), {});
    await account.schedule.advance({ by: day, timeoutMs: testTimeoutMs });
    expect(account.runs.rows.at(-1)).toMatchObject({
      status: 'stopped',
      reason: 'scenarios have started each other 10 times; they would never end',
    });
    expect(account.payments.size).toBe(12);
  });
});
