import { html, type SafeHtml } from '@remix-run/html-template';
import type { Deposit } from '../../../domain/records.js';
import { moneyIn } from '../../../text/format-money.js';
import { type Notice, noticeOf } from '../../dashboard/components/dashboard.js';
import { facts } from '../../dashboard/components/facts.js';
import { guestPage } from '../../dashboard/components/layout.js';
import { day, longMoment } from '../../dashboard/components/moment.js';

/** The booking of a deposit. */
export function bookingOf(deposit: Deposit): (readonly [string, SafeHtml | string | null])[] {
  const { booking_reference: booking, customer, check_in_date: from, check_out_date: to } = deposit;
  return [
    ['Booking', booking],
    ['Guest', customer?.name ?? null],
    ['Check-in', from === null ? null : day(from)],
    ['Check-out', to === null ? null : day(to)],
  ];
}

/** The page of a deposit that is no longer pending. */
export function holdPage(account: string, deposit: Deposit, notice: Notice | undefined): string {
  const { status, captured_amount: captured, expires_at: until } = deposit;
  const money = moneyIn(deposit.currency);
  const isHeld = status === 'authorized' || status === 'partially_captured';
  const [title, text] = holdText(deposit, money);
  return guestPage(
    title,
    html`${notice ? noticeOf(notice) : ''}<p>${text}</p>
${facts([
  ['For', account],
  ...bookingOf(deposit),
  ['Amount', money(deposit.amount)],
  ['Charged', captured === 0 ? null : money(captured)],
  ['Held until', isHeld && until !== null ? longMoment(until) : null],
])}`,
  );
}

function holdText(deposit: Deposit, money: (amount: number) => string): readonly [title: string, text: string] {
  const { captured_amount: captured } = deposit;
  const charged = captured === 0 ? 'Nothing was charged.' : `${money(captured)} was charged, and nothing more will be.`;
  switch (deposit.status) {
    case 'pending':
      return ['The deposit is not authorized yet', 'Nothing is held yet.'];
    case 'authorized':
      return [`${money(deposit.amount)} is held on your card`, 'Nothing was charged. The hold ends on its own.'];
    case 'partially_captured':
      return [`${money(captured)} was charged`, 'The rest is still held on your card.'];
    case 'captured':
      return [`${money(captured)} was charged`, 'Nothing is held on your card now.'];
    case 'released':
      return ['The deposit is released', charged];
    case 'expired':
      return deposit.authorized_at === null
        ? ['This link has expired', 'Nothing was held. Ask whoever sent it to you for a new one.']
        : ['The hold has expired', charged];
    case 'failed':
      return ['The card was declined', 'Nothing is held. Ask whoever sent you this link for a new one.'];
  }
}
