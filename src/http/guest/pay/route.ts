import { randomUUID } from 'node:crypto';
import type { Payable, UnpayableReason } from '../../../domain/payable.js';
import { paymentMethods } from '../../../domain/payment-lifecycle.js';
import type { Payment } from '../../../domain/records.js';
import { invalid, ServiceError } from '../../../domain/service-error.js';
import { readCard, testCards } from '../../../domain/test-cards.js';
import { outcomesWithoutCard, type TestOutcome } from '../../../domain/test-outcomes.js';
import {
  answerChallenge,
  checkOut,
  findPayable,
  openPaymentOf,
  paymentOfForm,
  viewInvoice,
  whyNotPayableNow,
} from '../../../simulation/operations/checkout.js';
import { moneyIn } from '../../../text/format-money.js';
import { htmlAnswer, seeOther } from '../../dashboard/routing/answer.js';
import type { Answer } from '../../service/answer.js';
import type { CardInput } from '../components/card-form.js';
import { challengePage } from '../components/challenge.js';
import { outcomePage } from '../components/payment-outcome.js';
import { unpayablePage } from '../components/unpayable.js';
import { type GuestPage, type GuestRequest, notice, reloading } from '../guest-page.js';
import { payPage } from './view.js';

/** The status of pages on which nothing can be paid. */
const statuses: Readonly<Record<UnpayableReason, number>> = {
  inactive: 410,
  draft: 409,
  paid: 200,
  cancelled: 410,
  'under-way': 200,
};

/** The payment page of a payment link or an invoice. */
export const payPages: GuestPage = {
  show(request) {
    const payable = payableOf(request);
    const payment = paymentOfForm(request.account, payable, request.search.get('form') ?? '');
    if (payment) return outcome(request, payable, payment);
    const reason = whyNotPayableNow(request.account, payable);
    if (reason) return unpayable(request, payable, reason, statuses[reason]);
    const seen =
      request.isOpenedByPerson && payable.resource === 'invoice'
        ? { ...payable, record: viewInvoice(request.account, payable.record) }
        : payable;
    const { headers, ...answer } = form(request, seen, randomUUID(), {
      chosen: request.search.get('card') ?? undefined,
    });
    // The back button shows the same form, which pays nothing when sent again.
    return { ...answer, headers: { ...headers, 'Cache-Control': 'private, no-cache' } };
  },

  submit(request, params, keepNotice) {
    const { account, path, texts } = request;
    const payable = payableOf(request);
    const token = tokenOf(params);
    const outcomeAt = (previous?: string): Answer => seeOther(outcomeAddress(path, token, previous));
    const payment = paymentOfForm(account, payable, token);
    const answer = params.get('answer');
    if (payment && answer !== null) {
      answerChallenge(account, payment, answer === 'approve');
      return outcomeAt();
    }
    if (payment) return outcomeAt(keepNotice(notice('done', texts.alreadySent)));
    const reason = whyNotPayableNow(account, payable);
    if (reason) return unpayable(request, payable, reason, Math.max(statuses[reason], 409));

    const method = params.get('method') ?? 'card';
    if (method !== 'card') {
      checkOut(account, payable, { form: token, method, outcome: chosenOutcome(params) });
      return outcomeAt();
    }
    const number = params.get('number') ?? '';
    const read = readCard(number, testCards);
    if (read.kind === 'not-a-card') return form(request, payable, token, { invalid: read.reason });
    const cardOutcome = read.kind === 'known' ? read.card.outcome : 'declined';
    checkOut(account, payable, { form: token, method, outcome: cardOutcome });
    return read.kind === 'known' ? outcomeAt() : outcomeAt(keepNotice(notice('refused', texts.unknownCard)));
  },
};

/** @throws ServiceError payment-link-unknown */
function payableOf({ account, name }: GuestRequest): Payable {
  const payable = findPayable(account, name);
  if (!payable)
    throw new ServiceError('payment-link-unknown', { hint: 'ask whoever sent it to you for the right one' });
  return payable;
}

/** @throws ServiceError invalid */
function tokenOf(params: URLSearchParams): string {
  const token = params.get('form') ?? '';
  if (!/^[\w-]{16,64}$/.test(token)) {
    throw invalid('form', 'custom', { message: 'The form does not belong to this page. Reload the page.' });
  }
  return token;
}

/** @throws ServiceError invalid */
function chosenOutcome(params: URLSearchParams): TestOutcome {
  const chosen = outcomesWithoutCard.find((known) => known === params.get('outcome'));
  if (!chosen) throw invalid('outcome', 'enum');
  return chosen;
}

function form(
  { account, path, texts, notice: previous }: GuestRequest,
  payable: Payable,
  token: string,
  input: CardInput,
): Answer {
  const methods = paymentMethods(account.profile);
  const text = payPage({ texts, account: account.id, path, payable, methods, form: token, input, notice: previous });
  return htmlAnswer(text, input.invalid ? 422 : 200);
}

function unpayable(
  { account, path, texts }: GuestRequest,
  payable: Payable,
  reason: UnpayableReason,
  status: number,
): Answer {
  const openPayment = reason === 'under-way' ? openPaymentOf(account, payable) : undefined;
  const challengePath = openPayment?.form === undefined ? undefined : outcomeAddress(path, openPayment.form);
  const answer = htmlAnswer(unpayablePage({ texts, payable, reason, challengePath }), status);
  return reason === 'under-way' && challengePath === undefined ? reloading(answer) : answer;
}

/** The page with the outcome of a form. @param notice id of the notice to show there */
function outcomeAddress(path: string, form: string, notice?: string): string {
  return `${path}?${new URLSearchParams({ form, ...(notice === undefined ? {} : { notice }) })}`;
}

function outcome(request: GuestRequest, payable: Payable, payment: Payment): Answer {
  const { account, path, texts, notice: previous } = request;
  if (payment.status === 'open') {
    const purpose = texts.amountFor(moneyIn(payment.currency, texts.lang)(payment.amount), payment.description);
    return htmlAnswer(challengePage({ texts, path, purpose, form: payment.form ?? '' }));
  }
  const payAgainPath = whyNotPayableNow(account, payable) === undefined ? path : undefined;
  const answer = htmlAnswer(outcomePage({ texts, account: account.id, payment, payAgainPath, notice: previous }));
  return payment.status === 'pending' ? reloading(answer) : answer;
}
