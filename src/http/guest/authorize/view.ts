import { html } from '@remix-run/html-template';
import type { Deposit } from '../../../domain/records.js';
import { type HoldCourse, holdCards } from '../../../domain/test-cards.js';
import { moneyIn } from '../../../text/format-money.js';
import { type Notice, noticeOf } from '../../dashboard/components/dashboard.js';
import { facts } from '../../dashboard/components/facts.js';
import { guestPage } from '../../dashboard/components/layout.js';
import { longMoment } from '../../dashboard/components/moment.js';
import { cardForm, type Mistyped } from '../components/card-form.js';
import { bookingOf } from '../components/hold.js';

export interface AuthorizeView {
  /** Who holds the money. */
  readonly account: string;
  /** The address of the page, without the host. */
  readonly path: string;
  readonly deposit: Deposit;
  /** Until when a hold of now would last. ISO 8601, as `open`. */
  readonly until: string;
  /** Until when there is time to authorize; undefined for any time. */
  readonly open: string | undefined;
  readonly mistyped?: Mistyped | undefined;
  readonly notice?: Notice | undefined;
}

const texts: Readonly<Record<HoldCourse, string>> = {
  authorized: 'Authorized at once',
  declined: 'Declined',
  authentication: 'The bank asks for approval',
};

const offered = holdCards.map(({ number, course }) => ({ number, text: texts[course] }));

/** What a guest sees who is asked for a deposit. */
export function authorizePage({ account, path, deposit, until, open, mistyped, notice }: AuthorizeView): string {
  const amount = moneyIn(deposit.currency)(deposit.amount);
  return guestPage(
    `Authorize ${amount}`,
    html`${notice ? noticeOf(notice) : ''}
<p>A security deposit is held on your card from now on. Nothing is charged.</p>
${facts([
  ['For', account],
  ...bookingOf(deposit),
  ['Held until', longMoment(until)],
  ['Open until', open === undefined ? null : longMoment(open)],
])}
<h2>Card</h2>
${cardForm({ action: path, button: `Authorize ${amount}`, cards: offered, mistyped })}`,
  );
}
