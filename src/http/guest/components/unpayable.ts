import { html } from '@remix-run/html-template';
import type { Payable, UnpayableReason } from '../../../domain/payable.js';
import { centeredPage } from '../../dashboard/components/layout.js';
import type { GuestTexts } from '../texts/guest-texts.js';

export interface UnpayableView {
  readonly texts: GuestTexts;
  readonly payable: Payable;
  readonly reason: UnpayableReason;
  /** The URL, without the host, of a payment that waits for approval by the bank; undefined if there is none. */
  readonly challengePath: string | undefined;
}

/** The page that explains why nothing can be paid now. */
export function unpayablePage({ texts, payable, reason, challengePath }: UnpayableView): string {
  const { resource, record } = payable;
  const [title, text] = texts.unpayable[reason];
  const name = resource === 'invoice' ? texts.invoice(record.invoice_number) : texts.thisPaymentLink;
  const purpose = resource === 'invoice' ? '' : html`<p class="purpose">${record.description}</p>`;
  const continueLink =
    challengePath === undefined ? '' : html`<p><a class="button" href="${challengePath}">${texts.continue}</a></p>`;
  return centeredPage(`${name} ${title}`, html`${purpose}<p>${text}</p>${continueLink}`, texts);
}
