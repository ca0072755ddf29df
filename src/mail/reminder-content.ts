import { minus } from '../domain/money.js';
import type { Customer, Invoice } from '../domain/records.js';
import { formatNumber, moneyIn } from '../text/format-money.js';
import { longDate } from '../text/long-date.js';
import { oneLine } from './one-line.js';

/** The sender of all emails. Domains under `.invalid` do not resolve (RFC 2606), so replies reach nobody. */
export const sender = { name: 'Billing', address: 'billing@billing-sim.invalid' } as const;

/** The data of a reminder. */
export interface Reminder {
  readonly invoice: Invoice;
  readonly customer: Customer;
  /** URL of the invoice's payment page; null while a payment is in progress. */
  readonly payUrl: string | null;
  /** Unpaid amount, in the invoice's currency. */
  readonly outstanding: number;
}

/** The content of a reminder, for both the plain-text and the HTML version. Each string is one line and not escaped. */
export interface ReminderContent {
  readonly subject: string;
  readonly greeting: string;
  readonly summary: string;
  readonly amountDue: string;
  /** The most important data of the invoice. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly items: readonly ItemContent[];
  readonly payUrl: string | null;
}

/** An item of the invoice, formatted. */
interface ItemContent {
  /** `Consulting, 20% tax` */
  readonly description: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly total: string;
}

/** Formats the content of a reminder. */
export function reminderContent({ invoice, customer, payUrl, outstanding }: Reminder): ReminderContent {
  const money = moneyIn(invoice.currency);
  const number = oneLine(invoice.invoice_number);
  const numberInText = isolated(number);
  const reference = oneLine(invoice.reference ?? '');
  const name = oneLine(customer.name);
  const amountDue = money(outstanding);
  const dueDate = longDate(invoice.due_date);
  const paid = minus(invoice.amount, outstanding);
  return {
    // `oneLine` replaces the no-break spaces in some amounts with ordinary ones, as reminder-text.ts does.
    subject: invoice.past_due
      ? `Overdue: invoice ${numberInText}, ${oneLine(amountDue)} was due on ${dueDate}`
      : `Reminder: invoice ${numberInText}, ${oneLine(amountDue)} due on ${dueDate}`,
    greeting: name === '' ? 'Hello,' : `Dear ${name},`,
    summary: invoice.past_due
      ? `Invoice ${numberInText} was due on ${dueDate} and is overdue. ${amountDue} is still to be paid.`
      : `This is a reminder that invoice ${numberInText} is due on ${dueDate}. ${amountDue} is still to be paid.`,
    amountDue,
    facts: [
      ['Invoice', number],
      ...(reference === '' ? [] : ([['Reference', reference]] as const)),
      ['Due date', invoice.past_due ? `${dueDate} (overdue)` : dueDate],
      ...(paid > 0
        ? ([
            ['Invoice total', money(invoice.amount)],
            ['Already paid', money(paid)],
          ] as const)
        : []),
      ['Amount due', amountDue],
    ],
    items: invoice.items.map((item) => ({
      description: [
        oneLine(item.description),
        // Explains why the total can exceed quantity times price: it may include tax (gap invoice.line-total).
        ...(item.tax_rate === 0 ? [] : [`${formatNumber(item.tax_rate)}% tax`]),
      ].join(', '),
      quantity: formatNumber(item.quantity),
      unitPrice: money(item.unit_price),
      total: money(item.total),
    })),
    payUrl,
  };
}

/** Matches the letters of right-to-left scripts that are in use today. */
const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Mandaic}\p{Script=Samaritan}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;

/** Wraps right-to-left text in Unicode isolates, so that it does not reorder the text around it. */
function isolated(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}
