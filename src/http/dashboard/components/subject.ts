import { html, type SafeHtml } from '@remix-run/html-template';
import type { Subject } from '../../../domain/records.js';
import { subjectName } from '../../../text/format.js';
import { addressOf, type Section } from './dashboard.js';

const sectionOf: Readonly<Record<Subject['resource'], Section>> = {
  deposit: 'deposits',
  invoice: 'invoices',
  payment: 'payments',
  payment_link: 'payment-links',
};

/** A link to a record. */
export function subjectLink(account: string, subject: Subject): SafeHtml {
  return html`<a href="${addressOf(account, sectionOf[subject.resource], subject.id)}">${subjectName(subject)}</a>`;
}
