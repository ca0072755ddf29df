import { describe, expect, it } from 'vitest';
import type { PaymentStatus } from '../../src/domain/records.js';
import type { Choices } from '../../src/index.js';
import type { Account } from '../../src/simulation/account.js';
import { changeInvoice, getInvoice } from '../../src/simulation/operations/invoices.js';
import { createPaymentLink } from '../../src/simulation/operations/payment-links.js';
import { createInvoicePayment, createLinkPayment, endPayment } from '../../src/simulation/operations/payments.js';
import { serviceErrorOf } from '../domain/samples.js';
import { committedBy, expectRefused, openWorldWithDrafts, payloadOf } from './lifecycle-world.js';
import { emptyWorld, openAccount, startTime } from './world.js';

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
    expectRefused(testWorld, () => endPayment(testWorld.account, 99, cause), 'payment-not-found');
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

  it('is refused for an unknown link and for an inactive one', async () => {
    const testWorld = await openWorldWithDrafts();
    const { account } = testWorld;
    const link = account.paymentLinks.get(1);
    if (link) account.transaction((tx) => tx.put({ payment_links: [{ ...link, is_active: false }] }));
    for (const outcome of ['paid', 'failed', 'pending'] as const) {
      expectRefused(testWorld, () => createLinkPayment(account, 1, { outcome }), 'payment-link-inactive');
      expectRefused(testWorld, () => createLinkPayment(account, 99, { outcome }), 'payment-link-not-found');
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
