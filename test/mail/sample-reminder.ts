import type { Customer, Invoice } from '../../src/domain/records.js';
import type { Reminder } from '../../src/mail/reminder-content.js';

export const customer: Customer = {
  id: 1,
  name: 'Ada Lovelace',
  email: 'ada@analytical-engines.example',
  company: null,
  phone: null,
  address: null,
  city: null,
  postal_code: null,
  country: null,
  currency: null,
};

export const invoice: Invoice = {
  id: 7,
  invoice_number: 'INV-2026-0007',
  reference: 'PO-1843',
  customer_id: 1,
  amount: 1_438.5,
  paid_amount: 0,
  currency: 'EUR',
  status: 'sent',
  past_due: false,
  date: '2026-02-01',
  due_date: '2026-03-01',
  notes: null,
  items: [
    { description: 'Consulting, February', quantity: 12, unit_price: 95, tax_rate: 20, total: 1_368 },
    { description: 'Travel', quantity: 1.5, unit_price: 47, tax_rate: 0, total: 70.5 },
  ],
  subscription: null,
  history: [],
  created_at: '2026-02-01T09:00:00.000Z',
};

export const payUrl = 'http://127.0.0.1:4010/pay/inv-2026-0007';

/** Creates a reminder of an unpaid invoice that is not due yet, with some fields changed. */
export function createReminder({ invoice: invoiceFields, customer: customerFields, ...rest }: Changes = {}): Reminder {
  const changedInvoice = { ...invoice, ...invoiceFields };
  const changedCustomer = { ...customer, ...customerFields };
  return { invoice: changedInvoice, customer: changedCustomer, payUrl, outstanding: changedInvoice.amount, ...rest };
}

interface Changes extends Partial<Pick<Reminder, 'payUrl' | 'outstanding'>> {
  readonly invoice?: Partial<Invoice>;
  readonly customer?: Partial<Customer>;
}
