import { html, type SafeHtml } from '@remix-run/html-template';
import { addDays, dateOf } from '../../../domain/dates.js';
import { invoiceCurrency } from '../../../domain/invoice-lifecycle.js';
import { invoiceAmount } from '../../../domain/money.js';
import type { Customer, InvoiceItem } from '../../../domain/records.js';
import { integerOrText } from '../../../lib/integer-or-text.js';
import { moneyIn } from '../../../text/format-money.js';
import { readNumber } from '../actions/parse-form.js';
import { backLink, type DashboardLocation, dashboardPage } from '../components/dashboard-page.js';
import { form, formKey } from '../components/form.js';
import type { FormFields } from '../components/form-fields.js';
import { redisplayButtonName, rowCount } from '../components/form-rows.js';
import { actionPath } from '../components/sections.js';
import type { PageHandler } from '../routing/page.js';

/** Maximum number of customers that the form offers. */
const maxCustomers = 100;

/** Maximum quantity, price and tax rate of an item that the total includes. Items with larger numbers are invalid. */
const maxItemNumber = 1e12;

/** Days until a new invoice is due. */
const dueDays = 14;

/** The data that the form shows. */
interface NewInvoiceView {
  /** Customers to choose from, newest first. */
  readonly customers: readonly Customer[];
  /** Number of all customers of the account. */
  readonly customerCount: number;
  /** The customer that is selected initially; undefined for a new customer. */
  readonly selectedCustomer: Customer | undefined;
  /** `YYYY-MM-DD`, like the due date. */
  readonly date: string;
  readonly dueDate: string;
  /** The fields that the user has entered; undefined for a new form. */
  readonly enteredFields: URLSearchParams | undefined;
  readonly currency: string;
  /** The amount of the invoice that the user has entered, in its currency. */
  readonly total: number;
}

/** The page with the form for a new invoice. */
export const showNewInvoice: PageHandler = ({ account, location, query }) => {
  const submittedForm = location.notice?.form;
  const enteredFields = submittedForm?.key === formKey('createInvoice') ? submittedForm.values : undefined;
  const customerId = enteredFields ? enteredFields.get('customer_id:number') : query.get('customer');
  const selectedCustomer = account.customers.get(integerOrText(customerId ?? ''));
  const newestCustomers = account.customers.rows.slice(-maxCustomers).reverse();
  const date = dateOf(account.now(), account.record.time_zone);
  const currency = selectedCustomer
    ? invoiceCurrency(selectedCustomer, account.record.currency, account.profile)
    : account.record.currency;
  const view: NewInvoiceView = {
    customers:
      selectedCustomer && !newestCustomers.includes(selectedCustomer)
        ? [selectedCustomer, ...newestCustomers]
        : newestCustomers,
    customerCount: account.customers.size,
    selectedCustomer,
    date,
    dueDate: addDays(date, dueDays),
    enteredFields,
    currency,
    total: enteredFields ? invoiceAmount(itemsWithValidNumbers(enteredFields), account.profile, currency) : 0,
  };
  return dashboardPage(
    location,
    'New invoice',
    html`${backLink(location, 'All invoices')}
<section class="sheet" aria-label="New invoice">
${form(location, 'createInvoice', (fields) => formContent(location, fields, view), { className: 'fields wide' })}
</section>`,
  );
};

function formContent(location: DashboardLocation, fields: FormFields, view: NewInvoiceView): SafeHtml {
  const { customers, customerCount, selectedCustomer, date, dueDate, enteredFields } = view;
  const { text, select, group } = fields;
  const itemCount = Math.max(1, enteredFields ? rowCount(enteredFields, 'items') : 0);
  const wasRowAdded = enteredFields?.get(redisplayButtonName)?.startsWith('add ') === true;
  const options = customers.map(({ id, name, email }) => ({ value: String(id), label: `${name} (${email})` }));
  const rowIndexes = Array.from({ length: itemCount }, (_, row) => row);
  // The Enter key presses the first button of a form. Without the hidden button, that could be one that removes a row.
  // The value of the `Add row` button, `add items.description`, names the field that the new row begins with.
  return html`<button name="${redisplayButtonName}" value="update" formnovalidate hidden>Update the total</button>
${select({
  name: 'customer_id:number',
  label: 'Customer',
  options: [{ value: '', label: 'New customer' }, ...options],
  value: selectedCustomer === undefined ? '' : String(selectedCustomer.id),
  ...(customerCount > customers.length && {
    hint: `The newest ${customers.length} of ${customerCount}. For any other, open the customer's page and select New invoice.`,
  }),
})}
${group({
  name: 'customer',
  label: 'New customer',
  content: html`<div class="fields row">${text({ name: 'customer.name', label: 'Name', attributes: html`autocomplete="off"` })}
${text({ name: 'customer.email', label: 'Email', attributes: html`type="email" autocomplete="off"` })}
${text({ name: 'customer.company', label: 'Company', attributes: html`autocomplete="off"` })}</div>`,
})}
<div class="fields row">${text({ name: 'date', label: 'Date', value: date, attributes: html`type="date" required` })}
${text({ name: 'due_date', label: 'Due date', value: dueDate, attributes: html`type="date" required` })}
${text({ name: 'invoice_number', label: 'Number', hint: 'Generated if empty.', attributes: html`autocomplete="off"` })}
${text({ name: 'reference', label: 'Reference', attributes: html`autocomplete="off"` })}</div>
${group({
  name: 'items',
  label: 'Items',
  content: html`${rowIndexes.map((row) => itemRow(fields, { row, itemCount, isNew: wasRowAdded && row === itemCount - 1 }))}
<button name="${redisplayButtonName}" value="add items.description" class="quiet" formnovalidate>Add row</button>`,
})}
${totalSection(location, view)}
${text({ name: 'notes', label: 'Notes', attributes: html`autocomplete="off"` })}
<button>Create invoice</button>`;
}

interface ItemRow {
  /** Counts from 0. */
  readonly row: number;
  readonly itemCount: number;
  /** True if the user has just added the row, which then gets the focus. */
  readonly isNew: boolean;
}

function itemRow({ text, group }: FormFields, { row, itemCount, isNew }: ItemRow): SafeHtml {
  const name = `items.${row}`;
  const decimal = html`inputmode="decimal" size="8" autocomplete="off"`;
  return group({
    name,
    label: `Item ${row + 1}`,
    content: html`<div class="fields row">${text({
      name: `${name}.description`,
      label: 'Description',
      attributes: html`autocomplete="off"${isNew ? html` autofocus` : ''}`,
    })}${text({ name: `${name}.quantity:number`, label: 'Quantity', attributes: decimal })}${text({
      name: `${name}.unit_price:number`,
      label: 'Unit price',
      attributes: decimal,
    })}${text({ name: `${name}.tax_rate:number`, label: 'Tax in percent', attributes: decimal })}${
      itemCount === 1
        ? ''
        : html`<button name="${redisplayButtonName}" value="remove ${name}" class="quiet" formnovalidate>Remove item ${row + 1}</button>`
    }</div>`,
  });
}

/**
 * The total. It is updated while the user types; without scripts, the button updates it. Only the text is replaced: if
 * the element that listens for input were replaced, it would miss what is typed during the request.
 */
function totalSection(location: DashboardLocation, { total, currency }: NewInvoiceView): SafeHtml {
  const updateButton = JSON.stringify({ [redisplayButtonName]: 'update' });
  return html`<div class="actions" hx-post="${actionPath(location.account, 'createInvoice')}" hx-vals="${updateButton}" hx-trigger="input delay:200ms from:closest form" hx-sync="this:replace" hx-target="#total" hx-select="#total" hx-swap="outerHTML">
<p id="total" role="status">Total: <strong>${moneyIn(currency)(total)}</strong></p>
<button name="${redisplayButtonName}" value="update" class="quiet" formnovalidate>Update total</button>
</div>`;
}

/** The items whose numbers are valid, for the total. */
function itemsWithValidNumbers(enteredFields: URLSearchParams): Omit<InvoiceItem, 'total'>[] {
  return Array.from({ length: rowCount(enteredFields, 'items') }, (_, row) => {
    const numberOf = (field: string): number => readNumber(enteredFields.get(`items.${row}.${field}:number`) ?? '');
    const taxRate = numberOf('tax_rate');
    return {
      description: '',
      quantity: numberOf('quantity'),
      unit_price: numberOf('unit_price'),
      tax_rate: Number.isNaN(taxRate) ? 0 : taxRate,
    };
  }).filter((item) =>
    [item.quantity, item.unit_price, item.tax_rate].every((value) => Math.abs(value) <= maxItemNumber),
  );
}
