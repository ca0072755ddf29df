import { instant } from '../../../domain/dates.js';
import { authorizationWindow, expiresAt } from '../../../domain/deposit-lifecycle.js';
import type { Deposit } from '../../../domain/records.js';
import { type HoldOutcome, holdCards, readCard } from '../../../domain/test-cards.js';
import type { Account } from '../../../simulation/account.js';
import { authorizeDeposit, declineDeposit, getDeposit } from '../../../simulation/operations/deposits.js';
import { moneyIn } from '../../../text/format-money.js';
import { page, seeOther } from '../../dashboard/routing/answer.js';
import type { Answer } from '../../service/answer.js';
import { readInteger } from '../../service/query.js';
import type { Mistyped } from '../components/card-form.js';
import { challengePage } from '../components/challenge.js';
import { holdPage } from '../components/hold.js';
import { type GuestPage, notice, type Visit } from '../guest-page.js';
import { authorizePage } from './view.js';

const declined = notice('refused', 'The card was declined. Try another one.');
const unknownCard = notice('refused', 'The card was declined: it is not a test card for holds.');

/** The authorization page of a deposit. */
export const authorizationPages: GuestPage = {
  show(visit) {
    const deposit = depositOf(visit);
    if (deposit.status !== 'pending') return showHold(visit, deposit);
    return visit.search.has('challenge') ? challenge(visit, deposit) : form(visit, deposit);
  },

  submit(visit, params, keepNotice) {
    const { account, path } = visit;
    const deposit = depositOf(visit);
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
    if (read.kind === 'not-a-card') return form(visit, deposit, { reason: read.reason });
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
function depositOf({ account, name }: Visit): Deposit {
  return getDeposit(account, readInteger(name));
}

function authorize(account: Account, { id }: Deposit, path: string): Answer {
  authorizeDeposit(account, id);
  return seeOther(path);
}

function form({ account, path, notice: previous }: Visit, deposit: Deposit, mistyped?: Mistyped): Answer {
  const deadline = expiresAt(deposit, account.profile);
  const text = authorizePage({
    account: account.id,
    path,
    deposit,
    expiry: instant(account.now() + authorizationWindow(account.profile)),
    deadline: deadline === undefined ? undefined : instant(deadline),
    mistyped,
    notice: previous,
  });
  return page(text, mistyped ? 422 : 200);
}

function challenge({ path }: Visit, { amount, currency, booking_reference: booking }: Deposit): Answer {
  const amountHeld = `${moneyIn(currency)(amount)} to be held`;
  return page(
    challengePage({ path, purpose: booking === null ? amountHeld : `${amountHeld} for ${booking}`, form: '' }),
  );
}

function showHold({ account, notice: previous }: Visit, deposit: Deposit): Answer {
  return page(holdPage(account.id, deposit, previous), deposit.status === 'expired' ? 410 : 200);
}
