import { addDays, dateOf } from '../../../domain/dates.js';
import { invoiceCurrency } from '../../../domain/invoice-lifecycle.js';
import { invoiceAmount } from '../../../domain/money.js';
import type { InvoiceItem } from '../../../domain/records.js';
import { integerOrText } from '../../../lib/integer-or-text.js';
import { formKey } from '../components/form.js';
import { rowCount } from '../components/form-rows.js';
import { readNumber } from '../routing/form.js';
import type { PageHandler } from '../routing/page.js';
import { newInvoicePage } from './new-invoice-view.js';

/** Maximum number of customers that the form offers. */
const maxCustomers = 100;

/** Maximum quantity, price and tax rate of an item in the total. Items with larger numbers are invalid anyway. */
const maxItemNumber = 1e12;

/** Days until a new invoice is due. */
const dueDays = 14;

/** The page that creates an invoice. */
export const showNewInvoice: PageHandler = (context) => {
  const { account, query, location } = context;
  const enteredFields =
    location.notice?.form?.key === formKey('createInvoice') ? location.notice.form.values : undefined;
  const customerId = enteredFields ? enteredFields.get('customer_id:number') : query.get('customer');
  const selectedCustomer = account.customers.get(integerOrText(customerId ?? ''));
  const newestCustomers = account.customers.rows.slice(-maxCustomers).reverse();
  const date = dateOf(account.now(), account.record.time_zone);
  const currency = selectedCustomer
    ? invoiceCurrency(selectedCustomer, account.record.currency, account.profile)
    : account.record.currency;
  return newInvoicePage(location, {
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
  });
};

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
