import { html, type SafeHtml } from '@remix-run/html-template';
import type { Deposit, DepositStatus } from '../../../domain/records.js';
import { moneyIn } from '../../../text/format-money.js';
import { type Notice, noticeBlock } from '../../dashboard/components/dashboard-page.js';
import { facts } from '../../dashboard/components/facts.js';
import { centeredPage } from '../../dashboard/components/layout.js';
import { day, localizedTime } from '../../dashboard/components/timestamp.js';
import type { GuestTexts } from '../texts/guest-texts.js';
import { merchantName } from './merchant-name.js';

/** The rows of `facts` that describe the booking of a deposit. */
export function bookingFacts(deposit: Deposit, texts: GuestTexts): (readonly [string, SafeHtml | string | null])[] {
  const { booking_reference: booking, customer, check_in_date: from, check_out_date: to } = deposit;
  return [
    [texts.booking, booking],
    [texts.guest, customer?.name ?? null],
    [texts.checkIn, from === null ? null : day(from, texts.dateLocale)],
    [texts.checkOut, to === null ? null : day(to, texts.dateLocale)],
  ];
}

/** A deposit that is no longer pending. */
export interface NonPendingDeposit extends Deposit {
  readonly status: Exclude<DepositStatus, 'pending'>;
}

/** The page of a deposit that is no longer pending. */
export function holdPage(
  account: string,
  deposit: NonPendingDeposit,
  texts: GuestTexts,
  notice: Notice | undefined,
): string {
  const { status, captured_amount: captured, expires_at: until } = deposit;
  const money = moneyIn(deposit.currency, texts.lang);
  const isHeld = status === 'authorized' || status === 'partially_captured';
  const [title, text] = holdText(deposit, texts, money);
  return centeredPage(
    title,
    html`${notice ? noticeBlock(notice) : ''}<p>${text}</p>
${facts([
  [texts.depositFor, merchantName(account)],
  ...bookingFacts(deposit, texts),
  [texts.amount, money(deposit.amount)],
  [texts.charged, captured === 0 ? null : money(captured)],
  [texts.heldUntil, isHeld && until !== null ? localizedTime(until, texts.dateLocale) : null],
])}`,
    texts,
  );
}

function holdText(
  deposit: NonPendingDeposit,
  { hold }: GuestTexts,
  money: (amount: number) => string,
): readonly [title: string, text: string] {
  const { captured_amount: captured } = deposit;
  const charged = captured === 0 ? hold.nothingCharged : hold.finalCharge(money(captured));
  switch (deposit.status) {
    case 'authorized':
      return hold.authorized(money(deposit.amount));
    case 'partially_captured':
      return hold.partiallyCaptured(money(captured));
    case 'captured':
      return hold.captured(money(captured));
    case 'released':
      return [hold.released, charged];
    case 'expired':
      return deposit.authorized_at === null ? hold.linkExpired : [hold.expired, charged];
    case 'failed':
      return hold.failed;
  }
}
