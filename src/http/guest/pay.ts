import { randomUUID } from 'node:crypto';
import { html, type SafeHtml } from '@remix-run/html-template';
import { amountToPay, type Payable, type UnpayableReason, whyNotPayable } from '../../domain/payable.js';
import { paymentMethods } from '../../domain/payment-lifecycle.js';
import type { Invoice, Payment } from '../../domain/records.js';
import { invalidField, ServiceError } from '../../domain/service-error.js';
import { readCard, testCards } from '../../domain/test-cards.js';
import { outcomesWithoutCard, type TestOutcome } from '../../domain/test-outcomes.js';
import {
  answerChallenge,
  checkOut,
  findPayable,
  markInvoiceViewed,
  openPaymentOf,
  paymentOfForm,
  whyNotPayableNow,
} from '../../simulation/operations/checkout.js';
import { moneyIn } from '../../text/format-money.js';
import { noticeBlock } from '../dashboard/components/dashboard-page.js';
import { facts } from '../dashboard/components/facts.js';
import { centeredPage } from '../dashboard/components/layout.js';
import { day } from '../dashboard/components/timestamp.js';
import { htmlResponse, seeOther } from '../dashboard/routing/responses.js';
import type { ResponseData } from '../service/response.js';
import { type CardFormState, cardForm } from './components/card-form.js';
import { challengePage, outdatedChallengePage } from './components/challenge.js';
import { merchantName } from './components/merchant-name.js';
import { paymentMethodLabel } from './components/payment-method-label.js';
import { outcomePage } from './components/payment-outcome.js';
import { unpayablePage } from './components/unpayable.js';
import { type GuestPage, type GuestRequest, textNotice, withReload } from './guest-page.js';
import type { GuestTexts } from './texts/guest-texts.js';

/** HTTP statuses of the pages that explain why nothing can be paid. */
const unpayableStatuses: Readonly<Record<UnpayableReason, number>> = {
  inactive: 410,
  draft: 409,
  paid: 200,
  cancelled: 410,
  'payment-in-progress': 200,
};

/** The page on which a payment link or an invoice is paid. */
export const payPage: GuestPage = {
  show(request) {
    const payable = payableOf(request);
    const payment = paymentOfForm(request.account, payable, request.query.get('form') ?? '');
    if (payment) return showOutcome(request, payable, payment);
    const reason = whyNotPayableNow(request.account, payable);
    if (reason) return showUnpayable(request, payable, reason, unpayableStatuses[reason]);
    // An invoice counts as viewed once a person has opened its page, not if the page is only loaded in a frame.
    const shownPayable =
      request.isOpenedByPerson && payable.resource === 'invoice'
        ? { ...payable, record: markInvoiceViewed(request.account, payable.record) }
        : payable;
    const { headers, ...responseData } = showForm(request, shownPayable, randomUUID(), {
      // A link in the list of test cards names a card by its outcome.
      prefilledOutcome: request.query.get('card') ?? undefined,
    });
    // Unlike `no-store`, lets the back button show the same form instead of a new one. Each form makes at most one
    // payment, so submitting it again does not charge again.
    return { ...responseData, headers: { ...headers, 'Cache-Control': 'private, no-cache' } };
  },

  submit(request, params, keepNotice) {
    const { account, path, texts } = request;
    const payable = payableOf(request);
    const formId = formIdOf(params);
    const redirectToOutcome = (noticeId?: string): ResponseData => seeOther(outcomePath(path, formId, noticeId));
    const payment = paymentOfForm(account, payable, formId);
    const answer = params.get('answer');
    if (answer !== null) {
      // Without the payment, such as after a reset of the account, the guest is shown the form again.
      if (payment) answerChallenge(account, payment, answer === 'approve');
      return redirectToOutcome();
    }
    if (payment) return redirectToOutcome(keepNotice(textNotice('done', texts.alreadySent)));
    const reason = whyNotPayableNow(account, payable);
    // The form is refused, so the status must be an error, even if opening the page is answered with 200.
    if (reason) return showUnpayable(request, payable, reason, Math.max(unpayableStatuses[reason], 409));

    const shownAmount = params.get('amount');
    if (shownAmount !== null && shownAmount !== String(amountToPay(payable))) {
      const notice = textNotice('refused', texts.amountChanged);
      return { ...showForm({ ...request, notice }, payable, formId, {}), status: 409 };
    }
    const method = params.get('method') ?? 'card';
    if (method !== 'card') {
      checkOut(account, payable, { formId, method, outcome: outcomeOf(params) });
      return redirectToOutcome();
    }
    const number = params.get('number') ?? '';
    const result = readCard(number, testCards);
    if (result.kind === 'not-a-card') return showForm(request, payable, formId, { invalidReason: result.reason });
    const cardOutcome = result.kind === 'test-card' ? result.card.outcome : 'declined';
    checkOut(account, payable, { formId, method, outcome: cardOutcome });
    return result.kind === 'test-card'
      ? redirectToOutcome()
      : redirectToOutcome(keepNotice(textNotice('refused', texts.unknownCard)));
  },
};

/** @throws ServiceError payment-link-not-found */
function payableOf({ account, slugOrId }: GuestRequest): Payable {
  const payable = findPayable(account, slugOrId);
  if (!payable) throw new ServiceError('payment-link-not-found', { hint: 'ask the sender for the correct link' });
  return payable;
}

/** @throws ServiceError invalid */
function formIdOf(params: URLSearchParams): string {
  const formId = params.get('form') ?? '';
  if (!/^[\w-]{16,64}$/.test(formId)) {
    throw invalidField('form', 'custom', { message: 'The id of the form is missing or invalid. Reload the page.' });
  }
  return formId;
}

/** @throws ServiceError invalid */
function outcomeOf(params: URLSearchParams): TestOutcome {
  const chosenOutcome = outcomesWithoutCard.find((outcome) => outcome === params.get('outcome'));
  if (!chosenOutcome) throw invalidField('outcome', 'enum');
  return chosenOutcome;
}

/** The page on which a guest pays a payment link, or a customer pays an invoice. */
function showForm(
  { account, path, texts, notice }: GuestRequest,
  payable: Payable,
  formId: string,
  state: CardFormState,
): ResponseData {
  const methods = paymentMethods(account.profile);
  const amount = moneyIn(payable.record.currency, texts.lang)(amountToPay(payable));
  // Not the URL of the page itself: after a POST to it, the browser would drop its cached copy of the page, but the back
  // button should show this form again.
  const action = `${path}?pay`;
  const hidden = html`<input type="hidden" name="form" value="${formId}"><input type="hidden" name="amount" value="${amountToPay(payable)}">`;
  const cards = testCards.map((card) => ({ ...card, text: texts.outcomes[card.outcome] }));
  const others = methods.filter((method) => method !== 'card');
  const card = html`<h2>${texts.byCard}</h2>
${cardForm({ texts, path, action, button: texts.pay(amount), cards, state, hidden: html`${hidden}<input type="hidden" name="method" value="card">` })}`;
  const page = centeredPage(
    texts.pay(amount),
    html`${notice ? noticeBlock(notice) : ''}
${payable.resource === 'invoice' ? invoiceFacts(payable.record, merchantName(account.id), texts) : html`<p class="purpose">${payable.record.description}</p>${facts([[texts.paymentTo, merchantName(account.id)]])}`}
${methods.includes('card') ? card : ''}
${others.length > 0 ? otherMethods(action, others, hidden, { texts, amount }) : ''}`,
    texts,
  );
  return htmlResponse(page, state.invalidReason ? 422 : 200);
}

function invoiceFacts(invoice: Invoice, merchant: string, texts: GuestTexts): SafeHtml {
  const money = moneyIn(invoice.currency, texts.lang);
  return html`<p class="purpose">${texts.invoice(invoice.invoice_number)}</p>
${facts([
  [texts.paymentTo, merchant],
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
<label>${texts.method} <select name="method">${methods.map((method) => html`<option value="${method}">${paymentMethodLabel(method, texts)}</option>`)}</select></label>
<label>${texts.outcome} <select name="outcome">${outcomesWithoutCard.map((outcome) => html`<option value="${outcome}">${texts.outcomes[outcome]}</option>`)}</select></label>
<button>${texts.payWithoutCard(amount)}</button>
</form>`;
}

function showUnpayable(
  { account, path, texts }: GuestRequest,
  payable: Payable,
  reason: UnpayableReason,
  status: number,
): ResponseData {
  const openPayment = reason === 'payment-in-progress' ? openPaymentOf(account, payable) : undefined;
  const challengePath = openPayment?.form === undefined ? undefined : outcomePath(path, openPayment.form);
  const responseData = htmlResponse(unpayablePage({ texts, payable, reason, challengePath }), status);
  // While the bank's approval is awaited, the page does not reload itself: it has a link to the approval.
  return reason === 'payment-in-progress' && challengePath === undefined ? withReload(responseData) : responseData;
}

/** The URL, without the host, of the page that shows the outcome of the payment made with a form. */
function outcomePath(path: string, formId: string, noticeId?: string): string {
  return `${path}?${new URLSearchParams({ form: formId, ...(noticeId === undefined ? {} : { notice: noticeId }) })}`;
}

function showOutcome(request: GuestRequest, payable: Payable, payment: Payment): ResponseData {
  const { account, path, texts, notice } = request;
  if (payment.status === 'open') {
    // The invoice may have been paid or cancelled elsewhere, so that an approval could no longer pay it.
    const reason = payable.resource === 'invoice' ? whyNotPayable(payable, false) : undefined;
    if (reason) return showUnpayable(request, payable, reason, unpayableStatuses[reason]);
    const amountAndPurpose = texts.amountFor(
      moneyIn(payment.currency, texts.lang)(payment.amount),
      payment.description,
    );
    const page = payment.amount > amountToPay(payable) ? outdatedChallengePage : challengePage;
    return htmlResponse(page({ texts, path, amountAndPurpose, checkoutFormId: payment.form ?? '' }));
  }
  const payAgainPath = whyNotPayableNow(account, payable) === undefined ? path : undefined;
  const responseData = htmlResponse(outcomePage({ texts, account: account.id, payment, payAgainPath, notice }));
  return payment.status === 'pending' ? withReload(responseData) : responseData;
}
