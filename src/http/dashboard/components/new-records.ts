import { html, type SafeHtml } from '@remix-run/html-template';
import { minorUnits } from '../../../lib/decimals.js';
import type { DashboardLocation } from './dashboard-page.js';
import { form } from './form.js';
import { formFields } from './form-fields.js';

/** A form that creates a deposit. @param nextNumber the number in the suggested booking reference */
export function newDepositForm(location: DashboardLocation, currency: string, nextNumber: number): SafeHtml {
  return form(
    location,
    'createDeposit',
    ({ text }) =>
      html`${text({
        name: 'booking_reference',
        label: 'Booking reference',
        value: `BOOKING-${nextNumber}`,
        attributes: html`required maxlength="255"`,
      })}${amountAndCurrency(text, '300', currency)}<button>Create deposit</button>`,
    { className: 'fields row' },
  );
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
        attributes: html`required maxlength="255"`,
      })}${amountAndCurrency(text, (49.9).toFixed(minorUnits(currency)), currency)}<button>Create payment link</button>`,
    { className: 'fields row' },
  );
}

/** A form that creates a customer. */
export function newCustomerForm(location: DashboardLocation): SafeHtml {
  return form(
    location,
    'createCustomer',
    ({
      text,
    }) => html`${text({ name: 'name', label: 'Name', attributes: html`required maxlength="255" autocomplete="off"` })}
${text({ name: 'email', label: 'Email', attributes: html`type="email" required autocomplete="off"` })}
${text({ name: 'company', label: 'Company', attributes: html`maxlength="255" autocomplete="off"` })}
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

function amountAndCurrency(text: ReturnType<typeof formFields>['text'], amount: string, currency: string): SafeHtml {
  // The `:number` suffix makes the amount a JSON number.
  return html`${text({
    name: 'amount:number',
    label: 'Amount',
    value: amount,
    attributes: html`required inputmode="decimal" size="8"`,
  })}${text({ name: 'currency', label: 'Currency', value: currency, attributes: html`required maxlength="3" size="4"` })}`;
}
