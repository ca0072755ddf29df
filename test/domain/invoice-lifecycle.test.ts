import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyInvoiceCause,
  type InvoiceCause,
  invoiceCurrency,
  isUnpaid,
  markOverdue,
  outstandingAmount,
  overdueAt,
  payInvoice,
  unpaidAmount,
} from '../../src/domain/invoice-lifecycle.js';
import type { Customer, Invoice, InvoiceStatus } from '../../src/domain/records.js';
import type { ErrorCode } from '../../src/domain/service-error.js';
import { type Profile, resolveProfile } from '../../src/openapi/profile.js';
import { toCents } from './exact.js';
import { sampleInvoice, serviceErrorOf } from './samples.js';

const defaultProfile = resolveProfile({});
/** Time of the tested transitions, which is also `now`: a day and a half after the samples were created. */
const transitionTime = '2026-04-02T20:00:00.000Z';
const now = Date.parse(transitionTime);

function profileWith(choices: Partial<Profile>): Profile {
  return { ...defaultProfile, ...choices };
}

/** Changes that an allowed transition makes to a sample, besides its history. */
interface AllowedTransition {
  readonly to: InvoiceStatus;
  readonly sets?: Partial<Invoice>;
}

/** A step, and its outcome in each status. */
interface TestCase {
  readonly step: string;
  readonly cause: InvoiceCause;
  readonly choices: Partial<Profile>;
  readonly sample?: Partial<Invoice>;
  readonly apply: (invoice: Invoice, profile: Profile) => Invoice;
  /** `unchanged` means that the record is returned unchanged. */
  readonly outcomes: Readonly<Record<InvoiceStatus, AllowedTransition | ErrorCode | 'unchanged'>>;
}

/** Hint of the error for a cause that a status does not allow. */
const hints: Readonly<Record<InvoiceStatus, string>> = {
  draft: "the invoice's status is draft, which allows only finalize, cancel",
  pending: "the invoice's status is pending, which allows only send, view, pay, cancel",
  sent: "the invoice's status is sent, which allows only view, pay, cancel",
  viewed: "the invoice's status is viewed, which allows only pay, cancel",
  partial: "the invoice's status is partial, which allows only pay, cancel",
  overdue: "the invoice's status is overdue, which allows only pay, cancel",
  paid: "the invoice's status is paid, which is final",
  cancelled: "the invoice's status is cancelled, which is final",
};

const causeOf = (cause: 'finalize' | 'send' | 'view' | 'cancel') => (invoice: Invoice, profile: Profile) =>
  applyInvoiceCause(invoice, cause, profile, now);
const paymentOf = (amount: number) => (invoice: Invoice, profile: Profile) => payInvoice(invoice, amount, profile, now);
const fallDue = (invoice: Invoice, profile: Profile) => markOverdue(invoice, profile, now);

const notAllowed = 'transition-not-allowed';
const tooLarge = 'payment-too-large';
const notAllowedUnlessUnpaid = { draft: notAllowed, paid: notAllowed, cancelled: notAllowed } as const;

/** Outcome of every cause in every status, with amounts around the limits, under every choice that it may depend on. */
const table: readonly TestCase[] = [
  {
    step: 'finalize',
    cause: 'finalize',
    choices: {},
    apply: causeOf('finalize'),
    outcomes: {
      ...notAllowedUnlessUnpaid,
      draft: { to: 'pending' },
      pending: notAllowed,
      sent: notAllowed,
      viewed: notAllowed,
      partial: notAllowed,
      overdue: notAllowed,
    },
  },
  {
    step: 'send',
    cause: 'send',
    choices: {},
    apply: causeOf('send'),
    outcomes: {
      ...notAllowedUnlessUnpaid,
      pending: { to: 'sent' },
      sent: notAllowed,
      viewed: notAllowed,
      partial: notAllowed,
      overdue: notAllowed,
    },
  },
  {
    step: 'view',
    cause: 'view',
    choices: {},
    apply: causeOf('view'),
    outcomes: {
      ...notAllowedUnlessUnpaid,
      pending: { to: 'viewed' },
      sent: { to: 'viewed' },
      viewed: notAllowed,
      partial: notAllowed,
      overdue: notAllowed,
    },
  },
  {
    step: 'cancel',
    cause: 'cancel',
    choices: {},
    apply: causeOf('cancel'),
    outcomes: {
      draft: { to: 'cancelled' },
      pending: { to: 'cancelled' },
      sent: { to: 'cancelled' },
      viewed: { to: 'cancelled' },
      partial: { to: 'cancelled' },
      overdue: { to: 'cancelled' },
      paid: notAllowed,
      cancelled: notAllowed,
    },
  },
  {
    step: 'payment of 10, a part of the amount',
    cause: 'pay',
    choices: {},
    apply: paymentOf(10),
    outcomes: {
      ...notAllowedUnlessUnpaid,
      pending: { to: 'partial', sets: { paid_amount: 10 } },
      sent: { to: 'partial', sets: { paid_amount: 10 } },
      viewed: { to: 'partial', sets: { paid_amount: 10 } },
      partial: { to: 'partial', sets: { paid_amount: 50 } },
      overdue: { to: 'overdue', sets: { paid_amount: 10 } },
    },
  },
  {
    step: 'payment of 79.58, the unpaid amount of a partially paid invoice',
    cause: 'pay',
    choices: {},
    apply: paymentOf(79.58),
    outcomes: {
      ...notAllowedUnlessUnpaid,
      pending: { to: 'partial', sets: { paid_amount: 79.58 } },
      sent: { to: 'partial', sets: { paid_amount: 79.58 } },
      viewed: { to: 'partial', sets: { paid_amount: 79.58 } },
      partial: { to: 'paid', sets: { paid_amount: 119.58 } },
      overdue: { to: 'overdue', sets: { paid_amount: 79.58 } },
    },
  },
  {
    step: 'payment of 119.58, the whole amount',
    cause: 'pay',
    choices: {},
    apply: paymentOf(119.58),
    outcomes: {
      ...notAllowedUnlessUnpaid,
      pending: { to: 'paid', sets: { paid_amount: 119.58 } },
      sent: { to: 'paid', sets: { paid_amount: 119.58 } },
      viewed: { to: 'paid', sets: { paid_amount: 119.58 } },
      partial: tooLarge,
      overdue: { to: 'paid', sets: { paid_amount: 119.58 } },
    },
  },
  {
    step: 'payment of 119.59, more than the whole amount',
    cause: 'pay',
    choices: {},
    apply: paymentOf(119.59),
    outcomes: {
      ...notAllowedUnlessUnpaid,
      pending: tooLarge,
      sent: tooLarge,
      viewed: tooLarge,
      partial: tooLarge,
      overdue: tooLarge,
    },
  },
  ...(['utc-day', 'account-day'] as const).map(
    (moment): TestCase => ({
      step: 'falling due',
      cause: 'fall-due',
      choices: { 'invoice.overdue-moment': moment },
      apply: fallDue,
      outcomes: {
        draft: 'unchanged',
        pending: { to: 'overdue', sets: { past_due: true } },
        sent: { to: 'overdue', sets: { past_due: true } },
        viewed: { to: 'overdue', sets: { past_due: true } },
        partial: { to: 'overdue', sets: { past_due: true } },
        overdue: 'unchanged',
        paid: 'unchanged',
        cancelled: 'unchanged',
      },
    }),
  ),
  {
    step: 'falling due',
    cause: 'fall-due',
    choices: { 'invoice.overdue-moment': 'never' },
    apply: fallDue,
    outcomes: {
      draft: 'unchanged',
      pending: { to: 'pending', sets: { past_due: true } },
      sent: { to: 'sent', sets: { past_due: true } },
      viewed: { to: 'viewed', sets: { past_due: true } },
      partial: { to: 'partial', sets: { past_due: true } },
      overdue: 'unchanged',
      paid: 'unchanged',
      cancelled: 'unchanged',
    },
  },
  ...(['utc-day', 'account-day', 'never'] as const).map(
    (moment): TestCase => ({
      step: 'falling due a second time',
      cause: 'fall-due',
      choices: { 'invoice.overdue-moment': moment },
      sample: { past_due: true },
      apply: fallDue,
      outcomes: {
        draft: 'unchanged',
        pending: 'unchanged',
        sent: 'unchanged',
        viewed: 'unchanged',
        partial: 'unchanged',
        overdue: 'unchanged',
        paid: 'unchanged',
        cancelled: 'unchanged',
      },
    }),
  ),
];

const statuses: readonly InvoiceStatus[] = [
  'draft',
  'pending',
  'sent',
  'viewed',
  'paid',
  'partial',
  'overdue',
  'cancelled',
];

/** Title of a test case: its step, and the choices of the profile. */
function titleOf({ step, choices }: TestCase): string {
  const names = Object.entries(choices).map(([gap, choice]) => `${gap}: ${JSON.stringify(choice)}`);
  return names.length === 0 ? step : `${step}, under ${names.join(' and ')}`;
}

/** Describes an outcome, for the title of a test. */
function describeOutcome(outcome: TestCase['outcomes'][InvoiceStatus]): string {
  if (outcome === 'unchanged') return 'changes nothing';
  return typeof outcome === 'string' ? `is refused with ${outcome}` : `makes it ${outcome.to}`;
}

describe.each(table.map((testCase) => [titleOf(testCase), testCase] as const))(
  '%s,',
  (_title, { cause, choices, sample, apply, outcomes }) => {
    const profile = profileWith(choices);

    it.each(statuses.map((status) => [status, describeOutcome(outcomes[status])] as const))(
      'of an invoice that is %s %s',
      (from) => {
        const invoice = sampleInvoice(from, sample);
        const outcome = outcomes[from];
        if (outcome === 'unchanged') {
          expect(apply(invoice, profile)).toBe(invoice);
        } else if (typeof outcome === 'string') {
          const hint = outcome === tooLarge ? `${from === 'partial' ? 79.58 : 119.58} EUR is unpaid` : hints[from];
          expect(serviceErrorOf(() => apply(invoice, profile))).toEqual({ code: outcome, hint });
        } else {
          const history = [...invoice.history, { at: transitionTime, cause, from, to: outcome.to }];
          expect(apply(invoice, profile)).toEqual({ ...invoice, ...outcome.sets, status: outcome.to, history });
        }
        expect(invoice).toEqual(sampleInvoice(from, sample));
      },
    );
  },
);

describe('an invoice', () => {
  it('that is overdue and partially paid becomes paid when the remaining amount is paid', () => {
    const partiallyPaid = payInvoice(sampleInvoice('overdue'), 100, defaultProfile, now);
    expect(payInvoice(partiallyPaid, 19.58, defaultProfile, now)).toMatchObject({
      status: 'paid',
      paid_amount: 119.58,
    });
    expect(serviceErrorOf(() => payInvoice(partiallyPaid, 19.59, defaultProfile, now))).toEqual({
      code: 'payment-too-large',
      hint: '19.58 EUR is unpaid',
    });
  });

  it('with an amount of 0 is paid by a payment of 0', () => {
    const free = sampleInvoice('pending', { amount: 0 });
    expect(payInvoice(free, unpaidAmount(free), defaultProfile, now)).toMatchObject({ status: 'paid', paid_amount: 0 });
  });

  it.each([
    ['draft', false],
    ['pending', true],
    ['sent', true],
    ['viewed', true],
    ['partial', true],
    ['overdue', true],
    ['paid', false],
    ['cancelled', false],
  ] as const)('that is %s counts as unpaid: %s', (status, expected) => {
    expect(isUnpaid(sampleInvoice(status))).toBe(expected);
  });
});

describe('the time at which an invoice falls due', () => {
  it.each([
    ['utc-day', '2026-03-29T00:00:00.000Z'],
    ['never', '2026-03-29T00:00:00.000Z'],
    ['account-day', '2026-03-28T23:00:00.000Z'],
  ])('is the start of the next day, in the time zone of invoice.overdue-moment: %s', (choice, expected) => {
    const profile = resolveProfile({ 'invoice.overdue-moment': choice });
    const invoice = sampleInvoice('pending', { created_at: '2026-03-01T08:00:00.000Z', history: [] });
    expect(new Date(overdueAt(invoice, profile, 'Europe/Paris')).toISOString()).toBe(expected);
  });

  it('is not before its creation or its last change', () => {
    const late = sampleInvoice('pending', { created_at: '2026-03-30T08:00:00.000Z', history: [] });
    expect(overdueAt(late, defaultProfile, 'UTC')).toBe(Date.parse('2026-03-30T08:00:00Z'));
    const finalized = applyInvoiceCause(sampleInvoice('draft', { history: [] }), 'finalize', defaultProfile, now);
    expect(overdueAt(finalized, defaultProfile, 'UTC')).toBe(now);
  });
});

describe('the currency of an invoice', () => {
  const customer = (currency: string | null): Customer => ({
    id: 1,
    name: 'Lise',
    email: 'lise@inn.example',
    company: null,
    phone: null,
    address: null,
    city: null,
    postal_code: null,
    country: null,
    currency,
  });

  it.each([
    ['account', 'USD', 'EUR'],
    ['account', null, 'EUR'],
    ['customer', 'USD', 'USD'],
    ['customer', null, 'EUR'],
  ])('under invoice.currency: %s, for a customer with the currency %s, is %s', (choice, customerCurrency, expected) => {
    expect(invoiceCurrency(customer(customerCurrency), 'EUR', resolveProfile({ 'invoice.currency': choice }))).toBe(
      expected,
    );
  });
});

describe('the outstanding amount of an invoice', () => {
  const cents = fc.integer({ min: 0, max: 99_999_999 });

  it('is its unpaid amount', () => {
    fc.assert(
      fc.property(cents, cents, (amount, paid) => {
        fc.pre(paid <= amount);
        const partiallyPaid = sampleInvoice('partial', { amount: amount / 100, paid_amount: paid / 100 });
        expect(toCents(outstandingAmount(partiallyPaid, defaultProfile))).toBe(BigInt(amount - paid));
        expect(toCents(unpaidAmount(partiallyPaid))).toBe(BigInt(amount - paid));
      }),
    );
  });

  it('is the whole amount under invoice.outstanding: whole-amount', () => {
    const profile = resolveProfile({ 'invoice.outstanding': 'whole-amount' });
    expect(outstandingAmount(sampleInvoice('partial'), profile)).toBe(119.58);
  });
});

describe('an invoice, after any sequence of causes,', () => {
  const cents = fc.integer({ min: 1, max: 100_000 });
  /** A cause, or a payment of an amount in cents. */
  const actionArbitrary = fc.oneof(
    fc.constantFrom('finalize', 'send', 'view', 'fall-due', 'cancel', 'pay'),
    fc.record({ pay: cents }),
  );
  const overdueMoments = fc.constantFrom('utc-day', 'account-day', 'never');

  function applyCause(
    invoice: Invoice,
    cause: InvoiceCause,
    amount: number | undefined,
    profile: Profile,
    at: number,
  ): Invoice {
    if (cause === 'pay') return payInvoice(invoice, amount ?? unpaidAmount(invoice), profile, at);
    return cause === 'fall-due' ? markOverdue(invoice, profile, at) : applyInvoiceCause(invoice, cause, profile, at);
  }

  it('is not overpaid, is `paid` if it is fully paid, and has a complete history', () => {
    const arbitraries = [
      cents,
      fc.constantFrom('draft', 'pending'),
      fc.array(actionArbitrary, { maxLength: 30 }),
      overdueMoments,
    ] as const;
    fc.assert(
      fc.property(...arbitraries, (amount, initialStatus, actions, moment) => {
        const profile = profileWith({ 'invoice.overdue-moment': moment });
        let current = sampleInvoice(initialStatus, { amount: amount / 100, history: [] });
        actions.forEach((action, index) => {
          const before = current;
          const [cause, paymentCents] =
            typeof action === 'string' ? [action, undefined] : (['pay', action.pay] as const);
          const error = serviceErrorOf(() => {
            current = applyCause(before, cause, paymentCents && paymentCents / 100, profile, now + index);
          });
          if (error) expect(current).toBe(before);
          if (before.status === 'paid' || before.status === 'cancelled') expect(current).toBe(before);
          if (cause !== 'pay') expect(current.paid_amount).toBe(before.paid_amount);

          const paidCents = toCents(current.paid_amount);
          expect(paidCents).toBeGreaterThanOrEqual(0n);
          expect(paidCents).toBeLessThanOrEqual(BigInt(amount));
          expect(current.status === 'paid').toBe(paidCents === BigInt(amount));
          expect(toCents(unpaidAmount(current))).toBe(BigInt(amount) - paidCents);
          if (current.status === 'partial') expect(paidCents).toBeGreaterThan(0n);
          if (current.status === 'overdue') {
            expect(current.past_due).toBe(true);
            expect(moment).not.toBe('never');
          }
          if (before.past_due) expect(current.past_due).toBe(true);
        });

        expect(current.history.at(-1)?.to ?? initialStatus).toBe(current.status);
        current.history.forEach(({ from }, index) => {
          expect(from).toBe(current.history[index - 1]?.to ?? initialStatus);
        });
        const times = current.history.map(({ at }) => at);
        expect(times).toEqual([...times].sort());
        expect(current.history.filter(({ cause }) => cause === 'fall-due').length).toBe(current.past_due ? 1 : 0);
      }),
    );
  });
});
