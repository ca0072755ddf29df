import { html } from '@remix-run/html-template';
import type { Customer, Invoice } from '../../../domain/records.js';
import { type RelatedActivity, relatedSection } from '../components/chains.js';
import { addressOf, type DashboardLocation, dashboardPage, liveSection } from '../components/dashboard.js';
import { fieldSheet } from '../components/fields.js';
import { type ListPage, list, table } from '../components/list.js';
import { collapsibleForm, newCustomerForm } from '../components/new-records.js';
import { nameOrElse } from '../components/record-link.js';
import { invoiceColumns } from '../invoices/view.js';

/** The list of customers. */
export function customersPage(location: DashboardLocation, results: ListPage<Customer>): string {
  return dashboardPage(
    location,
    'Customers',
    html`${collapsibleForm(location, 'createCustomer', { label: 'New customer', isOpen: results.total === 0, content: newCustomerForm(location) })}
${list(location, {
  ...results,
  noun: 'customers',
  order: 'last added first',
  orderField: 'id',
  searchPlaceholder: 'name, company, email, city',
  statuses: [],
  empty: html`<p>No customers yet. An invoice needs one. Create one above.</p>`,
  columns: [
    {
      label: 'Name',
      sort: 'name',
      show: ({ id, name }) =>
        html`<a href="${addressOf(location.account, 'customers', id)}">${nameOrElse(name, `customer ${id}`)}</a>`,
    },
    { label: 'Id', sort: 'id', show: ({ id }) => id },
    { label: 'Company', sort: 'company', show: ({ company }) => company },
    { label: 'Email', sort: 'email', show: ({ email }) => email },
    { label: 'City', sort: 'city', show: ({ city }) => city },
    { label: 'Country', sort: 'country', show: ({ country }) => country },
  ],
})}`,
  );
}

/** The page of a customer. @param invoices the latest invoices of the customer */
export function customerPage(
  location: DashboardLocation,
  customer: Customer,
  invoices: readonly Invoice[],
  related: RelatedActivity,
): string {
  return dashboardPage(
    location,
    nameOrElse(customer.name, `Customer ${customer.id}`),
    html`<p class="back-link"><a href="${addressOf(location.account, 'customers')}">All customers</a></p>
${fieldSheet([
  ['Id', customer.id],
  ['Name', customer.name],
  ['Email', customer.email],
  ['Company', customer.company],
  ['Phone', customer.phone],
  ['Address', customer.address],
  ['City', customer.city],
  ['Postal code', customer.postal_code],
  ['Country', customer.country],
  ['Currency', customer.currency],
])}
<p><a class="button" href="${addressOf(location.account, 'invoices', 'new')}?customer=${customer.id}">New invoice</a></p>
${liveSection(
  location,
  'invoices',
  html`<div class="sheet"><h2>Invoices</h2>
${invoices.length === 0 ? html`<p class="empty">No invoices yet.</p>` : table(invoiceColumns(location), invoices, 'The latest invoices, newest first')}
</div>
${relatedSection(location, related)}`,
)}`,
  );
}
