import { html } from '@remix-run/html-template';
import type { Deposit } from '../../../domain/records.js';
import { holdCards } from '../../../domain/test-cards.js';
import { moneyIn } from '../../../text/format-money.js';
import { type Notice, noticeBlock } from '../../dashboard/components/dashboard.js';
import { facts } from '../../dashboard/components/facts.js';
import { centeredPage } from '../../dashboard/components/layout.js';
import { localizedTime } from '../../dashboard/components/timestamp.js';
import { type CardFormState, cardForm } from '../components/card-form.js';
import { bookingOf } from '../components/hold.js';
import { merchantName } from '../components/merchant-name.js';
import type { GuestTexts } from '../texts/guest-texts.js';

export interface AuthorizeView {
  readonly texts: GuestTexts;
  /** The id of the account. */
  readonly account: string;
  /** The URL of the page, without the host. */
  readonly path: string;
  readonly deposit: Deposit;
  /** The expiry of a hold that begins now, ISO 8601. */
  readonly holdExpiry: string;
  /** The expiry of the link, ISO 8601; undefined if it does not expire. */
  readonly linkExpiry: string | undefined;
  readonly state: CardFormState;
  readonly notice?: Notice | undefined;
}

/** The page on which a guest authorizes a deposit. */
export function authorizePage({
  account,
  path,
  deposit,
  holdExpiry,
  linkExpiry,
  state,
  notice,
  texts,
}: AuthorizeView): string {
  const cards = holdCards.map((card) => ({ ...card, text: texts.holdOutcomes[card.outcome] }));
  const amount = moneyIn(deposit.currency, texts.lang)(deposit.amount);
  return centeredPage(
    texts.authorize(amount),
    html`${notice ? noticeBlock(notice) : ''}
<p>${texts.holdExplanation}</p>
${facts([
  [texts.for, merchantName(account)],
  ...bookingOf(deposit, texts),
  [texts.heldUntil, localizedTime(holdExpiry, texts.dateLocale)],
  [texts.authorizeBefore, linkExpiry === undefined ? null : localizedTime(linkExpiry, texts.dateLocale)],
])}
<h2>${texts.card}</h2>
${cardForm({ texts, path, action: path, button: texts.authorize(amount), cards, state })}`,
    texts,
  );
}
