import { html, type SafeHtml } from '@remix-run/html-template';
import { amountToPay, type Payable } from '../../../domain/payable.js';
import type { Invoice } from '../../../domain/records.js';
import { testCards } from '../../../domain/test-cards.js';
import { outcomesWithoutCard } from '../../../domain/test-outcomes.js';
import { moneyIn } from '../../../text/format-money.js';
import { type Notice, noticeBlock } from '../../dashboard/components/dashboard.js';
import { facts } from '../../dashboard/components/facts.js';
import { centeredPage } from '../../dashboard/components/layout.js';
import { day } from '../../dashboard/components/timestamp.js';
import { type CardFormState, cardForm } from '../components/card-form.js';
import { merchantName } from '../components/merchant-name.js';
import { methodName } from '../components/method-name.js';
import type { GuestTexts } from '../texts/guest-texts.js';

export interface PayView {
  readonly texts: GuestTexts;
  /** The id of the account. */
  readonly account: string;
  /** The URL of the page, without the host. */
  readonly path: string;
  readonly payable: Payable;
  /** The payment methods to offer. */
  readonly methods: readonly string[];
  /** The id of this form, so that the form pays only once, even if it is sent again. */
  readonly formId: string;
  readonly state: CardFormState;
  readonly notice?: Notice | undefined;
}

/** The page on which a guest pays a payment link, or a customer pays an invoice. */
export function payPage({ texts, account, path, payable, methods, formId, state, notice }: PayView): string {
  const amount = moneyIn(payable.record.currency, texts.lang)(amountToPay(payable));
  // Differs from the URL of the page, since a browser drops its cached copy of a URL that a form is sent to, and the
  // back button should show this form again.
  const action = `${path}?pay`;
  const hidden = html`<input type="hidden" name="form" value="${formId}"><input type="hidden" name="amount" value="${amountToPay(payable)}">`;
  const cards = testCards.map((card) => ({ ...card, text: texts.outcomes[card.outcome] }));
  const others = methods.filter((method) => method !== 'card');
  const card = html`<h2>${texts.byCard}</h2>
${cardForm({ texts, path, action, button: texts.pay(amount), cards, state, hidden: html`${hidden}<input type="hidden" name="method" value="card">` })}`;
  return centeredPage(
    texts.pay(amount),
    html`${notice ? noticeBlock(notice) : ''}
${payable.resource === 'invoice' ? invoiceFacts(payable.record, merchantName(account), texts) : html`<p class="purpose">${payable.record.description}</p>${facts([[texts.to, merchantName(account)]])}`}
${methods.includes('card') ? card : ''}
${others.length > 0 ? otherMethods(action, others, hidden, { texts, amount }) : ''}`,
    texts,
  );
}

function invoiceFacts(invoice: Invoice, merchant: string, texts: GuestTexts): SafeHtml {
  const money = moneyIn(invoice.currency, texts.lang);
  return html`<p class="purpose">${texts.invoice(invoice.invoice_number)}</p>
${facts([
  [texts.to, merchant],
  [texts.due, day(invoice.due_date, texts.dateLocale)],
  [texts.amount, money(invoice.amount)],
  [texts.alreadyPaid, invoice.paid_amount === 0 ? null : money(invoice.paid_amount)],
])}
${itemTable(invoice, money, texts)}`;
}

/** Maximum number of items shown. */
const maxItems = 20;

function itemTable({ items }: Invoice, money: (amount: number) => string, texts: GuestTexts): SafeHtml {
  const hiddenCount = items.length - maxItems;
  return html`<table class="items">
<caption>${texts.items}</caption>
<thead><tr><th scope="col">${texts.item}</th><th scope="col" class="numeric">${texts.total}</th></tr></thead>
<tbody>
${items.slice(0, maxItems).map(({ description, total }) => html`<tr><td>${description}</td><td class="numeric">${money(total)}</td></tr>\n`)}</tbody>
</table>
${hiddenCount > 0 ? html`<p>${texts.moreItems(hiddenCount)}</p>` : ''}`;
}

function otherMethods(
  action: string,
  methods: readonly string[],
  hidden: SafeHtml,
  { texts, amount }: { readonly texts: GuestTexts; readonly amount: string },
): SafeHtml {
  return html`<h2>${texts.otherMethods}</h2>
<form method="post" action="${action}" class="fields">
${hidden}
<label>${texts.method} <select name="method">${methods.map((method) => html`<option value="${method}">${methodName(method, texts)}</option>`)}</select></label>
<label>${texts.outcome} <select name="outcome">${outcomesWithoutCard.map((outcome) => html`<option value="${outcome}">${texts.outcomes[outcome]}</option>`)}</select></label>
<button>${texts.payWithoutCard(amount)}</button>
</form>`;
}
