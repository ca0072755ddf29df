import type { Customer, Invoice } from '../../src/domain/records.js';
import type { Reminder } from '../../src/mail/reminder-texts.js';

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

/** A reminder of an unpaid invoice that is not due yet, with some fields changed. */
export function reminder({ invoice: fields, customer: who, ...rest }: Changes = {}): Reminder {
  const changed = { ...invoice, ...fields };
  return { invoice: changed, customer: { ...customer, ...who }, payUrl, outstanding: changed.amount, ...rest };
}

interface Changes extends Partial<Pick<Reminder, 'payUrl' | 'outstanding'>> {
  readonly invoice?: Partial<Invoice>;
  readonly customer?: Partial<Customer>;
}

/** Texts that become markup or headers if they are not escaped. */
export const hostileTexts = [
  '<script>window.hurt = true</script>',
  '<img src=x onerror="window.hurt = true">',
  '"><svg onload=window.hurt=true>',
  "' onmouseover='window.hurt=true' x='",
  '</title><script>window.hurt=true</script>',
  '</style><script>window.hurt=true</script>',
  '--><script>window.hurt=true</script><!--',
  ']]><script>window.hurt=true</script>',
  '<iframe srcdoc="<script>parent.hurt=true</script>">',
  '<a href="javascript:window.hurt=true">x</a>',
  '<base href="https://elsewhere.example/">',
  '<meta http-equiv="refresh" content="0;url=https://elsewhere.example/">',
  '<link rel="stylesheet" href="https://elsewhere.example/">',
  '</td></tr></table></main><h1>x',
  '&lt;script&gt;window.hurt=true&lt;/script&gt;',
  '&#60;script&#62; &amp; &copy; &',
  `\${window.hurt = true} {{ hurt }} <%= hurt %> $& $' $\``,
];
