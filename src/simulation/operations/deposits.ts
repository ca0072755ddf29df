import { formatInstant } from '../../domain/dates.js';
import {
  authorize,
  capture,
  type DepositChange,
  decline,
  expire,
  release,
  remainingAmount,
} from '../../domain/deposit-lifecycle.js';
import { foldText } from '../../domain/fold-text.js';
import { acceptedAmount, decimalPlacesOf, minus, shareOf } from '../../domain/money.js';
import type { Deposit, DepositStatus } from '../../domain/records.js';
import { invalidField, requireFound, ServiceError } from '../../domain/service-error.js';
import type { components } from '../../generated/validated-types.js';
import { integerOrText } from '../../lib/integer-or-text.js';
import { hasInfiniteNumber, hasUnstorableText, isDeeperThan } from '../../lib/json.js';
import type { Profile } from '../../openapi/profile.js';
import type { AccountState } from '../state/account-state.js';
import { type ListPage, type PageQuery, pageOfRows } from '../state/table.js';
import type { WritableAccount } from '../transaction.js';

export type NewDeposit = components['schemas']['NewDeposit'];
type CaptureInput = components['schemas']['Capture'];

type ClientFields = Pick<
  Deposit,
  'booking_reference' | 'amount' | 'currency' | 'customer' | 'check_in_date' | 'check_out_date' | 'metadata'
>;

/**
 * Maximum nesting depth of metadata, which may contain objects (gap metadata.values). Deeper metadata could overflow
 * the stack.
 */
const maxMetadataLevels = 100;

/**
 * Reads the fields of a deposit that the client sets. Drops unknown fields.
 * @throws ServiceError invalid: amount, metadata
 */
export function readDepositFields(account: AccountState, input: NewDeposit): ClientFields {
  const { customer, metadata = {} } = input;
  if (isDeeperThan(maxMetadataLevels, metadata)) {
    throw invalidField('metadata', 'custom', {
      message: `The metadata field must have at most ${maxMetadataLevels} levels.`,
    });
  }
  // The schema does not check numbers and strings in objects and arrays.
  if (hasInfiniteNumber(metadata)) {
    throw invalidField('metadata', 'custom', { message: 'The metadata field contains a number that is too large.' });
  }
  const { 'metadata.values': values, 'text.characters': characters } = account.profile;
  if (values === 'any' && characters === 'refused' && hasUnstorableText(metadata)) {
    throw invalidField('metadata', 'custom', { message: 'The metadata field contains invalid characters.' });
  }
  const defaultCurrency = account.profile['deposit.currency'] === 'account' ? account.record.currency : 'EUR';
  const currency = input.currency ?? defaultCurrency;
  return {
    booking_reference: input.booking_reference ?? null,
    amount: acceptedAmount(input.amount, currency, account.profile, 'deposit.amount-range'),
    currency,
    customer: customer ? { name: customer.name ?? null, email: customer.email ?? null } : null,
    check_in_date: input.check_in_date ?? null,
    check_out_date: input.check_out_date ?? null,
    metadata,
  };
}

/** Creates a deposit and emits `deposit.created`. */
export function createDeposit(account: WritableAccount, fields: ClientFields): Deposit {
  const deposit: Deposit = {
    id: freeDepositIds(account).next().value,
    ...fields,
    status: 'pending',
    captured_amount: 0,
    captures: [],
    authorized_at: null,
    expires_at: null,
    released_at: null,
    history: [],
    created_at: formatInstant(account.now()),
  };
  return account.transaction((tx) => {
    tx.put({ deposits: [deposit] });
    tx.emit({ event: 'deposit.created', record: deposit });
    return deposit;
  });
}

export interface DepositFilter {
  readonly booking_reference?: string | undefined;
  readonly status?: DepositStatus | undefined;
}

export function listDeposits(account: AccountState, page: PageQuery, filter: DepositFilter): ListPage<Deposit> {
  const { booking_reference: booking, status } = filter;
  const hasStatus = status === undefined ? undefined : (deposit: Deposit) => deposit.status === status;
  if (booking === undefined) return account.deposits.page(page, hasStatus);
  if (account.profile['deposit.booking-filter'] === 'exact') {
    return pageOfRows(account.depositsOfBooking.all(booking), page, hasStatus);
  }
  const part = foldText(booking);
  return account.deposits.page(page, (deposit) => {
    const { booking_reference: whole } = deposit;
    return whole !== null && foldText(whole).includes(part) && (hasStatus?.(deposit) ?? true);
  });
}

/**
 * Finds a deposit. The string `7` also finds a deposit with the numeric id 7: if the profile changes the format of ids
 * (gap deposit.id), existing deposits keep theirs.
 * @throws ServiceError deposit-not-found
 */
export function getDeposit(account: AccountState, id: number | string): Deposit {
  const deposit = account.deposits.get(id) ?? account.deposits.get(integerOrText(String(id)));
  return requireFound(deposit, 'deposit-not-found');
}

/** @throws ServiceError deposit-not-found, deposit-not-capturable, capture-too-large, invalid: amount */
export function captureDeposit(account: WritableAccount, id: number | string, input: CaptureInput): Deposit {
  return applyTransition(account, id, (deposit, profile, now) => {
    const amount =
      input.amount === undefined
        ? undefined
        : acceptedAmount(input.amount, deposit.currency, profile, 'deposit.amount-range');
    return capture(deposit, { ...input, amount }, profile, now);
  });
}

/**
 * Captures a share of the remaining amount: at least the smallest amount of the currency, and never everything.
 * @param share more than 0 and less than 1
 * @throws ServiceError deposit-not-found, deposit-not-capturable; transition-not-allowed, if too little remains
 */
export function captureShare(
  account: WritableAccount,
  id: number | string,
  share: number,
  input: Omit<CaptureInput, 'amount'>,
): Deposit {
  const deposit = getDeposit(account, id);
  const remaining = remainingAmount(deposit);
  requireDivisible(account, remaining, deposit.currency);
  const places = decimalPlacesOf(deposit.currency, account.profile);
  const smallest = 10 ** -places;
  const amount = Math.max(smallest, Math.min(shareOf(remaining, share, places), minus(remaining, smallest)));
  return captureDeposit(account, id, { ...input, amount });
}

/**
 * Checks that a part of what remains of a deposit can be captured.
 * @throws ServiceError transition-not-allowed, if only the smallest amount of the currency remains
 */
export function requireDivisible({ profile }: AccountState, remaining: number, currency: string): void {
  if (remaining <= 0 || remaining > 10 ** -decimalPlacesOf(currency, profile)) return;
  throw new ServiceError('transition-not-allowed', {
    hint: `no partial capture is possible: only ${remaining} remains, which cannot be divided`,
  });
}

/** @throws ServiceError deposit-not-found, deposit-not-releasable */
export function releaseDeposit(account: WritableAccount, id: number | string): Deposit {
  return applyTransition(account, id, release);
}

/** @throws ServiceError deposit-not-found, transition-not-allowed */
export function authorizeDeposit(account: WritableAccount, id: number | string): Deposit {
  return applyTransition(account, id, authorize);
}

/** @throws ServiceError deposit-not-found, transition-not-allowed */
export function declineDeposit(account: WritableAccount, id: number | string): Deposit {
  return applyTransition(account, id, decline);
}

/** @throws ServiceError deposit-not-found, transition-not-allowed */
export function expireDeposit(account: WritableAccount, id: number | string): Deposit {
  return applyTransition(account, id, expire);
}

/** Applies a transition of the lifecycle, and emits its event. */
function applyTransition(
  account: WritableAccount,
  id: number | string,
  transition: (deposit: Deposit, profile: Profile, now: number) => DepositChange,
): Deposit {
  return account.transaction((tx) => {
    const deposit = getDeposit(account, id);
    const { record, event } = transition(deposit, account.profile, account.now());
    // A repeated release changes nothing.
    if (record === deposit) return record;
    tx.put({ deposits: [record] });
    if (event !== undefined) tx.emit({ event, record });
    return record;
  });
}

/**
 * Yields ids for new deposits, in ascending order of their numbers. Skips ids that are taken, since a seed may have
 * used any numbers. String ids do not contain their numbers, so for those the search starts after the number of deposits.
 */
export function* freeDepositIds(account: AccountState): Generator<number | string, never> {
  const { deposits, profile } = account;
  for (let number = profile['deposit.id'] === 'integer' ? deposits.nextId() : deposits.size + 1; ; number++) {
    const id = depositId(account, number);
    if (!deposits.has(id)) yield id;
  }
}

/** Id of the account's nth deposit (gap deposit.id). */
export function depositId(account: AccountState, number: number): number | string {
  const format = account.profile['deposit.id'];
  if (format === 'integer') return number;
  const digits = account.seededHex(`deposit ${number}`);
  if (format === 'prefixed') return `dep_${digits.slice(0, 24)}`;
  // A UUID of version 4, in which the digits for version and variant are fixed.
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
