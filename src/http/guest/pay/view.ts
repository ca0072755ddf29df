import { html, type SafeHtml } from '@remix-run/html-template';
import { amountToPay, type Payable } from '../../../domain/payable.js';
import type { Invoice } from '../../../domain/records.js';
import { testCards } from '../../../domain/test-cards.js';
import { outcomesWithoutCard, testOutcomes } from '../../../domain/test-outcomes.js';
import { countOf } from '../../../text/format.js';
import { moneyIn } from '../../../text/format-money.js';
import { type Notice, noticeOf } from '../../dashboard/components/dashboard.js';
import { facts } from '../../dashboard/components/facts.js';
import { guestPage } from '../../dashboard/components/layout.js';
import { day } from '../../dashboard/components/moment.js';
import { cardForm, type Mistyped } from '../components/card-form.js';

export interface PayView {
  /** The payee. */
  readonly account: string;
  /** The URL of the page, without the host. */
  readonly path: string;
  readonly payable: Payable;
  /** The payment methods. */
  readonly methods: readonly string[];
  /** The id of this form, so that it pays only once. */
  readonly form: string;
  readonly mistyped?: Mistyped | undefined;
  readonly notice?: Notice | undefined;
}

/** The page on which a guest pays a payment link, or a customer pays an invoice. */
export function payPage({ account, path, payable, methods, form, mistyped, notice }: PayView): string {
  const amount = moneyIn(payable.record.currency)(amountToPay(payable));
  // Differs from the URL of the page, since a browser drops its cached copy of a URL that a form is sent to, and the back
  // button should show this form again.
  const action = `${path}?pay`;
  const hidden = html`<input type="hidden" name="form" value="${form}">`;
  const others = methods.filter((method) => method !== 'card');
  const card = html`<h2>By card</h2>
${cardForm({ action, button: `Pay ${amount}`, cards: offered, mistyped, hidden: html`${hidden}<input type="hidden" name="method" value="card">` })}`;
  return guestPage(
    `Pay ${amount}`,
    html`${notice ? noticeOf(notice) : ''}
${payable.resource === 'invoice' ? bill(payable.record, account) : html`<p class="purpose">${payable.record.description}</p>${facts([['To', account]])}`}
${methods.includes('card') ? card : ''}
${others.length > 0 ? otherMethods(action, others, hidden, amount) : ''}`,
  );
}

const offered = testCards.map(({ number, outcome }) => ({ number, text: testOutcomes[outcome].text }));

function bill(invoice: Invoice, account: string): SafeHtml {
  const money = moneyIn(invoice.currency);
  return html`<p class="purpose">Invoice ${invoice.invoice_number}</p>
${facts([
  ['To', account],
  ['Due', day(invoice.due_date)],
  ['Amount', money(invoice.amount)],
  ['Already paid', invoice.paid_amount === 0 ? null : money(invoice.paid_amount)],
])}
${itemTable(invoice, money)}`;
}

/** Maximum number of items shown. */
const maxItems = 20;

function itemTable({ items }: Invoice, money: (amount: number) => string): SafeHtml {
  const rest = items.length - maxItems;
  return html`<table class="items">
<caption>Items</caption>
<thead><tr><th scope="col">Item</th><th scope="col" class="figure">Total</th></tr></thead>
<tbody>
${items.slice(0, maxItems).map(({ description, total }) => html`<tr><td>${description}</td><td class="figure">${money(total)}</td></tr>\n`)}</tbody>
</table>
${rest > 0 ? html`<p>And ${countOf(rest, 'more item')}.</p>` : ''}`;
}

function otherMethods(action: string, methods: readonly string[], hidden: SafeHtml, amount: string): SafeHtml {
  return html`<h2>Other methods</h2>
<form method="post" action="${action}" class="fields">
${hidden}
<label>Method <select name="method">${methods.map((method) => html`<option value="${method}">${methodName(method)}</option>`)}</select></label>
<label>Outcome <select name="outcome">${outcomesWithoutCard.map((outcome) => html`<option value="${outcome}">${testOutcomes[outcome].text}</option>`)}</select></label>
<button>Pay ${amount} without a card</button>
</form>`;
}

const names: Readonly<Record<string, string>> = { sepa_debit: 'SEPA debit', ideal: 'iDEAL', paypal: 'PayPal' };

/** The label of a payment method: `Bank transfer` for `bank_transfer`. */
export function methodName(method: string): string {
  const known = Object.hasOwn(names, method) ? names[method] : undefined;
  const words = method.replaceAll('_', ' ');
  return known ?? words.charAt(0).toUpperCase() + words.slice(1);
}
