import { html } from '@remix-run/html-template';
import { type ReminderContent, sender } from './reminder-content.js';

/**
 * The style sheet of reminders. Email clients without support for `prefers-color-scheme` show light colors, and clients
 * that drop style sheets show plain tables. On a phone, the columns of an item become lines below its
 * description, each with a label.
 */
const style = html`<style>
:root { color-scheme: light dark; }
body { margin: 0; padding: 24px 16px; background: #f3f4f6; color: #1f2937; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; overflow-wrap: anywhere; }
main { max-width: 600px; box-sizing: border-box; margin: 0 auto; padding: 32px; border-radius: 12px; background: #ffffff; }
p { margin: 0 0 16px; }
table { width: 100%; margin: 0 0 24px; border-collapse: collapse; }
th, td { padding: 8px 0 8px 16px; border-bottom: 1px solid #e5e7eb; text-align: right; vertical-align: top; font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { padding-left: 0; text-align: left; }
th { color: #4b5563; font-weight: 500; }
.facts th { white-space: nowrap; }
.facts tr:last-child > * { border-bottom: 0; color: inherit; font-size: 20px; font-weight: 700; }
.facts tr:last-child th { white-space: normal; }
.facts tr:last-child td { white-space: nowrap; }
.items th { font-size: 14px; white-space: nowrap; }
.items td:not(:first-child) { white-space: nowrap; }
.label { display: none; }
.pay { display: block; padding: 12px 20px; border-radius: 8px; background: #1d4ed8; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none; }
.pay-url { color: #4b5563; font-size: 14px; }
.pay-url a { color: inherit; }
.note { padding: 12px 16px; border-radius: 8px; background: #eef2ff; color: #1e3a8a; }
.sender { margin: 0; }
@media (max-width: 480px) {
  body { padding: 0; background: #ffffff; }
  main { padding: 20px 16px; border-radius: 0; }
  .items thead { display: none; }
  .items, .items tbody, .items tr, .items td { display: block; }
  .items tr { padding: 10px 0; border-bottom: 1px solid #e5e7eb; }
  .items td, .items td:first-child { padding: 0; border-bottom: 0; }
  .items td:first-child { padding-bottom: 4px; font-weight: 500; }
  .items td:not(:first-child) { white-space: normal; }
  .label { display: inline; float: left; padding-right: 16px; color: #4b5563; }
}
@media (prefers-color-scheme: dark) {
  body { background: #111827; color: #e5e7eb; }
  main { background: #1f2937; }
  th, td { border-color: #374151; }
  th, .label, .pay-url { color: #9ca3af; }
  .pay { background: #3b6fe0; }
  .note { background: #1e2a52; color: #c7d2fe; }
}
@media (max-width: 480px) and (prefers-color-scheme: dark) {
  body { background: #1f2937; }
  .items tr { border-color: #374151; }
}
</style>`;

/** A reminder as an HTML document. The `html` tag escapes every inserted text. */
export function reminderHtml({ subject, greeting, summary, facts, items, payUrl, amountDue }: ReminderContent): string {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
${style}
</head>
<body>
<main>
<p>${greeting}</p>
<p>${summary}</p>
<table class="facts">
<tbody>
${facts.map(([label, value]) => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>\n`)}</tbody>
</table>
${
  payUrl === null
    ? html`<p class="note">A payment is already in progress, so there is nothing for you to do now.</p>`
    : html`<p><a class="pay" href="${payUrl}">Pay ${amountDue}</a></p>
<p class="pay-url">If the button does not work, open <a href="${payUrl}">${payUrl}</a></p>`
}
${items.length === 0 ? null : itemTable(items)}
<p class="sender">Kind regards,<br>${sender.name}</p>
</main>
</body>
</html>
`;
  return document.toString();
}

function itemTable(items: ReminderContent['items']): ReturnType<typeof html> {
  return html`<table class="items">
<thead>
<tr><th scope="col">Description</th><th scope="col">Quantity</th><th scope="col">Unit price</th><th scope="col">Total</th></tr>
</thead>
<tbody>
${items.map(
  (item) =>
    html`<tr><td>${item.description}</td>${numberCell('Quantity', item.quantity)}${numberCell('Unit price', item.unitPrice)}${numberCell('Total', item.total)}</tr>\n`,
)}</tbody>
</table>`;
}

function numberCell(label: string, value: string): ReturnType<typeof html> {
  return html`<td><span class="label">${label}: </span>${value}</td>`;
}
