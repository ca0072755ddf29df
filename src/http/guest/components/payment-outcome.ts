import { html, type SafeHtml } from '@remix-run/html-template';
import type { Payment, PaymentStatus } from '../../../domain/records.js';
import { moneyIn } from '../../../text/format-money.js';
import { addressOf, type Notice, noticeOf } from '../../dashboard/components/dashboard.js';
import { facts } from '../../dashboard/components/facts.js';
import { guestPage } from '../../dashboard/components/layout.js';
import { longMoment } from '../../dashboard/components/moment.js';
import { methodName } from '../pay/view.js';

export interface OutcomeView {
  /** The payee. */
  readonly account: string;
  readonly payment: Payment;
  /** The page where the guest can pay again, without the host; undefined if that is not possible. */
  readonly payAgainPath: string | undefined;
  readonly notice: Notice | undefined;
}

const titles: Readonly<Record<PaymentStatus, string>> = {
  open: 'Payment under way',
  pending: 'Payment under way',
  paid: 'Paid',
  failed: 'Not paid',
};

/** The page with the outcome of a payment. */
export function outcomePage({ account, payment, payAgainPath, notice }: OutcomeView): string {
  const { status, description, reference, payment_method: method, paid_at: paidAt } = payment;
  return guestPage(
    titles[status],
    html`${notice ? noticeOf(notice) : ''}
<p class="purpose">${moneyIn(payment.currency)(payment.amount)} for ${description}</p>
${outcomeText(account, payment)}
${facts([
  ['Method', methodName(method)],
  ['Reference', reference],
  ['Paid at', paidAt === null ? null : longMoment(paidAt)],
])}
${payAgainPath === undefined || status === 'pending' ? '' : html`<p><a class="button" href="${payAgainPath}">${status === 'paid' ? 'Pay again' : 'Try again'}</a></p>`}`,
  );
}

function outcomeText(account: string, { status, ends }: Payment): SafeHtml {
  if (status === 'paid') return html`<p>Thank you. The payment has arrived.</p>`;
  if (status === 'failed') return html`<p>The payment has failed, and nothing was paid.</p>`;
  if (!ends) return html`<p>The payment has not arrived yet.</p>`;
  return html`<p>The outcome is known at ${longMoment(ends.at)}. Reload this page then, or
<a href="${addressOf(account, 'clock')}">advance the clock</a>.</p>`;
}
