import { html } from '@remix-run/html-template';
import type { Customer, Invoice } from '../../../domain/records.js';
import { addressOf, dashboardPage, live, type Place } from '../components/dashboard.js';
import { fieldSheet } from '../components/fields.js';
import { type List, list, table } from '../components/list.js';
import { disclosedForm, newCustomerForm } from '../components/new-records.js';
import { invoiceColumns } from '../invoices/view.js';

/** The list of customers. */
export function customersPage(place: Place, found: Pick<List<Customer>, 'rows' | 'total' | 'search'>): string {
  return dashboardPage(
    place,
    'Customers',
    html`${disclosedForm(place, 'createCustomer', { label: 'New customer', isOpen: found.total === 0, content: newCustomerForm(place) })}
${list(place, {
  ...found,
  noun: 'customers',
  order: 'last added first',
  hint: 'name, company, e-mail, city',
  statuses: [],
  empty: html`<p>No customers yet. An invoice needs one. Create one above.</p>`,
  columns: [
    { label: 'Name', show: ({ id, name }) => html`<a href="${addressOf(place.account, 'customers', id)}">${name}</a>` },
    { label: 'Id', show: ({ id }) => id },
    { label: 'Company', show: ({ company }) => company },
    { label: 'E-mail', show: ({ email }) => email },
    { label: 'City', show: ({ city }) => city },
    { label: 'Country', show: ({ country }) => country },
  ],
})}`,
  );
}

/** The page of a customer. @param invoices the latest invoices of the customer */
export function customerPage(place: Place, customer: Customer, invoices: readonly Invoice[]): string {
  return dashboardPage(
    place,
    customer.name,
    html`<p class="back-link"><a href="${addressOf(place.account, 'customers')}">All customers</a></p>
${fieldSheet([
  ['Id', customer.id],
  ['Name', customer.name],
  ['E-mail', customer.email],
  ['Company', customer.company],
  ['Phone', customer.phone],
  ['Address', customer.address],
  ['City', customer.city],
  ['Postal code', customer.postal_code],
  ['Country', customer.country],
  ['Currency', customer.currency],
])}
${live(
  place,
  'invoices',
  html`<div class="sheet"><h2>Invoices</h2>
${invoices.length === 0 ? html`<p class="empty">No invoices yet.</p>` : table(invoiceColumns(place), invoices, 'The latest invoices, newest first')}
</div>`,
)}`,
  );
}
