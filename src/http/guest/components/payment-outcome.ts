import { html, type SafeHtml } from '@remix-run/html-template';
import type { Payment } from '../../../domain/records.js';
import { moneyIn } from '../../../text/format-money.js';
import { type Notice, noticeBlock } from '../../dashboard/components/dashboard-page.js';
import { facts } from '../../dashboard/components/facts.js';
import { centeredPage } from '../../dashboard/components/layout.js';
import { sectionPath } from '../../dashboard/components/sections.js';
import { localizedTime } from '../../dashboard/components/timestamp.js';
import type { GuestTexts } from '../texts/guest-texts.js';
import { paymentMethodLabel } from './payment-method-label.js';

export interface OutcomeView {
  readonly texts: GuestTexts;
  /** The id of the account. */
  readonly account: string;
  readonly payment: Payment;
  /** The path of the page where the guest can pay again; undefined if that is not possible. */
  readonly payAgainPath: string | undefined;
  readonly notice: Notice | undefined;
}

/** The page with the outcome of a payment. */
export function outcomePage({ texts, account, payment, payAgainPath, notice }: OutcomeView): string {
  const { status, description, reference, payment_method: method, paid_at: paidAt } = payment;
  const amount = moneyIn(payment.currency, texts.lang)(payment.amount);
  return centeredPage(
    texts.paymentTitles[status],
    html`${notice ? noticeBlock(notice) : ''}
<p class="purpose">${texts.amountFor(amount, description)}</p>
${outcomeText(account, payment, texts)}
${facts([
  [texts.method, paymentMethodLabel(method, texts)],
  [texts.reference, reference],
  [texts.paidAt, paidAt === null ? null : localizedTime(paidAt, texts.dateLocale)],
])}
${payAgainPath === undefined || status === 'pending' ? '' : html`<p><a class="button" href="${payAgainPath}">${status === 'paid' ? texts.payAgain : texts.tryAgain}</a></p>`}`,
    texts,
  );
}

function outcomeText(account: string, { status, scheduled_end: scheduledEnd }: Payment, texts: GuestTexts): SafeHtml {
  if (status === 'paid') return html`<p>${texts.paymentSucceeded}</p>`;
  if (status === 'failed') return html`<p>${texts.paymentFailed}</p>`;
  if (!scheduledEnd) return html`<p>${texts.paymentPending}</p>`;
  return html`<p>${texts.outcomeKnownAt} ${localizedTime(scheduledEnd.at, texts.dateLocale)}. ${texts.reloadNotice}</p>
<p><a href="${sectionPath(account, 'clock')}">${texts.advanceClock}</a></p>`;
}
