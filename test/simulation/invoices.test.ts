import { describe, expect, it } from 'vitest';
import type { InvoiceStatus } from '../../src/domain/records.js';
import type { ErrorCode } from '../../src/domain/service-error.js';
import type { Choices } from '../../src/index.js';
import type { Account } from '../../src/simulation/account.js';
import { changeInvoice, createInvoice } from '../../src/simulation/operations/invoices.js';
import { createInvoicePayment } from '../../src/simulation/operations/payments.js';
import { committedBy, expectRefused, keysOf, openWorldWithDrafts, type TestWorld } from './lifecycle-world.js';
import { startTime } from './world.js';

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
    'that does not exist: %s → invoice-not-found',
    async (action) => {
      const testWorld = await openWorldWithDrafts();
      expectRefused(testWorld, () => actions[action](testWorld.account, 99), 'invoice-not-found');
    },
  );
});
