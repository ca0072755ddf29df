import { html, type SafeHtml } from '@remix-run/html-template';
import type { RecordReference } from '../../../domain/activity.js';
import { subjectName } from '../../../text/format.js';
import { type Section, sectionPath } from './sections.js';

/** The section that lists the records of each kind. */
export const sectionByResource: Readonly<Record<RecordReference['resource'], Section>> = {
  customer: 'customers',
  deposit: 'deposits',
  invoice: 'invoices',
  payment: 'payments',
  payment_link: 'payment-links',
};

/** A link to a record. */
export function recordLink(account: string, record: RecordReference): SafeHtml {
  return html`<a href="${sectionPath(account, sectionByResource[record.resource], record.id)}">${subjectName(record)}</a>`;
}

/** A link to a customer, with the customer's name. @param account the id of the account */
export function customerLink(account: string, { id, name }: { readonly id: number; readonly name: string }): SafeHtml {
  return html`<a href="${sectionPath(account, 'customers', id)}">${nameOrElse(name, `customer ${id}`)}</a>`;
}

/** The name of a record for links and headings: its text, or the fallback if nothing of the text is visible. */
export function nameOrElse(text: string | null, fallback: string): string {
  return text !== null && /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) ? text : fallback;
}
