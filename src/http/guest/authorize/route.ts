import { instant } from '../../../domain/dates.js';
import { authorizationWindow, expiresAt } from '../../../domain/deposit-lifecycle.js';
import type { Deposit } from '../../../domain/records.js';
import { type HoldOutcome, holdCards, readCard } from '../../../domain/test-cards.js';
import type { Account } from '../../../simulation/account.js';
import { authorizeDeposit, declineDeposit, getDeposit } from '../../../simulation/operations/deposits.js';
import { moneyIn } from '../../../text/format-money.js';
import { htmlAnswer, seeOther } from '../../dashboard/routing/answer.js';
import type { Answer } from '../../service/answer.js';
import { readInteger } from '../../service/query.js';
import type { CardInput } from '../components/card-form.js';
import { challengePage } from '../components/challenge.js';
import { holdPage } from '../components/hold.js';
import { type GuestPage, type GuestRequest, notice } from '../guest-page.js';
import { authorizePage } from './view.js';

/** The authorization page of a deposit. */
export const authorizationPages: GuestPage = {
  show(request) {
    const deposit = depositOf(request);
    if (deposit.status !== 'pending') return showHold(request, deposit);
    return request.search.has('challenge')
      ? challenge(request, deposit)
      : form(request, deposit, { chosen: request.search.get('card') ?? undefined });
  },

  submit(request, params, keepNotice) {
    const { account, path, texts } = request;
    const declined = notice('refused', texts.declinedCard);
    const unknownCard = notice('refused', texts.unknownHoldCard);
    const deposit = depositOf(request);
    // Sent twice or too late: the page shows the current status.
    if (deposit.status !== 'pending') return seeOther(path);
    const decline = (explanation: typeof declined): Answer => {
      const after = declineDeposit(account, deposit.id);
      const isExplained = after.status === 'pending' || explanation === unknownCard;
      return seeOther(isExplained ? `${path}?notice=${keepNotice(explanation)}` : path);
    };
    const answer = params.get('answer');
    if (answer !== null) return answer === 'approve' ? authorize(account, deposit, path) : decline(declined);

    const number = params.get('number') ?? '';
    const read = readCard(number, holdCards);
    if (read.kind === 'not-a-card') return form(request, deposit, { invalid: read.reason });
    if (read.kind === 'unknown') return decline(unknownCard);
    const responses: Record<HoldOutcome, () => Answer> = {
      authorized: () => authorize(account, deposit, path),
      declined: () => decline(declined),
      authentication: () => seeOther(`${path}?challenge`),
    };
    return responses[read.card.outcome]();
  },
};

/** @throws ServiceError deposit-unknown */
function depositOf({ account, name }: GuestRequest): Deposit {
  return getDeposit(account, readInteger(name));
}

function authorize(account: Account, { id }: Deposit, path: string): Answer {
  authorizeDeposit(account, id);
  return seeOther(path);
}

function form({ account, path, texts, notice: previous }: GuestRequest, deposit: Deposit, input: CardInput): Answer {
  const deadline = expiresAt(deposit, account.profile);
  const text = authorizePage({
    texts,
    account: account.id,
    path,
    deposit,
    expiry: instant(account.now() + authorizationWindow(account.profile)),
    deadline: deadline === undefined ? undefined : instant(deadline),
    input,
    notice: previous,
  });
  return htmlAnswer(text, input.invalid ? 422 : 200);
}

function challenge({ path, texts }: GuestRequest, { amount, currency, booking_reference: booking }: Deposit): Answer {
  const amountHeld = moneyIn(currency, texts.lang)(amount);
  return htmlAnswer(challengePage({ texts, path, purpose: texts.amountToHold(amountHeld, booking), form: '' }));
}

function showHold({ account, texts, notice: previous }: GuestRequest, deposit: Deposit): Answer {
  return htmlAnswer(holdPage(account.id, deposit, texts, previous), deposit.status === 'expired' ? 410 : 200);
}
