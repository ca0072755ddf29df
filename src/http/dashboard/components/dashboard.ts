import { html, type SafeHtml } from '@remix-run/html-template';
import { errorSummary, type RefusedForm } from './form-fields.js';
import { documentOf } from './layout.js';

/** The sections of the dashboard: the end of their URL, and their label. */
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

/** Finds a section by the end of its URL. */
export function sectionNamed(name: string): { readonly name: Section; readonly label: string } | undefined {
  const found = sections.find(([known]) => known === name);
  return found && { name: found[0], label: found[1] };
}

/** The place of a page in the dashboard. */
export interface Place {
  readonly account: string;
  /** All accounts, to choose from. */
  readonly accounts: readonly string[];
  readonly section: Section;
  /** The URL of the page, without the host. */
  readonly path: string;
  /** The outcome of the last action; shown once. */
  readonly notice?: Notice | undefined;
}

/** A message about the last action. It is shown once; after an error, as long as the form is being corrected. */
export interface Notice {
  readonly kind: 'done' | 'refused';
  readonly content: SafeHtml;
  /** The form with the error. */
  readonly form?: RefusedForm;
}

/** The URL of a section, or of a record in it. */
export function addressOf(account: string, section: Section, record?: number | string): string {
  const parts = ['dashboard', account, ...(section === '' ? [] : [section]), ...(record === undefined ? [] : [record])];
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

/** A page of the dashboard. Links and forms work without scripts; scripts load only what differs from the current page. */
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
<p class="api-documents"><a href="/docs" hx-boost="false">API documents</a></p>
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

/** The id of the error message. */
export const problemsId = 'problems';

/** Renders a notice. An error gets the focus. @param page the content below it */
export function noticeOf({ kind, content, form }: Notice, page: SafeHtml = html``): SafeHtml {
  if (kind === 'done') return html`<div class="notice done" role="status">${content}</div>`;
  return html`<div class="notice refused" id="${problemsId}" role="alert" tabindex="-1" autofocus>${form && form.errors.size > 0 ? errorSummary(form, String(page)) : ''}${content}</div>`;
}

/** A part of a page that reloads whenever the account changes. Links and forms in it load a whole page. */
export function live({ path, notice }: Place, id: string, content: SafeHtml): SafeHtml {
  // A form with errors keeps its values while it is being corrected.
  const own =
    notice?.form === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}notice=${notice.form.notice}`;
  return html`<section id="${id}" hx-get="${own}" hx-sync="this:replace" hx-trigger="sse:change" hx-select="#${id}" hx-swap="outerHTML" hx-disinherit="hx-select hx-swap">
${content}
</section>`;
}

/** A button that calls an operation and returns to its page. */
export function action(
  place: Pick<Place, 'account' | 'path'>,
  operation: string,
  label: string,
  target?: { readonly id: number | string },
): SafeHtml {
  return html`<form method="post" action="${actionAddress(place, operation, target?.id)}" class="action">
<input type="hidden" name="then" value="${place.path}"><button>${label}</button></form>`;
}

/** The URL of the page that asks for confirmation of an operation. */
export function confirmationAddress(
  { account }: Pick<Place, 'account'>,
  operation: string,
  id?: number | string,
): string {
  const parts = ['dashboard', account, 'confirm', operation, ...(id === undefined ? [] : [id])];
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

/** The URL that forms are sent to for an operation of the control API. Their fields are those of the operation's body. */
export function actionAddress({ account }: Pick<Place, 'account'>, operation: string, id?: number | string): string {
  const parts = ['dashboard', account, 'do', operation, ...(id === undefined ? [] : [id])];
  return `/${parts.map(encodeURIComponent).join('/')}`;
}
