import { html } from '@remix-run/html-template';
import type { Payable, UnpayableReason } from '../../../domain/payable.js';
import { guestPage } from '../../dashboard/components/layout.js';

/** Title and text by the reason why a payment is not possible. */
const texts: Readonly<Record<UnpayableReason, readonly [title: string, text: string]>> = {
  inactive: ['is no longer active', 'Ask whoever sent it to you for a new one.'],
  draft: ['is still a draft', 'It can be paid once it has been issued.'],
  paid: ['is paid', 'Nothing is left to pay.'],
  cancelled: ['is cancelled', 'There is nothing to pay.'],
  'under-way': ['is being paid', 'A payment is in progress. You cannot start another one.'],
};

export interface UnpayableView {
  readonly payable: Payable;
  readonly reason: UnpayableReason;
  /** The page of a payment that waits for approval by the bank, without the host; undefined if there is none. */
  readonly challengePath: string | undefined;
}

/** The page that explains why nothing can be paid now. */
export function unpayablePage({ payable, reason, challengePath }: UnpayableView): string {
  const { resource, record } = payable;
  const [title, text] = texts[reason];
  const name = resource === 'invoice' ? `Invoice ${record.invoice_number}` : 'This payment link';
  const subject = resource === 'invoice' ? '' : html`<p class="purpose">${record.description}</p>`;
  const continueLink =
    challengePath === undefined ? '' : html`<p><a class="button" href="${challengePath}">Continue</a></p>`;
  return guestPage(`${name} ${title}`, html`${subject}<p>${text}</p>${continueLink}`);
}
