import { addDays, dateOf } from '../../../domain/dates.js';
import { invoiceCurrency } from '../../../domain/invoice-lifecycle.js';
import { invoiceAmount } from '../../../domain/money.js';
import type { InvoiceItem } from '../../../domain/records.js';
import { readInteger } from '../../service/query.js';
import { formKey } from '../components/form.js';
import { rowCount } from '../components/form-rows.js';
import { locationOf, type PageHandler } from '../routing/page.js';
import { newInvoicePage } from './new-invoice-view.js';

/** Maximum number of customers to choose from. */
const maxCustomers = 100;

/** Maximum of a number that is added up for the total. Larger ones are invalid anyway. */
const maxSummand = 1e12;

/** Days until a new invoice is due. */
const dueDays = 14;

/** The page that creates an invoice. */
export const newInvoice: PageHandler = (context) => {
  const { account, search, notice } = context;
  const entered = notice?.form?.key === formKey('createInvoice') ? notice.form.values : undefined;
  const customerId = entered ? entered.get('customer_id:number') : search.get('customer');
  const chosen = account.customers.get(readInteger(customerId ?? ''));
  const newest = account.customers.rows.slice(-maxCustomers).reverse();
  const date = dateOf(account.now(), account.record.time_zone);
  const currency = chosen ? invoiceCurrency(chosen, account.record.currency, account.profile) : account.record.currency;
  return newInvoicePage(locationOf(context, 'invoices'), {
    customers: chosen && !newest.includes(chosen) ? [chosen, ...newest] : newest,
    customerCount: account.customers.size,
    chosen,
    date,
    dueDate: addDays(date, dueDays),
    entered,
    currency,
    total: entered ? invoiceAmount(pricedItems(entered), account.profile, currency) : 0,
  });
};

/** Items with a valid quantity and price. */
function pricedItems(entered: URLSearchParams): Omit<InvoiceItem, 'total'>[] {
  return Array.from({ length: rowCount(entered, 'items') }, (_, row) => {
    const numberOf = (field: string): number => Number(entered.get(`items.${row}.${field}:number`) || Number.NaN);
    const rate = numberOf('tax_rate');
    return {
      description: '',
      quantity: numberOf('quantity'),
      unit_price: numberOf('unit_price'),
      tax_rate: Number.isNaN(rate) ? 0 : rate,
    };
  }).filter((item) => [item.quantity, item.unit_price, item.tax_rate].every((value) => Math.abs(value) <= maxSummand));
}
