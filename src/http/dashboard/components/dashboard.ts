import { html, type SafeHtml } from '@remix-run/html-template';
import { errorSummary, type RefusedForm } from './form-fields.js';
import { documentOf } from './layout.js';

/** The sections of the dashboard: what their address ends with, and what they are called. */
const sections = [
  ['', 'Overview'],
  ['invoices', 'Invoices'],
  ['payment-links', 'Payment links'],
  ['payments', 'Payments'],
  ['deposits', 'Deposits'],
  ['customers', 'Customers'],
  ['clock', 'Clock'],
  ['webhooks', 'Webhooks'],
  ['mails', 'Mails'],
  ['requests', 'Requests'],
  ['faults', 'Faults'],
  ['scenarios', 'Scenarios'],
  ['snapshots', 'Snapshots'],
  ['tokens', 'Tokens'],
  ['profile', 'Profile'],
  ['accounts', 'Accounts'],
] as const;

export type Section = (typeof sections)[number][0];

/** Finds a section by what its address ends with. */
export function sectionNamed(name: string): { readonly name: Section; readonly label: string } | undefined {
  const found = sections.find(([known]) => known === name);
  return found && { name: found[0], label: found[1] };
}

/** Where in the dashboard a page is. */
export interface Place {
  readonly account: string;
  /** All accounts, to choose from. */
  readonly accounts: readonly string[];
  readonly section: Section;
  /** The address of the page, without the host. */
  readonly path: string;
  /** What came of what was done last; shown once. */
  readonly notice?: Notice | undefined;
}

/** What is told about what was done: once, or, of a form that was refused, as long as it is being corrected. */
export interface Notice {
  readonly kind: 'done' | 'refused';
  readonly content: SafeHtml;
  /** The form that was refused. */
  readonly form?: RefusedForm;
}

/** The address of a section, or of a record in it. */
export function addressOf(account: string, section: Section, record?: number | string): string {
  const parts = ['dashboard', account, ...(section === '' ? [] : [section]), ...(record === undefined ? [] : [record])];
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

/** A page of the dashboard. Links and forms work without a script; with one, only what differs is loaded anew. */
export function dashboardPage(place: Place, title: string, content: SafeHtml): string {
  const { account, accounts, section, notice } = place;
  const link = ([name, label]: (typeof sections)[number]): SafeHtml =>
    html`<li><a href="${addressOf(account, name)}"${name === section ? html` aria-current="page"` : ''}>${label}</a></li>\n`;
  return documentOf(
    `${title} · ${account} · billing-sim`,
    html`<body class="dashboard" hx-boost="true" hx-ext="sse" sse-connect="${addressOf(account, '')}/live">
<a class="skip" href="#main">Skip to the content</a>
<header>
<p class="brand"><a href="${addressOf(account, '')}">billing-sim</a></p>
<form action="/dashboard" method="get" class="switch" hx-boost="false"><label for="account">Account</label>
<select id="account" name="account">${accounts.map((name) => html`<option${name === account ? ' selected' : ''}>${name}</option>`)}</select>
<button>Go</button></form>
<p id="connection" class="connection" role="status"></p>
<p class="elsewhere"><a href="/docs" hx-boost="false">API documents</a></p>
</header>
<nav aria-label="Sections"><ul>
${sections.map(link)}</ul></nav>
<main id="main" tabindex="-1">
<h1>${title}</h1>
${notice ? noticeOf(notice, content) : ''}
${content}
</main>
<dialog id="dialog" aria-labelledby="confirmation-title"></dialog>
</body>`,
    true,
  );
}

/** Where it says what is wrong. */
export const problemsId = 'problems';

/** Tells what came of what was done. That something is wrong gets the focus. @param page what is below it */
export function noticeOf({ kind, content, form }: Notice, page: SafeHtml = html``): SafeHtml {
  if (kind === 'done') return html`<div class="notice done" role="status">${content}</div>`;
  return html`<div class="notice refused" id="${problemsId}" role="alert" tabindex="-1" autofocus>${form && form.errors.size > 0 ? errorSummary(form, String(page)) : ''}${content}</div>`;
}

/** A part of a page that is loaded anew whenever something happens on the account; the links and forms in it load a whole page. */
export function live({ path, notice }: Place, id: string, content: SafeHtml): SafeHtml {
  // A form that was refused stays as it is while somebody corrects it.
  const own =
    notice?.form === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}notice=${notice.form.notice}`;
  return html`<section id="${id}" hx-get="${own}" hx-sync="this:replace" hx-trigger="sse:change" hx-select="#${id}" hx-swap="outerHTML" hx-disinherit="hx-select hx-swap">
${content}
</section>`;
}

/** A button that does one thing, and comes back to where it was pressed. */
export function action(
  place: Pick<Place, 'account' | 'path'>,
  operation: string,
  label: string,
  target?: { readonly id: number | string },
): SafeHtml {
  return html`<form method="post" action="${actionAddress(place, operation, target?.id)}" class="action">
<input type="hidden" name="then" value="${place.path}"><button>${label}</button></form>`;
}

/** Where it is asked whether an operation that loses data is to be done. */
export function confirmationAddress(
  { account }: Pick<Place, 'account'>,
  operation: string,
  id?: number | string,
): string {
  const parts = ['dashboard', account, 'confirm', operation, ...(id === undefined ? [] : [id])];
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

/** Where a form is sent that has an operation of the control API done; its fields are those of the operation's body. */
export function actionAddress({ account }: Pick<Place, 'account'>, operation: string, id?: number | string): string {
  const parts = ['dashboard', account, 'do', operation, ...(id === undefined ? [] : [id])];
  return `/${parts.map(encodeURIComponent).join('/')}`;
}
