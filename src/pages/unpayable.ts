import { html } from '@remix-run/html-template';
import type { Obstacle, Payable } from '../domain/payables.js';
import { type Notice, noticeOf } from './dashboard.js';
import { guestPage } from './layout.js';

/** What is said where nothing can be paid. */
const texts: Readonly<Record<Obstacle, readonly [title: string, text: string]>> = {
  inactive: ['is no longer active', 'Ask whoever sent it to you for a new one.'],
  draft: ['is still a draft', 'It can be paid once it has been issued.'],
  paid: ['is paid', 'Nothing is left to pay.'],
  cancelled: ['is cancelled', 'There is nothing to pay.'],
  'under-way': [
    'is being paid',
    'A payment is under way, and no other one can be made, so that nothing is paid twice.',
  ],
};

/** Says why something cannot be paid now. */
export function unpayablePage({ resource, record }: Payable, obstacle: Obstacle, notice: Notice | undefined): string {
  const [title, text] = texts[obstacle];
  const what = resource === 'invoice' ? `Invoice ${record.invoice_number}` : 'This payment link';
  const of = resource === 'invoice' ? '' : html`<p class="asked">${record.description}</p>`;
  return guestPage(`${what} ${title}`, html`${notice ? noticeOf(notice) : ''}${of}<p>${text}</p>`);
}
