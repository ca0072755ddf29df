import { html } from '@remix-run/html-template';
import { formatInstant } from '../../domain/dates.js';
import { expiresAt, holdEnd } from '../../domain/deposit-lifecycle.js';
import type { Deposit } from '../../domain/records.js';
import { type HoldOutcome, holdCards, readCard } from '../../domain/test-cards.js';
import { integerOrText } from '../../lib/integer-or-text.js';
import type { Account } from '../../simulation/account.js';
import { authorizeDeposit, declineDeposit, getDeposit } from '../../simulation/operations/deposits.js';
import { moneyIn } from '../../text/format-money.js';
import { type Notice, noticeBlock } from '../dashboard/components/dashboard-page.js';
import { facts } from '../dashboard/components/facts.js';
import { centeredPage } from '../dashboard/components/layout.js';
import { localizedTime } from '../dashboard/components/timestamp.js';
import { htmlResponse, seeOther } from '../dashboard/routing/responses.js';
import type { ResponseData } from '../service/response.js';
import { type CardFormState, cardForm } from './components/card-form.js';
import { challengePage } from './components/challenge.js';
import { bookingFacts, holdPage, type NonPendingDeposit } from './components/hold.js';
import { merchantName } from './components/merchant-name.js';
import { type GuestPage, type GuestRequest, textNotice } from './guest-page.js';

/** The authorization page of a deposit. */
export const authorizationPage: GuestPage = {
  show(request) {
    const deposit = depositOf(request);
    const { status } = deposit;
    // The spread narrows the type of the status.
    if (status !== 'pending') return showHold(request, { ...deposit, status });
    return request.query.has('challenge')
      ? showChallenge(request, deposit)
      : showForm(request, deposit, { prefilledOutcome: request.query.get('card') ?? undefined });
  },

  submit(request, params, keepNotice) {
    const { account, path, texts } = request;
    const declinedNotice = textNotice('refused', texts.declinedCard);
    const unknownCardNotice = textNotice('refused', texts.unknownHoldCard);
    const deposit = depositOf(request);
    // The form was submitted twice or too late: the page shows the current status.
    if (deposit.status !== 'pending') return seeOther(path);
    const decline = (notice: Notice): ResponseData => {
      const { status } = declineDeposit(account, deposit.id);
      // Whether the deposit fails depends on the profile. The page of a failed deposit already says that the card was
      // declined, but not that it is unknown.
      const needsNotice = status === 'pending' || notice === unknownCardNotice;
      return seeOther(needsNotice ? `${path}?notice=${keepNotice(notice)}` : path);
    };
    const answer = params.get('answer');
    if (answer !== null) return answer === 'approve' ? authorize(account, deposit, path) : decline(declinedNotice);

    const number = params.get('number') ?? '';
    const result = readCard(number, holdCards);
    if (result.kind === 'not-a-card') return showForm(request, deposit, { invalidReason: result.reason });
    if (result.kind === 'other-card') return decline(unknownCardNotice);
    const responses: Record<HoldOutcome, () => ResponseData> = {
      authorized: () => authorize(account, deposit, path),
      declined: () => decline(declinedNotice),
      authentication: () => seeOther(`${path}?challenge`),
    };
    return responses[result.card.outcome]();
  },
};

/** @throws ServiceError deposit-not-found */
function depositOf({ account, slugOrId }: GuestRequest): Deposit {
  return getDeposit(account, integerOrText(slugOrId));
}

function authorize(account: Account, { id }: Deposit, path: string): ResponseData {
  authorizeDeposit(account, id);
  return seeOther(path);
}

/** The page on which a guest authorizes a deposit. */
function showForm(
  { account, path, texts, notice }: GuestRequest,
  deposit: Deposit,
  state: CardFormState,
): ResponseData {
  const linkExpiry = expiresAt(deposit, account.profile);
  const cards = holdCards.map((card) => ({ ...card, text: texts.holdOutcomes[card.outcome] }));
  const amount = moneyIn(deposit.currency, texts.lang)(deposit.amount);
  const page = centeredPage(
    texts.authorize(amount),
    html`${notice ? noticeBlock(notice) : ''}
<p>${texts.holdExplanation}</p>
${facts([
  [texts.depositFor, merchantName(account.id)],
  ...bookingFacts(deposit, texts),
  [texts.heldUntil, localizedTime(holdEnd(account.now(), account.profile), texts.dateLocale)],
  [texts.authorizeBefore, linkExpiry === undefined ? null : localizedTime(formatInstant(linkExpiry), texts.dateLocale)],
])}
<h2>${texts.card}</h2>
${cardForm({ texts, path, action: path, button: texts.authorize(amount), cards, state })}`,
    texts,
  );
  return htmlResponse(page, state.invalidReason ? 422 : 200);
}

function showChallenge(
  { path, texts }: GuestRequest,
  { amount, currency, booking_reference: booking }: Deposit,
): ResponseData {
  const amountToHold = moneyIn(currency, texts.lang)(amount);
  const amountAndPurpose = texts.amountToHold(amountToHold, booking);
  return htmlResponse(challengePage({ texts, path, amountAndPurpose }));
}

function showHold({ account, texts, notice }: GuestRequest, deposit: NonPendingDeposit): ResponseData {
  return htmlResponse(holdPage(account.id, deposit, texts, notice), deposit.status === 'expired' ? 410 : 200);
}
