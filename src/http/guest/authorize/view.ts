import { html } from '@remix-run/html-template';
import type { Deposit } from '../../../domain/records.js';
import { type HoldOutcome, holdCards } from '../../../domain/test-cards.js';
import { moneyIn } from '../../../text/format-money.js';
import { type Notice, noticeOf } from '../../dashboard/components/dashboard.js';
import { facts } from '../../dashboard/components/facts.js';
import { guestPage } from '../../dashboard/components/layout.js';
import { longMoment } from '../../dashboard/components/moment.js';
import { cardForm, type Mistyped } from '../components/card-form.js';
import { bookingOf } from '../components/hold.js';

export interface AuthorizeView {
  /** The payee. */
  readonly account: string;
  /** The URL of the page, without the host. */
  readonly path: string;
  readonly deposit: Deposit;
  /** The expiry of a hold that begins now. ISO 8601. */
  readonly expiry: string;
  /** The deadline for the authorization, ISO 8601; undefined if there is none. */
  readonly deadline: string | undefined;
  readonly mistyped?: Mistyped | undefined;
  readonly notice?: Notice | undefined;
}

const texts: Readonly<Record<HoldOutcome, string>> = {
  authorized: 'Authorized at once',
  declined: 'Declined',
  authentication: 'The bank asks for approval',
};

const offered = holdCards.map(({ number, outcome }) => ({ number, text: texts[outcome] }));

/** The page on which a guest authorizes a deposit. */
export function authorizePage({ account, path, deposit, expiry, deadline, mistyped, notice }: AuthorizeView): string {
  const amount = moneyIn(deposit.currency)(deposit.amount);
  return guestPage(
    `Authorize ${amount}`,
    html`${notice ? noticeOf(notice) : ''}
<p>The security deposit will be held on your card. Nothing is charged.</p>
${facts([
  ['For', account],
  ...bookingOf(deposit),
  ['Held until', longMoment(expiry)],
  ['Authorize before', deadline === undefined ? null : longMoment(deadline)],
])}
<h2>Card</h2>
${cardForm({ action: path, button: `Authorize ${amount}`, cards: offered, mistyped })}`,
  );
}
