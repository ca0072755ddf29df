import { describe, expect, test } from 'vitest';
import type { Invoice } from '../../src/domain/records.js';
import type { Scenario, ScenarioStep, ScenarioSubject, VerbName } from '../../src/domain/scenario.js';
import { readFault } from '../../src/faults/rule.js';
import { builtInScenarios } from '../../src/generated/scenarios.js';
import type { Account } from '../../src/simulation/account.js';
import {
  authorizeDeposit,
  captureDeposit,
  createDeposit,
  getDeposit,
} from '../../src/simulation/operations/deposits.js';
import { changeInvoice, createInvoice, getInvoice } from '../../src/simulation/operations/invoices.js';
import { createPaymentLink, getPaymentLink } from '../../src/simulation/operations/payment-links.js';
import { createInvoicePayment, createLinkPayment } from '../../src/simulation/operations/payments.js';
import {
  cancelRun,
  deleteScenario,
  eligibleIds,
  getScenario,
  startScenario,
} from '../../src/simulation/scenarios/scenarios.js';
import type { World } from '../../src/simulation/world.js';
import { createFakeMachine } from '../support/fake-machine.js';
import { ScriptedReceivers } from './scripted-receivers.js';
import { ScriptedStore } from './scripted-store.js';
import { advanceBy, receiverTimeoutMs } from './webhooks.js';
import { emptyWorld, newDeposit, openAccount } from './world.js';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const yearMs = 365 * dayMs;

/** Opens a world with these scenarios and a receiver that accepts every webhook. */
function openScenarioWorld(scenarios: readonly Scenario[], store = new ScriptedStore()): Promise<World> {
  const { send } = new ScriptedReceivers();
  return emptyWorld(store, { clock: createFakeMachine('2026-04-01T08:00:00Z'), scenarios, sendWebhook: send });
}

/** Opens an account with a frozen clock and a receiver that accepts every webhook. */
async function openScenarioAccount(scenarios: readonly Scenario[] = builtInScenarios, store = new ScriptedStore()) {
  const world = await openScenarioWorld(scenarios, store);
  const account = openAccount(world, 'one');
  world.accounts.configure(account, { webhookUrl: 'http://receiver.example/' });
  world.accounts.start();
  return { world, account };
}

/** Creates a deposit. @returns its id */
function addDeposit(account: Account, metadata: Record<string, string> = {}, booking_reference = 'BK-1'): number {
  return Number(createDeposit(account, { ...newDeposit, amount: 200, booking_reference, metadata }).id);
}

/** Creates an invoice of 80, due on 15 April. @returns its id */
function addInvoice(account: Account): number {
  const items = [{ description: 'Night', quantity: 1, unit_price: 80, tax_rate: 0 }];
  const input = { customer_id: 1, date: '2026-04-01', due_date: '2026-04-15', items };
  return createInvoice(account, input).id;
}

/** Adds a draft, like one of a seed: the service creates none. @returns its id */
function addDraft(account: Account): number {
  const id = addInvoice(account);
  const draft: Invoice = { ...getInvoice(account, id), status: 'draft' };
  account.transaction((tx) => tx.put({ invoices: [draft] }));
  return id;
}

/** Creates a payment link. @returns its id */
function addLink(account: Account, world: World, description: string): number {
  return createPaymentLink(account, { description, amount: 10, currency: 'EUR' }, world.accounts).id;
}

const step = (verb: VerbName, afterMs = 0, parameters: ScenarioStep['with'] = {}): ScenarioStep => ({
  after: afterMs,
  do: verb,
  with: parameters,
});

describe('a built-in scenario', () => {
  test.each([
    ['authorize-then-expire', 8, { status: 'expired', captured_amount: 0 }, ['authorize', 'expire']],
    ['decline', 1, { status: 'failed' }, ['decline']],
    [
      'no-show',
      3,
      { status: 'captured', captured_amount: 200, captures: [{ description: 'No-show' }] },
      ['authorize', 'capture'],
    ],
    [
      'partial-capture-then-release',
      7,
      { status: 'released', captured_amount: 20, captures: [{ amount: 20, description: 'Minibar' }] },
      ['authorize', 'capture', 'release'],
    ],
    ['capture-at-the-last-minute', 8, { status: 'captured', captured_amount: 200 }, ['authorize', 'capture']],
    ['flaky-receiver', 1, { status: 'authorized' }, ['authorize']],
  ])(
    '%s, named in the metadata of a deposit, brings it to the expected status within %d days',
    async (name, days, finalRecord, causes) => {
      const { account } = await openScenarioAccount();
      const id = addDeposit(account, { scenario: name });
      await advanceBy(account, days * dayMs);
      expect(getDeposit(account, id)).toMatchObject(finalRecord);
      expect(getDeposit(account, id).history.map(({ cause }) => cause)).toEqual(causes);
      expect(account.runs.rows).toMatchObject([{ scenario: name, status: 'done', due_at: null, reason: null }]);
    },
  );

  test.each([
    [300, 30],
    [12, 1.2],
    [0.33, 0.03],
    [17.15, 1.72],
    // A tenth would be less than a cent, the smallest amount.
    [0.02, 0.01],
  ])('partial-capture-then-release captures a tenth of a deposit of %d, rounded: %d', async (amount, captured) => {
    const { account } = await openScenarioAccount();
    const { id } = createDeposit(account, {
      ...newDeposit,
      amount,
      metadata: { scenario: 'partial-capture-then-release' },
    });
    await advanceBy(account, 7 * dayMs);
    expect(getDeposit(account, id)).toMatchObject({ status: 'released', captured_amount: captured });
  });

  test('late-payment pays an invoice after it has become overdue', async () => {
    const { account } = await openScenarioAccount();
    const id = addInvoice(account);
    startScenario(account, 'late-payment', id);
    await advanceBy(account, yearMs);
    expect(getInvoice(account, id).history.map(({ cause }) => cause)).toEqual(['send', 'view', 'fall-due', 'pay']);
    expect(getInvoice(account, id)).toMatchObject({ status: 'paid', paid_amount: 80 });
  });

  test('flaky-receiver makes three attempts fail, and retries deliver the messages', async () => {
    const { account } = await openScenarioAccount();
    addDeposit(account, { scenario: 'flaky-receiver' });
    await advanceBy(account, dayMs);
    expect(account.attempts.rows.filter(({ status }) => status === 503)).toHaveLength(3);
    expect(account.faults.rows).toMatchObject([{ times: 3, times_fired: 3 }]);
    for (const { id } of account.deliveries.rows) {
      expect(account.attemptsOfDelivery.all(id).at(-1)).toMatchObject({ status: 200 });
    }
  });

  test('capture-at-the-last-minute captures at most a minute before the hold expires', async () => {
    const { account } = await openScenarioAccount();
    const id = addDeposit(account, { scenario: 'capture-at-the-last-minute' });
    await advanceBy(account, 8 * dayMs);
    const { captures, expires_at } = getDeposit(account, id);
    const remainingMs = Date.parse(expires_at ?? '') - Date.parse(captures[0]?.at ?? '');
    expect(remainingMs).toBeGreaterThan(0);
    expect(remainingMs).toBeLessThanOrEqual(60_000);
  });
});

describe('a trigger', () => {
  const scenario = (
    trigger: Scenario['trigger'],
    subject: ScenarioSubject = 'deposit',
    steps = [step('fault', 0, { times: 1, status: 500 })],
  ): Scenario => ({
    name: 'triggered',
    description: '',
    for: subject,
    ...(trigger ? { trigger } : {}),
    steps,
  });

  /** Triggers, and whether a deposit with the booking reference EXPIRE-7 and `room: '204'` starts their scenario. */
  const triggers: readonly [string, Scenario['trigger'], boolean][] = [
    ['the event', { event: 'deposit.created' }, true],
    ['another event', { event: 'deposit.authorized' }, false],
    ['the booking reference', { event: 'deposit.created', match: { booking_reference: 'EXPIRE-7' } }, true],
    ['another booking reference', { event: 'deposit.created', match: { booking_reference: 'EXPIRE-8' } }, false],
    [
      'the beginning of the booking reference',
      { event: 'deposit.created', match: { booking_reference: 'EXPIRE-*' } },
      true,
    ],
    ['the end of the booking reference', { event: 'deposit.created', match: { booking_reference: '*-7' } }, true],
    ['the middle of the booking reference', { event: 'deposit.created', match: { booking_reference: '*PIRE*' } }, true],
    [
      'a beginning and an end that would overlap',
      { event: 'deposit.created', match: { booking_reference: 'EXPIRE-7*7' } },
      false,
    ],
    [
      'parts of the booking reference in another order',
      { event: 'deposit.created', match: { booking_reference: '*-*EXP*' } },
      false,
    ],
    [
      'a booking reference with a wildcard of regular expressions',
      { event: 'deposit.created', match: { booking_reference: 'EXPIRE.7' } },
      false,
    ],
    ['a value in the metadata', { event: 'deposit.created', match: { metadata: { room: '2*' } } }, true],
    [
      'a name that the metadata does not have',
      { event: 'deposit.created', match: { metadata: { constructor: '*' } } },
      false,
    ],
    [
      'the booking reference, and another value in the metadata',
      { event: 'deposit.created', match: { booking_reference: 'EXPIRE-*', metadata: { room: '205' } } },
      false,
    ],
  ];

  /** Creates a deposit. @returns the names of the scenarios that it starts */
  async function startedScenarios(trigger: Scenario['trigger']): Promise<string[]> {
    const { account } = await openScenarioAccount([scenario(trigger)]);
    addDeposit(account, { room: '204' }, 'EXPIRE-7');
    return account.runs.rows.map(({ scenario: name }) => name);
  }

  test.each(triggers.filter(([, , shouldStart]) => shouldStart))(
    'on %s starts the scenario',
    async (_condition, trigger) => {
      expect(await startedScenarios(trigger)).toEqual(['triggered']);
    },
  );

  test.each(triggers.filter(([, , shouldStart]) => !shouldStart))(
    'on %s does not start the scenario',
    async (_condition, trigger) => {
      expect(await startedScenarios(trigger)).toEqual([]);
    },
  );

  test('on a payment can depend on the description of the payment', async () => {
    const { account, world } = await openScenarioAccount([
      scenario({ event: 'payment.succeeded', match: { description: 'Late*' } }, 'payment_link'),
    ]);
    createLinkPayment(account, addLink(account, world, 'Late checkout'), {});
    createLinkPayment(account, addLink(account, world, 'Parking'), {});
    expect(account.runs.rows.map(({ subject }) => subject)).toEqual([{ resource: 'payment_link', id: 1 }]);
  });

  test('on a payment starts the scenarios for payment links or invoices, on the record that was paid', async () => {
    const { account, world } = await openScenarioAccount(
      (['payment_link', 'invoice', 'deposit'] as const).map((subject) => ({
        ...scenario({ event: 'payment.succeeded' }, subject),
        name: `for a ${subject}`,
      })),
    );
    for (const id of [1, 2, 3]) expect([addInvoice(account), addLink(account, world, 'Parking')]).toEqual([id, id]);
    createInvoicePayment(account, 2, {});
    createLinkPayment(account, 3, {});
    expect(account.runs.rows.map(({ subject }) => subject)).toEqual([
      { resource: 'invoice', id: 2 },
      { resource: 'payment_link', id: 3 },
    ]);
  });

  test('on the creation of an invoice or payment link starts the scenario on that record', async () => {
    const { account, world } = await openScenarioAccount([
      scenario({ event: 'invoice.created' }, 'invoice'),
      { ...scenario({ event: 'payment_link.created' }, 'payment_link'), name: 'triggered by a link' },
    ]);
    addInvoice(account);
    addLink(account, world, 'Parking');
    expect(account.runs.rows.map(({ subject }) => subject)).toEqual([
      { resource: 'invoice', id: 1 },
      { resource: 'payment_link', id: 1 },
    ]);
  });

  test('that two scenarios have in common starts a run of each', async () => {
    const { account } = await openScenarioAccount(
      ['first', 'second'].map((name) => ({ ...scenario({ event: 'deposit.created' }), name })),
    );
    const id = addDeposit(account);
    const subject = { resource: 'deposit', id };
    expect(account.runs.rows).toMatchObject([
      { id: 1, scenario: 'first', subject },
      { id: 2, scenario: 'second', subject },
    ]);
  });

  test('of a built-in scenario does not apply if the account has a scenario with the same name', async () => {
    const { account } = await openScenarioAccount([scenario({ event: 'deposit.created' })]);
    account.transaction((tx) => tx.put({ scenarios: [scenario({ event: 'deposit.expired' })] }));
    addDeposit(account);
    expect(account.runs.size).toBe(0);
  });
});

test('metadata that names an unknown scenario, or one for other kinds of records, starts no run', async () => {
  const { account } = await openScenarioAccount();
  addDeposit(account, { scenario: 'late-payment' });
  addDeposit(account, { scenario: 'no-such-scenario' });
  expect(account.runs.size).toBe(0);
});

describe('the records that can be chosen for a scenario', () => {
  /** Returns the ids of the records that can be chosen for a scenario with these steps. */
  function idsFor(account: Account, subject: ScenarioSubject, ...verbs: readonly VerbName[]) {
    const steps = verbs.map((verb) => step(verb));
    return eligibleIds(account, { name: 'any', description: '', for: subject, steps });
  }

  test('are the deposits whose status allows the first step, newest first', async () => {
    const { account } = await openScenarioAccount();
    for (const id of [1, 2, 3, 4]) {
      expect(addDeposit(account)).toBe(id);
      if (id !== 2) authorizeDeposit(account, id);
    }
    captureDeposit(account, 3, { amount: 50 });
    captureDeposit(account, 4, {});
    expect(idsFor(account, 'deposit', 'capture')).toEqual([3, 1]);
    expect(idsFor(account, 'deposit', 'authorize', 'capture')).toEqual([2]);
  });

  test('are the unpaid invoices if the first step is a payment, even one that fails', async () => {
    const { account } = await openScenarioAccount();
    for (const id of [1, 2, 3, 4]) expect(addInvoice(account)).toBe(id);
    createInvoicePayment(account, 2, {});
    changeInvoice(account, 3, 'cancel');
    changeInvoice(account, 4, 'send');
    expect(idsFor(account, 'invoice', 'pay')).toEqual([4, 1]);
    expect(idsFor(account, 'invoice', 'fail')).toEqual([4, 1]);
    expect(idsFor(account, 'invoice', 'send')).toEqual([1]);
  });

  test('are the active payment links', async () => {
    const { account, world } = await openScenarioAccount();
    for (const id of [1, 2, 3]) expect(addLink(account, world, 'Parking')).toBe(id);
    const link = getPaymentLink(account, 2);
    account.transaction((tx) => tx.put({ payment_links: [{ ...link, is_active: false }] }));
    expect(idsFor(account, 'payment_link', 'pay')).toEqual([3, 1]);
  });

  test('are sorted by time, even if their ids are in another order', async () => {
    const { account, world } = await openScenarioAccount();
    for (const id of [1, 2, 3]) expect(addLink(account, world, 'Parking')).toBe(id);
    for (const [id, day] of [
      [1, '2026-02-01'],
      [2, '2026-01-01'],
    ] as const) {
      const link = { ...getPaymentLink(account, id), created_at: `${day}T00:00:00.000Z` };
      account.transaction((tx) => tx.put({ payment_links: [link] }));
    }
    expect(idsFor(account, 'payment_link', 'pay')).toEqual([3, 1, 2]);
  });

  test('are the drafts if the first step is to finalize', async () => {
    const { account } = await openScenarioAccount();
    for (const id of [1, 2]) expect(addInvoice(account)).toBe(id);
    addDraft(account);
    expect(idsFor(account, 'invoice', 'finalize')).toEqual([3]);
  });

  test('do not depend on fault steps: if there are no others, all records can be chosen', async () => {
    const { account, world } = await openScenarioAccount();
    for (const id of [1, 2]) {
      expect([addDeposit(account), addInvoice(account), addLink(account, world, 'Parking')]).toEqual([id, id, id]);
    }
    authorizeDeposit(account, 1);
    changeInvoice(account, 1, 'cancel');
    const link = getPaymentLink(account, 1);
    account.transaction((tx) => tx.put({ payment_links: [{ ...link, is_active: false }] }));
    expect(idsFor(account, 'deposit', 'fault', 'capture')).toEqual([1]);
    for (const subject of ['deposit', 'invoice', 'payment_link'] as const) {
      expect(idsFor(account, subject, 'fault')).toEqual([2, 1]);
    }
  });
});

describe('a scenario that was added to an account', () => {
  const ownNoShow: Scenario = {
    name: 'no-show',
    description: 'Own.',
    for: 'deposit',
    steps: [step('decline', hourMs)],
  };

  test('is replaced by the built-in one with the same name when it is deleted, also after a restart', async () => {
    const store = new ScriptedStore();
    const { account } = await openScenarioAccount(builtInScenarios, store);
    account.transaction((tx) => tx.put({ scenarios: [ownNoShow] }));
    expect(getScenario(account, 'no-show')).toEqual(ownNoShow);
    deleteScenario(account, 'no-show');
    const builtIn = builtInScenarios.find(({ name }) => name === 'no-show');
    expect(getScenario(account, 'no-show')).toEqual(builtIn);
    await account.whenStored();
    const reopened = (await openScenarioWorld(builtInScenarios, store)).accounts.get('one');
    expect(reopened && getScenario(reopened, 'no-show')).toEqual(builtIn);
  });

  test('can be deleted only once, and its runs continue', async () => {
    const { account } = await openScenarioAccount([]);
    account.transaction((tx) => tx.put({ scenarios: [ownNoShow] }));
    const id = addDeposit(account);
    startScenario(account, 'no-show', id);
    deleteScenario(account, 'no-show');
    expect(() => deleteScenario(account, 'no-show')).toThrow('scenario-not-found');
    await advanceBy(account, hourMs);
    expect(getDeposit(account, id).status).toBe('failed');
  });
});

test('a built-in scenario cannot be deleted', async () => {
  const { account } = await openScenarioAccount();
  expect(() => deleteScenario(account, 'no-show')).toThrow(
    'scenario-built-in: only scenarios that were added to the account can be deleted',
  );
  expect(getScenario(account, 'no-show').steps).not.toEqual([]);
});

describe('a run', () => {
  test('takes a step without a delay right after the previous step', async () => {
    const { account } = await openScenarioAccount([
      {
        name: 'without-delays',
        description: '',
        for: 'deposit',
        steps: [step('authorize', hourMs), step('capture', 0, { amount: 50 }), step('release'), step('expire', hourMs)],
      },
    ]);
    const id = addDeposit(account);
    startScenario(account, 'without-delays', id);
    await advanceBy(account, hourMs);
    expect(getDeposit(account, id).history).toMatchObject([
      { cause: 'authorize', at: '2026-04-01T09:00:00.000Z' },
      { cause: 'capture', at: '2026-04-01T09:00:00.000Z' },
      { cause: 'release', at: '2026-04-01T09:00:00.000Z' },
    ]);
    expect(account.runs.rows).toMatchObject([
      { completed_steps: 3, status: 'running', due_at: '2026-04-01T10:00:00.000Z' },
    ]);
  });

  test('takes each step after its delay, which counts from the start of the run or from the previous step', async () => {
    const { account } = await openScenarioAccount([
      {
        name: 'slow',
        description: '',
        for: 'deposit',
        steps: [step('authorize', 2 * hourMs), step('release', hourMs)],
      },
    ]);
    const id = addDeposit(account);
    startScenario(account, 'slow', id);
    await advanceBy(account, dayMs);
    expect(getDeposit(account, id).history).toMatchObject([
      { cause: 'authorize', at: '2026-04-01T10:00:00.000Z' },
      { cause: 'release', at: '2026-04-01T11:00:00.000Z' },
    ]);
  });

  test.each<[subject: 'payment_link' | 'invoice', step: ScenarioStep, payment: object]>([
    ['payment_link', step('pay'), { status: 'paid', payment_method: 'card', amount: 10 }],
    ['payment_link', step('pay', 0, { outcome: 'failed' }), { status: 'failed', payment_method: 'card' }],
    [
      'payment_link',
      step('pay', 0, { outcome: 'pending', method: 'sepa_debit' }),
      { status: 'pending', payment_method: 'sepa_debit' },
    ],
    ['payment_link', step('fail', 0, { method: 'sepa_debit' }), { status: 'failed', payment_method: 'sepa_debit' }],
    ['invoice', step('pay'), { status: 'paid', payment_method: 'card', amount: 80 }],
    [
      'invoice',
      step('pay', 0, { amount: 30, method: 'sepa_debit' }),
      { status: 'paid', payment_method: 'sepa_debit', amount: 30 },
    ],
    [
      'invoice',
      step('fail', 0, { method: 'sepa_debit' }),
      { status: 'failed', payment_method: 'sepa_debit', amount: 80 },
    ],
  ])('makes a payment of the %s with the parameters of the step: %j', async (subject, paymentStep, payment) => {
    const { account, world } = await openScenarioAccount([
      { name: 'payment', description: '', for: subject, steps: [paymentStep] },
    ]);
    startScenario(account, 'payment', subject === 'invoice' ? addInvoice(account) : addLink(account, world, 'Parking'));
    account.schedule.runDueItems();
    expect(account.payments.rows).toMatchObject([payment]);
    expect(account.runs.rows).toMatchObject([{ status: 'done' }]);
  });

  test('may start with a draft, which it finalizes and sends', async () => {
    const { account } = await openScenarioAccount([
      { name: 'month-end', description: '', for: 'invoice', steps: [step('finalize', dayMs), step('send')] },
    ]);
    const id = addDraft(account);
    startScenario(account, 'month-end', id);
    await advanceBy(account, dayMs);
    expect(getInvoice(account, id)).toMatchObject({ status: 'sent' });
    expect(account.runs.rows).toMatchObject([{ scenario: 'month-end', status: 'done' }]);
  });

  test('stops, with a reason, when the status of the record does not allow the next step', async () => {
    const { account } = await openScenarioAccount([
      {
        name: 'authorize-then-decline',
        description: '',
        for: 'deposit',
        steps: [step('authorize'), step('decline', hourMs), step('expire', hourMs)],
      },
    ]);
    const id = addDeposit(account);
    startScenario(account, 'authorize-then-decline', id);
    await advanceBy(account, dayMs);
    expect(account.runs.get(1)).toMatchObject({
      status: 'stopped',
      completed_steps: 1,
      due_at: null,
      reason: "decline: the deposit's status is authorized, which allows only expire, capture, release",
    });
  });

  test.each<[title: string, amount: number, reason: string]>([
    ['has an invalid field', 1.001, 'capture: invalid amount (x-decimal-places)'],
    ['is larger than the deposit', 1_000, 'capture: 200 EUR remain'],
  ])('stops, with a reason, when the amount of a capture %s', async (_title, amount, reason) => {
    const steps = [step('authorize'), step('capture', hourMs, { amount })];
    const { account } = await openScenarioAccount([{ name: 'odd-capture', description: '', for: 'deposit', steps }]);
    startScenario(account, 'odd-capture', addDeposit(account));
    await advanceBy(account, dayMs);
    expect(account.runs.get(1)).toMatchObject({ status: 'stopped', completed_steps: 1, reason });
  });

  test('stops, with a reason, when the `until` of a fault has passed, and adds no fault', async () => {
    const fault = readFault({ effect: 'status=503', until: '2026-04-02' });
    const { account } = await openScenarioAccount([
      { name: 'late-fault', description: '', for: 'deposit', steps: [{ ...step('fault', dayMs), fault }] },
    ]);
    startScenario(account, 'late-fault', addDeposit(account));
    await advanceBy(account, dayMs);
    expect(account.runs.get(1)).toMatchObject({
      status: 'stopped',
      completed_steps: 0,
      reason: 'fault: the fault would have ended at 2026-04-02T00:00:00.000Z; use `for` instead of `until`',
    });
    expect(account.faults.size).toBe(0);
  });

  test('can be cancelled once, and then does nothing', async () => {
    const { account } = await openScenarioAccount();
    const id = addDeposit(account);
    const run = startScenario(account, 'no-show', id);
    expect(cancelRun(account, run.id)).toMatchObject({ status: 'cancelled', due_at: null });
    expect(() => cancelRun(account, run.id)).toThrow('its status is cancelled');
    expect(() => cancelRun(account, 99)).toThrow('run-not-found');
    await advanceBy(account, 8 * dayMs);
    expect(getDeposit(account, id).history).toEqual([]);
  });

  test('on an unknown record or of an unknown scenario is refused', async () => {
    const { account } = await openScenarioAccount();
    expect(() => startScenario(account, 'no-show', 99)).toThrow('deposit-not-found');
    expect(() => startScenario(account, 'late-payment', 99)).toThrow('invoice-not-found');
    expect(() => startScenario(account, 'no-shaw', 99)).toThrow('scenario-not-found: available: authorize-then-expire');
    expect(account.runs.size).toBe(0);
  });

  test('continues after a restart, even if its scenario no longer exists', async () => {
    const store = new ScriptedStore();
    const { account } = await openScenarioAccount(builtInScenarios, store);
    const id = addDeposit(account, { scenario: 'no-show' });
    await advanceBy(account, hourMs);
    const world = await openScenarioWorld([], store);
    world.accounts.start();
    const reopened = world.accounts.get('one');
    expect(reopened?.schedule.upcoming()).toContainEqual(expect.objectContaining({ kind: 'scenario-step', id: 1 }));
    await reopened?.schedule.advance({ by: 3 * dayMs, timeoutMs: receiverTimeoutMs });
    expect(reopened?.deposits.get(id)).toMatchObject({ status: 'captured' });
  });

  test('has each step and its progress in one commit, so that a crash cannot repeat a step', async () => {
    const store = new ScriptedStore();
    const { account } = await openScenarioAccount(builtInScenarios, store);
    addDeposit(account, { scenario: 'partial-capture-then-release' });
    await advanceBy(account, 7 * dayMs);
    const progress = store.commits.flatMap(({ changes: { deposits = [], runs = [] } }) =>
      runs.map(({ completed_steps }) => ({
        completed_steps,
        causes: deposits.flatMap(({ history }) => history.at(-1)?.cause ?? []),
      })),
    );
    expect(progress).toEqual([
      { completed_steps: 0, causes: [] },
      { completed_steps: 1, causes: ['authorize'] },
      { completed_steps: 2, causes: ['capture'] },
      { completed_steps: 3, causes: ['release'] },
    ]);
  });

  test('is stopped when its scenario keeps starting itself', async () => {
    const { account, world } = await openScenarioAccount([
      {
        name: 'endless',
        description: '',
        for: 'payment_link',
        trigger: { event: 'payment.succeeded' },
        steps: [step('pay')],
      },
    ]);
    createLinkPayment(account, addLink(account, world, 'Parking'), {});
    await advanceBy(account, dayMs);
    expect(account.runs.rows.at(-1)).toMatchObject({
      status: 'stopped',
      reason: 'scenarios started each other 10 times in a row: stopped as an infinite loop',
    });
    // The guest's payment, then one payment each of the run that it started and of the ten runs after that.
    expect(account.payments.size).toBe(12);
  });

  test('that a client started is not stopped, however many runs there were before', async () => {
    const { account } = await openScenarioAccount();
    for (let count = 0; count < 12; count++) {
      addDeposit(account, { scenario: 'no-show' });
      await advanceBy(account, 2 * dayMs);
    }
    expect(account.runs.rows.map(({ status }) => status)).toEqual(Array(12).fill('done'));
  });
});
