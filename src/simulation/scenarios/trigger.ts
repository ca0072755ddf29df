import { decimalPlacesOf, maximumAmount, roundDown } from '../../domain/money.js';
import type { Deposit, DepositEventName, EventName, Subject } from '../../domain/records.js';
import { ServiceError } from '../../domain/service-error.js';
import type { Account } from '../account.js';
import type { Accounts } from '../accounts.js';
import {
  authorizeDeposit,
  captureDeposit,
  captureShare,
  createDeposit,
  declineDeposit,
  expireDeposit,
  getDeposit,
  releaseDeposit,
  requireDivisible,
} from '../operations/deposits.js';
import { createPaymentLink } from '../operations/payment-links.js';
import { createLinkPayment } from '../operations/payments.js';

/** Event to trigger, and the record that it is about; by default a new record. */
export interface TriggerInput {
  readonly event: EventName;
  readonly deposit?: number | string | undefined;
  readonly payment_link?: number | undefined;
}

/** For each event of deposits, a function that applies the transition that emits it. */
const applyTransition: Record<DepositEventName, (account: Account, id: number | string) => void> = {
  // Nothing to do: `createDeposit` has already emitted it.
  'deposit.created': () => undefined,
  'deposit.authorized': authorizeDeposit,
  'deposit.partially_captured': (account, id) => {
    authorizeIfPending(account, id);
    captureShare(account, id, 1 / 4, { description: 'Triggered' });
  },
  'deposit.captured': (account, id) => {
    authorizeIfPending(account, id);
    captureDeposit(account, id, { description: 'Triggered' });
  },
  'deposit.released': (account, id) => {
    authorizeIfPending(account, id);
    const deposit = getDeposit(account, id);
    // A repeated release, which the profile may accept, changes nothing.
    if (releaseDeposit(account, id) !== deposit) return;
    throw new ServiceError('transition-not-allowed', {
      hint: 'the deposit was released before, and a repeated release sends no event',
    });
  },
  'deposit.expired': (account, id) => {
    authorizeIfPending(account, id);
    expireDeposit(account, id);
  },
  'deposit.failed': declineDeposit,
};

/**
 * Triggers an event by applying the transition that emits it to the given record, or to a new one.
 * @throws ServiceError deposit-not-found, payment-link-not-found, payment-link-inactive, deposit-not-capturable,
 *   deposit-not-releasable; transition-not-allowed, if the lifecycle or the profile does not allow the transition
 */
export function trigger(account: Account, accounts: Accounts, input: TriggerInput): Subject {
  if (input.event === 'payment.succeeded') {
    const link =
      input.payment_link ??
      createPaymentLink(
        account,
        { description: 'Triggered payment', amount: Math.min(49.9, largestAmount(account, 'EUR')), currency: 'EUR' },
        accounts,
      ).id;
    return { resource: 'payment', id: createLinkPayment(account, link, {}).id };
  }
  // An unknown deposit is reported before an event that the lifecycle or the profile does not allow.
  const deposit = input.deposit === undefined ? undefined : getDeposit(account, input.deposit);
  if (deposit) requireEmitted(account, deposit, input.event);
  if (input.event === 'deposit.failed' && account.profile['deposit.decline'] === 'pending') {
    throw new ServiceError('transition-not-allowed', {
      hint: 'in this account, a declined card leaves a deposit pending (gap deposit.decline)',
    });
  }
  if (input.event === 'deposit.partially_captured') requirePartialCapture(account, deposit);
  const id = input.deposit ?? addDeposit(account);
  applyTransition[input.event](account, id);
  return { resource: 'deposit', id };
}

/** Returns the maximum amount (gap amount.maximum), rounded down to the decimal places of the currency. */
function largestAmount({ profile }: Account, currency: string): number {
  return roundDown(maximumAmount(profile), decimalPlacesOf(currency, profile));
}

/**
 * Checks that the transition can emit the event for an existing deposit.
 * @throws ServiceError transition-not-allowed
 */
function requireEmitted({ profile }: Account, { status }: Deposit, event: EventName): void {
  if (event === 'deposit.created') {
    throw new ServiceError('transition-not-allowed', {
      hint: 'deposit.created is sent only for a new deposit; leave out the deposit to create one',
    });
  }
  if (
    event === 'deposit.expired' &&
    status === 'partially_captured' &&
    profile['deposit.expire-partial'] === 'captured'
  ) {
    throw new ServiceError('transition-not-allowed', {
      hint: 'in this account, a partially captured deposit ends as captured, with the event deposit.captured (gap deposit.expire-partial)',
    });
  }
}

/**
 * Checks that a part of a deposit can be captured once it is authorized. Called before the authorization: if
 * the capture were refused afterwards, the deposit would remain authorized.
 * @param deposit undefined for a new deposit
 * @throws ServiceError transition-not-allowed
 */
function requirePartialCapture(account: Account, deposit: Deposit | undefined): void {
  const { amount, currency } = deposit ?? newHold(account);
  if (deposit === undefined || deposit.status === 'pending') requireDivisible(account, amount, currency);
}

/** Returns the amount and the currency of a new deposit. */
function newHold(account: Account): { amount: number; currency: string } {
  const { currency } = account.record;
  return { amount: Math.min(200, largestAmount(account, currency)), currency };
}

/** Creates a deposit and returns its id. */
function addDeposit(account: Account): number | string {
  const { id } = createDeposit(account, {
    booking_reference: `TRIGGER-${account.deposits.nextId()}`,
    ...newHold(account),
    customer: { name: 'Guest', email: 'guest@example.com' },
    check_in_date: null,
    check_out_date: null,
    metadata: {},
  });
  return id;
}

/** Authorizes a deposit if it is still pending. */
function authorizeIfPending(account: Account, id: number | string): void {
  if (getDeposit(account, id).status === 'pending') authorizeDeposit(account, id);
}
