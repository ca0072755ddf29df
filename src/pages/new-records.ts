import { html, type SafeHtml } from '@remix-run/html-template';
import { actionAddress, type Place } from './dashboard.js';

/** Makes a deposit, and leads to it. @param number of the one that it will be, for a booking to propose */
export function newDepositForm(place: Place, currency: string, number: number): SafeHtml {
  return html`<form method="post" action="${actionAddress(place, 'createDeposit')}" class="fields row">
<input type="hidden" name="then" value="${place.path}">
<label>Booking reference <input name="booking_reference" required maxlength="255" value="BOOKING-${number}"></label>
<label>Amount <input name="amount:number" required inputmode="decimal" value="300" size="8"></label>
<label>Currency <input name="currency" required maxlength="3" size="4" value="${currency}"></label>
<button>Make a deposit</button>
</form>`;
}

/** Makes a payment link, and leads to it. */
export function newPaymentLinkForm(place: Place, currency: string): SafeHtml {
  return html`<form method="post" action="${actionAddress(place, 'createPaymentLink')}" class="fields row">
<input type="hidden" name="then" value="${place.path}">
<label>Description <input name="description" required maxlength="255" value="Late checkout"></label>
<label>Amount <input name="amount:number" required inputmode="decimal" value="49.90" size="8"></label>
<label>Currency <input name="currency" required maxlength="3" size="4" value="${currency}"></label>
<button>Make a payment link</button>
</form>`;
}

/** Makes a customer, and leads to it. */
export function newCustomerForm(place: Place): SafeHtml {
  return html`<form method="post" action="${actionAddress(place, 'createCustomer')}" class="fields row">
<input type="hidden" name="then" value="${place.path}">
<label>Name <input name="name" required maxlength="255" autocomplete="off"></label>
<label>E-mail <input type="email" name="email" required autocomplete="off"></label>
<label>Company <input name="company" maxlength="255" autocomplete="off"></label>
<button>Make a customer</button>
</form>`;
}
