import { describe, expect, it } from 'vitest';
import type { Step } from '../../src/domain/advance-report.js';
import type { DepositStatus, EventName, InvoiceStatus, PaymentStatus } from '../../src/domain/records.js';
import type { Seed } from '../../src/domain/seed.js';
import type { ErrorCode } from '../../src/domain/service-error.js';
import type { Choices } from '../../src/index.js';
import type { Account } from '../../src/simulation/account.js';
import {
  authorizeDeposit,
  captureDeposit,
  createDeposit,
  declineDeposit,
  expireDeposit,
  releaseDeposit,
} from '../../src/simulation/operations/deposits.js';
import { changeInvoice, createInvoice, getInvoice } from '../../src/simulation/operations/invoices.js';
import { createPaymentLink } from '../../src/simulation/operations/payment-links.js';
import { createInvoicePayment, createLinkPayment, endPayment } from '../../src/simulation/operations/payments.js';
import type { Commit } from '../../src/simulation/state/changes.js';
import { createMemoryStore } from '../../src/store/memory.js';
import { serviceErrorOf } from '../domain/samples.js';
import { isolatedPorts } from '../support/ports.js';
import { ScriptedStore } from './scripted-store.js';
import { emptyWorld, newDeposit, openAccount, startTime } from './world.js';

interface TestWorld {
  readonly account: Account;
  /** Commits, in order. */
  readonly commits: readonly Commit[];
  /** Steps of all commits, in order. */
  readonly steps: readonly Step[];
}

/** Opens an account with two draft invoices of 119.58, due on 28 April, and an open payment, but no webhook URL. */
async function openWorldWithDrafts(choices: Choices = {}): Promise<TestWorld> {
  const store = new ScriptedStore();
  const steps: Step[] = [];
  const account = openAccount(await emptyWorld(store), 'one', choices, seedWithDrafts);
  account.watch((step) => steps.push(step));
  return { account, commits: store.commits, steps };
}

const seedWithDrafts: Partial<Seed> = {
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
function expectRefused({ account, commits, steps }: TestWorld, action: () => unknown, code: ErrorCode): void {
  const contentsBefore = structuredClone(account.contents());
  const stateBefore = { commits: commits.length, steps: steps.length, agenda: account.schedule.upcoming() };
  expect(serviceErrorOf(action)?.code).toBe(code);
  expect(account.contents()).toEqual(contentsBefore);
  expect({ commits: commits.length, steps: steps.length, agenda: account.schedule.upcoming() }).toEqual(stateBefore);
}

/** Runs an action. @returns its commits */
function committedBy({ commits }: TestWorld, action: () => unknown): Commit[] {
  const countBefore = commits.length;
  action();
  return commits.slice(countBefore);
}

/** Creates a deposit. @returns its id */
function addDeposit(account: Account): number | string {
  return createDeposit(account, { ...newDeposit, amount: 300 }).id;
}

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

  it.each(keysOf(actions))('that does not exist: %s → deposit-unknown', async (action) => {
    const testWorld = await openWorldWithDrafts();
    expectRefused(testWorld, () => actions[action](testWorld.account, 99), 'deposit-unknown');
  });
});

describe('an invoice', () => {
  type Action = 'finalize' | 'send' | 'view' | 'cancel' | 'pay a part' | 'pay the rest' | 'pay too much' | 'fall due';

  const actions: Readonly<Record<Action, (account: Account, id: number) => unknown>> = {
    finalize: (account, id) => changeInvoice(account, id, 'finalize'),
    send: (account, id) => changeInvoice(account, id, 'send'),
    view: (account, id) => changeInvoice(account, id, 'view'),
    cancel: (account, id) => changeInvoice(account, id, 'cancel'),
    'pay a part': (account, id) => createInvoicePayment(account, id, { amount: 40 }),
    'pay the rest': (account, id) => createInvoicePayment(account, id, {}),
    'pay too much': (account, id) => createInvoicePayment(account, id, { amount: 119.59 }),
    'fall due': (account) => {
      account.schedule.freezeAt(Date.parse('2026-04-29T00:00:00Z'));
      account.schedule.runDueItems();
    },
  };

  /** Actions that bring a draft to each status. */
  const setupActions: Readonly<Record<InvoiceStatus, readonly Action[]>> = {
    draft: [],
    pending: ['finalize'],
    sent: ['finalize', 'send'],
    viewed: ['finalize', 'view'],
    partial: ['finalize', 'pay a part'],
    paid: ['finalize', 'pay the rest'],
    overdue: ['finalize', 'fall due'],
    cancelled: ['cancel'],
  };

  type Outcome = InvoiceStatus | { readonly refused: ErrorCode };
  const notAllowed: Outcome = { refused: 'transition-not-allowed' };
  const tooLarge: Outcome = { refused: 'payment-too-large' };

  /** New status of the invoice, or error code. */
  const outcomes: Readonly<Record<InvoiceStatus, Readonly<Record<Exclude<Action, 'fall due'>, Outcome>>>> = {
    draft: {
      finalize: 'pending',
      send: notAllowed,
      view: notAllowed,
      cancel: 'cancelled',
      'pay a part': notAllowed,
      'pay the rest': notAllowed,
      'pay too much': notAllowed,
    },
    pending: {
      finalize: notAllowed,
      send: 'sent',
      view: 'viewed',
      cancel: 'cancelled',
      'pay a part': 'partial',
      'pay the rest': 'paid',
      'pay too much': tooLarge,
    },
    sent: {
      finalize: notAllowed,
      send: notAllowed,
      view: 'viewed',
      cancel: 'cancelled',
      'pay a part': 'partial',
      'pay the rest': 'paid',
      'pay too much': tooLarge,
    },
    viewed: {
      finalize: notAllowed,
      send: notAllowed,
      view: notAllowed,
      cancel: 'cancelled',
      'pay a part': 'partial',
      'pay the rest': 'paid',
      'pay too much': tooLarge,
    },
    partial: {
      finalize: notAllowed,
      send: notAllowed,
      view: notAllowed,
      cancel: 'cancelled',
      'pay a part': 'partial',
      'pay the rest': 'paid',
      'pay too much': tooLarge,
    },
    overdue: {
      finalize: notAllowed,
      send: notAllowed,
      view: notAllowed,
      cancel: 'cancelled',
      'pay a part': 'overdue',
      'pay the rest': 'paid',
      'pay too much': tooLarge,
    },
    paid: {
      finalize: notAllowed,
      send: notAllowed,
      view: notAllowed,
      cancel: notAllowed,
      'pay a part': notAllowed,
      'pay the rest': notAllowed,
      'pay too much': notAllowed,
    },
    cancelled: {
      finalize: notAllowed,
      send: notAllowed,
      view: notAllowed,
      cancel: notAllowed,
      'pay a part': notAllowed,
      'pay the rest': notAllowed,
      'pay too much': notAllowed,
    },
  };

  /** Opens an account whose invoice 1 has this status. */
  async function openWorldWithInvoice(status: InvoiceStatus, choices: Choices = {}): Promise<TestWorld> {
    const testWorld = await openWorldWithDrafts(choices);
    for (const setupAction of setupActions[status]) actions[setupAction](testWorld.account, 1);
    expect(testWorld.account.invoices.get(1)?.status).toBe(status);
    return testWorld;
  }

  const cases = keysOf(outcomes).flatMap((status) =>
    keysOf(outcomes[status]).map((action) => {
      const outcome = outcomes[status][action];
      return { status, action, outcome, result: typeof outcome === 'string' ? outcome : outcome.refused };
    }),
  );

  it.each(cases)('that is $status: $action → $result', async ({ status, action, outcome }) => {
    const testWorld = await openWorldWithInvoice(status);
    const { account } = testWorld;
    if (typeof outcome !== 'string') {
      expectRefused(testWorld, () => actions[action](account, 1), outcome.refused);
      return;
    }
    const deliveryCount = account.deliveries.size;
    const commits = committedBy(testWorld, () => actions[action](account, 1));
    const invoices = [account.invoices.get(1)];
    expect(invoices).toMatchObject([{ status: outcome }]);
    if (!action.startsWith('pay')) {
      expect(commits).toEqual([{ account: 'one', mode: 'merge', changes: { invoices } }]);
      return;
    }
    const payments = [account.payments.rows.at(-1)];
    const newDeliveries = account.deliveries.rows.slice(deliveryCount);
    expect(commits).toEqual([
      { account: 'one', mode: 'merge', changes: { invoices, payments, deliveries: newDeliveries } },
    ]);
    expect(newDeliveries).toMatchObject([
      { event: 'payment.succeeded', subject: { resource: 'payment', id: payments[0]?.id }, url: null },
    ]);
  });

  it.each(['draft', 'paid', 'cancelled'] as const)(
    'that is %s cannot be paid, whatever the outcome',
    async (status) => {
      const testWorld = await openWorldWithInvoice(status);
      for (const outcome of ['paid', 'failed', 'pending'] as const) {
        expectRefused(
          testWorld,
          () => createInvoicePayment(testWorld.account, 1, { outcome }),
          'transition-not-allowed',
        );
      }
    },
  );

  describe('whose due date passes', () => {
    it.each(['pending', 'sent', 'viewed', 'partial'] as const)(
      'while it is %s becomes overdue, in a separate commit',
      async (status) => {
        const testWorld = await openWorldWithInvoice(status);
        const [clockCommit, ...commits] = committedBy(testWorld, () => actions['fall due'](testWorld.account, 1));
        const invoice = testWorld.account.invoices.get(1);
        expect(invoice).toMatchObject({ status: 'overdue', past_due: true });
        expect(invoice?.history.at(-1)).toEqual({
          at: '2026-04-29T00:00:00.000Z',
          cause: 'fall-due',
          from: status,
          to: 'overdue',
        });
        expect(Object.keys(clockCommit?.changes ?? {})).toEqual(['account']);
        expect(commits).toEqual([{ account: 'one', mode: 'merge', changes: { invoices: [invoice] } }]);
      },
    );

    it.each(['draft', 'paid', 'cancelled', 'overdue'] as const)('while it is %s does not change', async (status) => {
      const testWorld = await openWorldWithInvoice(status);
      const { account: _clock, ...contentsBefore } = structuredClone(testWorld.account.contents());
      expect(testWorld.account.schedule.upcoming()).toEqual([]);
      const commits = committedBy(testWorld, () => actions['fall due'](testWorld.account, 1));
      expect(commits.flatMap(({ changes }) => Object.keys(changes))).toEqual(['account']);
      expect(testWorld.account.contents()).toMatchObject(contentsBefore);
    });

    it('keeps its status under invoice.overdue-moment: never, and can still be sent, viewed and paid', async () => {
      const { account } = await openWorldWithInvoice('pending', { 'invoice.overdue-moment': 'never' });
      actions['fall due'](account, 1);
      expect(account.invoices.get(1)).toMatchObject({ status: 'pending', past_due: true });
      actions.send(account, 1);
      actions.view(account, 1);
      actions['pay a part'](account, 1);
      expect(account.invoices.get(1)).toMatchObject({ status: 'partial', past_due: true, paid_amount: 40 });
      expect(account.invoiceTotals.overdueAmount).toBe(79.58);
    });

    it('before its creation falls due when it is created', async () => {
      const { account } = await openWorldWithDrafts();
      const items = [{ description: 'Night', quantity: 1, unit_price: 100, tax_rate: 0 }];
      const dates = { date: '2026-03-01', due_date: '2026-03-15' };
      const { id } = createInvoice(account, { customer_id: 1, ...dates, items });
      account.schedule.runDueItems();
      const history = [{ at: startTime, cause: 'fall-due', from: 'pending', to: 'overdue' }];
      expect(account.invoices.get(id)).toMatchObject({ created_at: startTime, status: 'overdue', history });
    });

    it('after the latest time that a clock can show is not on the agenda', async () => {
      const { account } = await openWorldWithDrafts();
      const items = [{ description: 'Night', quantity: 1, unit_price: 100, tax_rate: 0 }];
      const dates = { date: '2026-03-01', due_date: '9999-12-31' };
      createInvoice(account, { customer_id: 1, ...dates, items });
      expect(account.schedule.upcoming()).toEqual([]);
    });

    it('while it is a draft falls due when it is finalized', async () => {
      const { account } = await openWorldWithInvoice('draft');
      const finalizedAt = '2026-05-01T12:00:00.000Z';
      account.schedule.freezeAt(Date.parse(finalizedAt));
      actions.finalize(account, 1);
      expect(account.schedule.upcoming()).toMatchObject([
        { at: Date.parse(finalizedAt), kind: 'invoice-falls-due', id: 1 },
      ]);
      account.schedule.runDueItems();
      expect(account.invoices.get(1)?.history).toEqual([
        { at: finalizedAt, cause: 'finalize', from: 'draft', to: 'pending' },
        { at: finalizedAt, cause: 'fall-due', from: 'pending', to: 'overdue' },
      ]);
    });
  });

  it.each(keysOf(actions).filter((action) => action !== 'fall due'))(
    'that does not exist: %s → invoice-unknown',
    async (action) => {
      const testWorld = await openWorldWithDrafts();
      expectRefused(testWorld, () => actions[action](testWorld.account, 99), 'invoice-unknown');
    },
  );
});

describe('a link payment', () => {
  /** Returns the id of a payment with this status: the open payment of the seed, or a new payment. */
  function paymentWithStatus(status: PaymentStatus, account: Account): number {
    return status === 'open' ? 1 : createLinkPayment(account, 1, { outcome: status }).id;
  }

  it.each([
    ['open', 'succeed', 'paid'],
    ['pending', 'succeed', 'paid'],
    ['open', 'fail', 'failed'],
    ['pending', 'fail', 'failed'],
  ] as const)('that is %s: the cause %s changes it to %s', async (status, cause, to) => {
    const testWorld = await openWorldWithDrafts();
    const { account } = testWorld;
    const id = paymentWithStatus(status, account);
    const deliveryCount = account.deliveries.size;
    const commits = committedBy(testWorld, () => endPayment(account, id, cause));
    const payments = [account.payments.get(id)];
    expect(payments).toMatchObject([{ status: to, paid_at: to === 'paid' ? startTime : null }]);
    const newDeliveries = account.deliveries.rows.slice(deliveryCount);
    const link = account.paymentLinks.get(1);
    expect(commits).toEqual([
      {
        account: 'one',
        mode: 'merge',
        changes: to === 'paid' ? { payments, payment_links: [link], deliveries: newDeliveries } : { payments },
      },
    ]);
    expect(newDeliveries.map(({ event }) => event)).toEqual(to === 'paid' ? ['payment.succeeded'] : []);
    expect(link).toMatchObject(
      to === 'paid' ? { payments_count: 1, revenue: 49.9 } : { payments_count: 0, revenue: 0 },
    );
  });

  it.each([
    ['paid', 'succeed'],
    ['paid', 'fail'],
    ['failed', 'succeed'],
    ['failed', 'fail'],
  ] as const)('that is %s: the cause %s is refused', async (status, cause) => {
    const testWorld = await openWorldWithDrafts();
    const id = paymentWithStatus(status, testWorld.account);
    expectRefused(testWorld, () => endPayment(testWorld.account, id, cause), 'transition-not-allowed');
  });

  it.each(['succeed', 'fail'] as const)('that does not exist: the cause %s is refused', async (cause) => {
    const testWorld = await openWorldWithDrafts();
    expectRefused(testWorld, () => endPayment(testWorld.account, 99, cause), 'payment-unknown');
  });

  it.each([
    ['paid', ['succeed'], 'paid'],
    ['failed', ['fail'], 'failed'],
    ['pending', ['start'], 'pending'],
  ] as const)(
    'with the outcome %s is stored with its whole history, in one commit',
    async (outcome, causes, status) => {
      const testWorld = await openWorldWithDrafts();
      const { account } = testWorld;
      const commits = committedBy(testWorld, () => createLinkPayment(account, 1, { outcome, method: 'ideal' }));
      const payment = account.payments.rows.at(-1);
      expect(commits).toHaveLength(1);
      expect(commits[0]?.changes).toMatchObject({ payments: [payment], customers: [{ email: 'guest@example.com' }] });
      expect(payment).toMatchObject({
        status,
        amount: 49.9,
        currency: 'EUR',
        description: 'Consulting',
        payment_link_id: 1,
        invoice_id: null,
        payment_method: 'ideal',
      });
      expect(payment?.history.map(({ cause }) => cause)).toEqual(causes);
      expect(account.deliveries.rows.map(({ event }) => event)).toEqual(
        outcome === 'paid' ? ['payment.succeeded'] : [],
      );
    },
  );

  it('belongs to a guest customer, who is created only once', async () => {
    const { account } = await openWorldWithDrafts();
    const customerCount = account.customers.size;
    const ids = [createLinkPayment(account, 1, {}), createLinkPayment(account, 1, {})].map(
      ({ customer }) => customer.id,
    );
    expect(ids).toEqual([customerCount + 1, customerCount + 1]);
    expect(account.customers.size).toBe(customerCount + 1);
  });

  it('by a method that payment.methods does not list is refused', async () => {
    const testWorld = await openWorldWithDrafts({ 'payment.methods': { only: ['cash'] } });
    expectRefused(testWorld, () => createLinkPayment(testWorld.account, 1, { method: 'card' }), 'invalid');
    expect(createLinkPayment(testWorld.account, 1, {}).payment_method).toBe('cash');
  });

  it('is refused if the link does not exist or is no longer active', async () => {
    const testWorld = await openWorldWithDrafts();
    const { account } = testWorld;
    const link = account.paymentLinks.get(1);
    if (link) account.transaction((tx) => tx.put({ payment_links: [{ ...link, is_active: false }] }));
    for (const outcome of ['paid', 'failed', 'pending'] as const) {
      expectRefused(testWorld, () => createLinkPayment(account, 1, { outcome }), 'payment-link-inactive');
      expectRefused(testWorld, () => createLinkPayment(account, 99, { outcome }), 'payment-link-unknown');
    }
  });
});

describe('a payment link', () => {
  async function openLink(choice: string) {
    const world = await emptyWorld();
    const account = openAccount(world, 'one', { 'link.deactivation': choice });
    const { id } = createPaymentLink(account, { description: 'Night', amount: 33.33, currency: 'EUR' }, world.accounts);
    return { account, id, link: () => account.paymentLinks.get(id) };
  }

  it('stays active and can be paid any number of times under link.deactivation: never', async () => {
    const { account, id, link } = await openLink('never');
    for (let count = 1; count <= 3; count++) {
      createLinkPayment(account, id, {});
      expect(link()).toMatchObject({ payments_count: count, is_active: true });
    }
    expect(link()?.revenue).toBe(99.99);
  });

  it('is deactivated by its first successful payment under link.deactivation: after-payment', async () => {
    const { account, id, link } = await openLink('after-payment');
    createLinkPayment(account, id, { outcome: 'failed' });
    const pending = createLinkPayment(account, id, { outcome: 'pending' });
    expect(link()).toMatchObject({ payments_count: 0, revenue: 0, is_active: true });
    createLinkPayment(account, id, {});
    expect(link()).toMatchObject({ payments_count: 1, revenue: 33.33, is_active: false });
    expect(serviceErrorOf(() => createLinkPayment(account, id, {}))?.code).toBe('payment-link-inactive');
    // A payment that was already in progress still succeeds.
    endPayment(account, pending.id, 'succeed');
    expect(link()).toMatchObject({ payments_count: 2, revenue: 66.66, is_active: false });
  });
});

describe('an invoice payment', () => {
  async function openInvoice(choices: Choices = {}) {
    const testWorld = await openWorldWithDrafts(choices);
    changeInvoice(testWorld.account, 1, 'finalize');
    return { ...testWorld, testWorld, invoice: () => testWorld.account.invoices.get(1) };
  }

  it('belongs to the customer of the invoice, and is listed in its transactions', async () => {
    const { account, invoice } = await openInvoice();
    const payment = createInvoicePayment(account, 1, { amount: 40, method: 'sepa_debit' });
    expect(payment).toMatchObject({
      status: 'paid',
      amount: 40,
      description: 'Invoice INV-1',
      payment_link_id: null,
      invoice_id: 1,
      payment_method: 'sepa_debit',
      customer: { id: 1, name: 'Customer 1', email: 'customer1@inn.example' },
    });
    expect(invoice()).toMatchObject({ status: 'partial', paid_amount: 40 });
    createInvoicePayment(account, 1, {});
    expect(invoice()).toMatchObject({ status: 'paid', paid_amount: 119.58 });
    const transactions = account.paymentsOfInvoice.all(1).map(({ amount, status }) => [amount, status]);
    expect(transactions).toEqual([
      [40, 'paid'],
      [79.58, 'paid'],
    ]);
    expect(account.invoiceTotals).toMatchObject({ paid: 1, outstanding: 0 });
  });

  it('keeps its place among the transactions when it ends', async () => {
    const { account } = await openInvoice();
    const pending = createInvoicePayment(account, 1, { amount: 40, outcome: 'pending' });
    createInvoicePayment(account, 1, { amount: 20 });
    createInvoicePayment(account, 1, { amount: 10 });
    endPayment(account, pending.id, 'succeed');
    expect(account.paymentsOfInvoice.all(1).map(({ amount, status }) => [amount, status])).toEqual([
      [40, 'paid'],
      [20, 'paid'],
      [10, 'paid'],
    ]);
  });

  it.each([0, -500, Number.NaN])('of %d is refused', async (amount) => {
    const { account } = await openInvoice();
    expect(serviceErrorOf(() => createInvoicePayment(account, 1, { amount }))?.code).toBe('invalid');
    expect(account.paymentsOfInvoice.all(1)).toEqual([]);
  });

  it('is included in the statistics as soon as it succeeds', async () => {
    const { account } = await openInvoice();
    expect(account.invoiceTotals.outstanding).toBe(119.58);
    createInvoicePayment(account, 1, { amount: 0.01 });
    expect(account.invoiceTotals.outstanding).toBe(119.57);
    createInvoicePayment(account, 1, { amount: 119.56 });
    expect(account.invoiceTotals.outstanding).toBe(0.01);
    createInvoicePayment(account, 1, {});
    expect(account.invoiceTotals.outstanding).toBe(0);
  });

  it('that is pending does not change the invoice until it succeeds', async () => {
    const { account, invoice } = await openInvoice();
    const unpaid = getInvoice(account, 1);
    const payment = createInvoicePayment(account, 1, { outcome: 'pending' });
    expect(invoice()).toBe(unpaid);
    expect(account.hasPaymentInProgress(unpaid)).toBe(true);
    endPayment(account, payment.id, 'succeed');
    expect(invoice()).toMatchObject({ status: 'paid', paid_amount: 119.58 });
    expect(account.hasPaymentInProgress(unpaid)).toBe(false);
  });

  it('that fails, immediately or later, does not change the invoice', async () => {
    const { account, invoice } = await openInvoice();
    const unpaid = invoice();
    createInvoicePayment(account, 1, { outcome: 'failed' });
    endPayment(account, createInvoicePayment(account, 1, { outcome: 'pending' }).id, 'fail');
    expect(invoice()).toBe(unpaid);
    expect(account.deliveries.size).toBe(0);
    expect(createInvoicePayment(account, 1, {}).status).toBe('paid');
  });

  it('succeeds or fails only once', async () => {
    const { account, testWorld } = await openInvoice();
    const { id } = createInvoicePayment(account, 1, { amount: 40, outcome: 'pending' });
    endPayment(account, id, 'succeed');
    expectRefused(testWorld, () => endPayment(account, id, 'succeed'), 'transition-not-allowed');
    expectRefused(testWorld, () => endPayment(account, id, 'fail'), 'transition-not-allowed');
  });

  it('is refused if the invoice would be overpaid, by this payment alone or together with earlier ones', async () => {
    const { account, testWorld } = await openInvoice();
    for (const outcome of ['paid', 'failed', 'pending'] as const) {
      expectRefused(
        testWorld,
        () => createInvoicePayment(account, 1, { amount: 119.59, outcome }),
        'payment-too-large',
      );
    }
    createInvoicePayment(account, 1, { amount: 119.57 });
    expectRefused(testWorld, () => createInvoicePayment(account, 1, { amount: 0.02 }), 'payment-too-large');
    expect(serviceErrorOf(() => createInvoicePayment(account, 1, { amount: 0.02 }))?.hint).toBe('0.01 EUR is unpaid');
  });

  it('by an unknown method is refused', async () => {
    const { account, testWorld } = await openInvoice();
    expectRefused(testWorld, () => createInvoicePayment(account, 1, { method: 'gold' }), 'invalid');
  });

  it('that is pending cannot succeed once another payment has paid the invoice; it can fail', async () => {
    const { account, testWorld, invoice } = await openInvoice();
    const { id } = createInvoicePayment(account, 1, { outcome: 'pending' });
    createInvoicePayment(account, 1, {});
    expectRefused(testWorld, () => endPayment(account, id, 'succeed'), 'transition-not-allowed');
    expect(invoice()).toMatchObject({ status: 'paid', paid_amount: 119.58 });
    expect(endPayment(account, id, 'fail').status).toBe('failed');
  });

  it('that is pending cannot succeed once other payments leave too little to pay', async () => {
    const { account, testWorld, invoice } = await openInvoice();
    const { id } = createInvoicePayment(account, 1, { outcome: 'pending' });
    createInvoicePayment(account, 1, { amount: 0.01 });
    expectRefused(testWorld, () => endPayment(account, id, 'succeed'), 'payment-too-large');
    expect(invoice()).toMatchObject({ status: 'partial', paid_amount: 0.01 });
    expect(endPayment(account, id, 'fail').status).toBe('failed');
  });

  it('that is pending cannot succeed once the invoice is cancelled', async () => {
    const { account, testWorld } = await openInvoice();
    const { id } = createInvoicePayment(account, 1, { outcome: 'pending' });
    changeInvoice(account, 1, 'cancel');
    expectRefused(testWorld, () => endPayment(account, id, 'succeed'), 'transition-not-allowed');
  });

  it.each([
    ['with-null-link', 1],
    ['none', 0],
  ])('under event.invoice-payment: %s emits %d events', async (choice, count) => {
    const { account } = await openInvoice({ 'event.invoice-payment': choice });
    createInvoicePayment(account, 1, {});
    expect(account.deliveries.rows.map(({ body }) => payloadOf(body))).toMatchObject(
      Array.from({ length: count }, () => ({ data: { payment_link_id: null, description: 'Invoice INV-1' } })),
    );
  });
});

describe('a transition that cannot be stored', () => {
  it('has no effect and emits no event', async () => {
    const store = new ScriptedStore();
    const account = openAccount(await emptyWorld(store), 'one', {}, seedWithDrafts);
    const id = addDeposit(account);
    changeInvoice(account, 1, 'finalize');
    const contentsBefore = structuredClone(account.contents());
    const agendaBefore = account.schedule.upcoming();
    await account.whenStored();
    store.rejectsCommits = true;
    authorizeDeposit(account, id);
    captureDeposit(account, id, { amount: 50 });
    createInvoicePayment(account, 1, { amount: 40 });
    createLinkPayment(account, 1, {});
    await expect(account.whenStored()).rejects.toThrow('not-stored');
    expect(account.contents()).toEqual(contentsBefore);
    expect(account.schedule.upcoming()).toEqual(agendaBefore);
  });
});

describe('a change whose event cannot be created', () => {
  it('has no effect', async () => {
    const { presentation } = isolatedPorts();
    const brokenPresentation = {
      ...presentation,
      deposit: () => {
        throw new Error('cannot be rendered');
      },
    };
    const account = openAccount(
      await emptyWorld(createMemoryStore(), { presentation: brokenPresentation }),
      'one',
      {},
      seedWithDrafts,
    );
    expect(() => addDeposit(account)).toThrow('cannot be rendered');
    expect(account.deposits.size).toBe(0);
  });
});

/** Events have a dot in their names, such as `deposit.created`; error codes have none. */
function isEvent(outcome: EventName | ErrorCode): outcome is EventName {
  return outcome.includes('.');
}

function payloadOf(body: string | undefined): unknown {
  return JSON.parse(body ?? 'null');
}

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(record).filter((key): key is Key => Object.hasOwn(record, key));
}
