import { html } from '@remix-run/html-template';
import type { Customer } from '../../../domain/records.js';
import { integerOrText } from '../../../lib/integer-or-text.js';
import type { Account } from '../../../simulation/account.js';
import { getCustomer } from '../../../simulation/operations/customers.js';
import { backLink, dashboardPage, liveSection } from '../components/dashboard-page.js';
import { fieldSheet } from '../components/facts.js';
import { list, table } from '../components/list.js';
import { collapsibleForm, newCustomerForm } from '../components/new-records.js';
import { customerLink, nameOrElse } from '../components/record-link.js';
import { relatedActivity } from '../components/related-activity.js';
import { sectionPath } from '../components/sections.js';
import { createExportRoutes } from '../data/list-export.js';
import { type ListSource, listPageOf, newestRows, ownFields } from '../data/list-rows.js';
import type { PageHandler, PageRoute } from '../routing/page.js';
import { invoiceColumns } from './invoices.js';

export const customerList = (account: Account): ListSource<Customer> => ({
  rows: account.customers.rows,
  searchTextsOf: ({ name, company, email, city }) => [name, company, email, city],
  exportedFields: ownFields('id', 'name', 'company', 'email', 'city', 'country', 'currency'),
});

/** The list of customers. */
const showCustomers: PageHandler = ({ account, location, query }) => {
  const results = listPageOf(query, customerList(account));
  return dashboardPage(
    location,
    'Customers',
    html`${collapsibleForm(location, 'createCustomer', { label: 'New customer', isOpen: account.customers.size === 0, content: newCustomerForm(location) })}
${list(location, {
  ...results,
  noun: 'customer',
  order: 'last added first',
  orderField: 'id',
  searchPlaceholder: 'name, company, email, city',
  statuses: [],
  empty: html`<p>No customers yet. An invoice needs one. Create one above.</p>`,
  columns: [
    {
      label: 'Name',
      sort: 'name',
      show: (customer) => customerLink(location.account, customer),
    },
    { label: 'Id', sort: 'id', show: ({ id }) => id },
    { label: 'Company', sort: 'company', show: ({ company }) => company },
    { label: 'Email', sort: 'email', show: ({ email }) => email },
    { label: 'City', sort: 'city', show: ({ city }) => city },
    { label: 'Country', sort: 'country', show: ({ country }) => country },
  ],
})}`,
  );
};

/** The page of a customer. */
const showCustomer: PageHandler = (context) => {
  const { account, location } = context;
  const customer = getCustomer(account, integerOrText(context.idOrName));
  const customerInvoices = account.invoices.rows.filter(({ customer_id }) => customer_id === customer.id);
  const invoices = newestRows(customerInvoices);
  return dashboardPage(
    location,
    nameOrElse(customer.name, `Customer ${customer.id}`),
    html`${backLink(location, 'All customers')}
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
<p><a class="button" href="${sectionPath(location.account, 'invoices', 'new')}?customer=${customer.id}">New invoice</a></p>
${liveSection(
  location,
  'invoices',
  html`<div class="sheet"><h2>Invoices</h2>
${invoices.length === 0 ? html`<p class="empty">No invoices yet.</p>` : table(invoiceColumns(location), invoices, 'The latest invoices, newest first')}
</div>
${relatedActivity(account, location, `customer:${customer.id}`)}`,
)}`,
  );
};

export const customerPages: readonly PageRoute[] = [
  ['/customers', showCustomers],
  ['/customers/:idOrName', showCustomer],
  ...createExportRoutes('customers', customerList),
];
