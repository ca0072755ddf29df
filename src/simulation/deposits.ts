import { instant } from '../domain/dates.js';
import { capture, release } from '../domain/deposit-lifecycle.js';
import { round } from '../domain/money.js';
import type { Deposit, DepositStatus } from '../domain/records.js';
import { Refusal } from '../domain/refusal.js';
import type { components } from '../generated/validated-types.js';
import type { Account } from './account.js';
import type { Listed } from './invoices.js';
import type { Page } from './table.js';

export type NewDeposit = components['schemas']['NewDeposit'];
export type Capture = components['schemas']['Capture'];

type ChosenFields = Pick<
  Deposit,
  'booking_reference' | 'amount' | 'currency' | 'customer' | 'check_in_date' | 'check_out_date' | 'metadata'
>;

/** What the client decides of a deposit. Fields that the specification does not name are dropped. */
export function chosenFields(account: Account, input: NewDeposit): ChosenFields {
  const { customer } = input;
  return {
    booking_reference: input.booking_reference ?? null,
    amount: round(input.amount),
    currency: input.currency ?? account.record.currency,
    customer: customer ? { name: customer.name ?? null, email: customer.email ?? null } : null,
    check_in_date: input.check_in_date ?? null,
    check_out_date: input.check_out_date ?? null,
    metadata: input.metadata ?? {},
  };
}

/** The deposit as it will be; `idempotency.ts` stores it together with the answer to its key. */
export function createDeposit(account: Account, chosen: ChosenFields): Deposit {
  return {
    id: depositId(account, account.deposits.nextId()),
    ...chosen,
    status: 'pending',
    captured_amount: 0,
    captures: [],
    authorized_at: null,
    expires_at: null,
    released_at: null,
    created_at: instant(account.now()),
  };
}

export interface DepositFilter {
  readonly booking_reference?: string | undefined;
  readonly status?: DepositStatus | undefined;
}

export function listDeposits(account: Account, page: Page, filter: DepositFilter): Listed<Deposit> {
  const { booking_reference: booking, status } = filter;
  if (booking === undefined && status === undefined) return account.deposits.page(page);
  if (booking !== undefined && !account.depositsOfBooking.has(booking)) return { rows: [], total: 0 };
  return account.deposits.page(
    page,
    (deposit) =>
      (booking === undefined || deposit.booking_reference === booking) &&
      (status === undefined || deposit.status === status),
  );
}

/** @throws Refusal deposit-unknown */
export function getDeposit(account: Account, id: number | string): Deposit {
  const deposit = account.deposits.get(id);
  if (!deposit) throw new Refusal('deposit-unknown');
  return deposit;
}

/** @throws Refusal deposit-unknown, deposit-not-capturable, capture-too-large */
export function captureDeposit(account: Account, id: number | string, input: Capture): Deposit {
  const captured = capture(getDeposit(account, id), input, account.profile, account.now());
  account.commit({ deposits: [captured] });
  return captured;
}

/** @throws Refusal deposit-unknown, deposit-not-releasable */
export function releaseDeposit(account: Account, id: number | string): Deposit {
  const deposit = getDeposit(account, id);
  const released = release(deposit, account.profile, account.now());
  if (released !== deposit) account.commit({ deposits: [released] });
  return released;
}

/** The id of the account's nth deposit (gap deposit.id). */
export function depositId(account: Account, number: number): number | string {
  const form = account.profile['deposit.id'];
  if (form === 'integer') return number;
  const digits = account.chance(`deposit ${number}`);
  if (form === 'prefixed') return `dep_${digits.slice(0, 24)}`;
  // A UUID of version 4: its version and variant digits are fixed.
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
