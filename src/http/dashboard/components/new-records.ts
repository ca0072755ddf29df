import { html, type SafeHtml } from '@remix-run/html-template';
import { currencyDecimals } from '../../../lib/decimals.js';
import type { DashboardLocation } from './dashboard-page.js';
import { form } from './form.js';
import { type FormFields, formFields } from './form-fields.js';

/**
 * A form that creates a deposit. The profile decides which texts are too long and which emails are valid, so no form for
 * records limits texts, and this one accepts any email.
 * @param nextNumber the number in the suggested booking reference
 */
export function newDepositForm(location: DashboardLocation, currency: string, nextNumber: number): SafeHtml {
  return form(
    location,
    'createDeposit',
    (fields) => {
      const { text } = fields;
      return html`${text({
        name: 'booking_reference',
        label: 'Booking reference',
        value: `BOOKING-${nextNumber}`,
        attributes: html`required`,
      })}${amountAndCurrency(text, '300', currency)}<button>Create deposit</button>
${guestAndDates(fields)}`;
    },
    { className: 'fields row' },
  );
}

/** Fields of a deposit that the profile may require. */
function guestAndDates({ text, group, hasInput }: FormFields): SafeHtml {
  const isOpen = hasInput('customer', 'customer.name', 'customer.email', 'check_in_date', 'check_out_date');
  return html`<details${isOpen ? ' open' : ''}><summary>Guest and dates</summary>
${group({
  name: 'customer',
  label: 'Guest',
  content: html`<div class="fields row">${text({ name: 'customer.name', label: 'Name', attributes: html`autocomplete="off"` })}
${text({ name: 'customer.email', label: 'Email', attributes: html`inputmode="email" autocomplete="off"` })}</div>`,
})}
<div class="fields row">${text({ name: 'check_in_date', label: 'Check-in', attributes: html`type="date"` })}
${text({ name: 'check_out_date', label: 'Check-out', attributes: html`type="date"` })}</div>
</details>`;
}

/** The amount of a payment link in forms and examples, with the decimal places of the currency: `49.90`. */
export function exampleLinkAmount(currency: string): string {
  return (49.9).toFixed(currencyDecimals(currency));
}

/** A form that creates a payment link. */
export function newPaymentLinkForm(location: DashboardLocation, currency: string): SafeHtml {
  return form(
    location,
    'createPaymentLink',
    ({ text }) =>
      html`${text({
        name: 'description',
        label: 'Description',
        value: 'Late checkout',
        attributes: html`required`,
      })}${amountAndCurrency(text, exampleLinkAmount(currency), currency)}<button>Create payment link</button>`,
    { className: 'fields row' },
  );
}

/** A form that creates a customer. */
export function newCustomerForm(location: DashboardLocation): SafeHtml {
  return form(
    location,
    'createCustomer',
    ({ text }) => html`${text({ name: 'name', label: 'Name', attributes: html`required autocomplete="off"` })}
${text({ name: 'email', label: 'Email', attributes: html`type="email" required autocomplete="off"` })}
${text({ name: 'company', label: 'Company', attributes: html`autocomplete="off"` })}
<button>Create customer</button>`,
    { className: 'fields row' },
  );
}

/** A collapsible form that creates a record. It is initially open if `isOpen` is true or if the form is shown again. */
export function collapsibleForm(
  location: DashboardLocation,
  operation: string,
  { label, isOpen, content }: { readonly label: string; readonly isOpen: boolean; readonly content: SafeHtml },
): SafeHtml {
  const { isShownAgain } = formFields(location, operation);
  return html`<details class="sheet"${isOpen || isShownAgain ? ' open' : ''}><summary>${label}</summary>
${content}</details>`;
}

function amountAndCurrency(text: FormFields['text'], amount: string, currency: string): SafeHtml {
  // The `:number` suffix makes the amount a JSON number.
  return html`${text({
    name: 'amount:number',
    label: 'Amount',
    value: amount,
    attributes: html`required inputmode="decimal" size="8"`,
  })}${text({ name: 'currency', label: 'Currency', value: currency, attributes: html`required size="4"` })}`;
}
