import { html, type SafeHtml } from '@remix-run/html-template';
import { errorSummary, type RefusedForm } from './form-fields.js';
import { type AccountStatus, header, statusBar } from './header.js';
import { documentOf } from './layout.js';
import { navigation, type SectionCounts } from './navigation.js';
import { actionAddress, addressOf, type Section } from './sections.js';
import { shortcutsDialog } from './shortcuts.js';

export { actionAddress, addressOf, confirmationAddress, runAddress, type Section } from './sections.js';

/** Where a page of the dashboard is, and what all pages show. */
export interface DashboardLocation {
  readonly account: string;
  /** All accounts, to choose from. */
  readonly accounts: readonly string[];
  readonly section: Section;
  readonly counts: SectionCounts;
  readonly status: AccountStatus;
  /** The searched text on the page of the search, which belongs to no section. */
  readonly searched?: string;
  /** The URL of the page, without the host. */
  readonly path: string;
  /** The outcome of the last action; shown once. */
  readonly notice?: Notice | undefined;
}

/**
 * A message about the last action. It is shown once; after an error, as long as the form is being corrected. A draft
 * has no message: it keeps a form that is still being filled in.
 */
export interface Notice {
  readonly kind: 'done' | 'refused' | 'draft';
  readonly content: SafeHtml;
  /** The form with the error. */
  readonly form?: RefusedForm;
}

/**
 * A page of the dashboard. Links and forms work without scripts; scripts load only what differs from the current page.
 */
export function dashboardPage(location: DashboardLocation, title: string, content: SafeHtml): string {
  const { account, notice } = location;
  return documentOf(
    `${title} · ${account} · billing-sim`,
    html`<body class="dashboard" hx-boost="true" hx-ext="sse" sse-connect="${addressOf(account, '')}/live">
<a class="skip" href="#main">Skip to the content</a>
${header(location)}
${statusBar(location, location.status)}
${navigation(location)}
<main id="main" tabindex="-1">
<h1>${title}</h1>
${notice ? toast(location, noticeOf(notice, content), notice) : ''}
${content}
</main>
${shortcutsDialog()}
<dialog id="dialog" aria-labelledby="confirmation-title"></dialog>
</body>`,
    true,
  );
}

/** A notice of success stays in view until it is dismissed or another page is opened. */
function toast({ path }: DashboardLocation, content: SafeHtml, { kind }: Notice): SafeHtml {
  if (kind === 'refused') return content;
  return html`<div class="toast">${content}<a class="dismiss" href="${path}">Dismiss</a></div>`;
}

/** The id of the error message. */
export const problemsId = 'problems';

/** Renders a notice. An error gets the focus. @param page the content below it */
export function noticeOf({ kind, content, form }: Notice, page: SafeHtml = html``): SafeHtml {
  if (kind === 'draft') return html``;
  if (kind === 'done') return html`<div class="notice done" role="status">${content}</div>`;
  return html`<div class="notice refused" id="${problemsId}" role="alert" tabindex="-1" autofocus>${form && form.errors.size > 0 ? errorSummary(form, String(page)) : ''}${content}</div>`;
}

/** A part of a page that reloads whenever the account changes. Links and forms in it load a whole page. */
export function live({ path, notice }: DashboardLocation, id: string, content: SafeHtml): SafeHtml {
  // A form with errors keeps its values while it is being corrected.
  const own =
    notice?.form === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}notice=${notice.form.notice}`;
  return html`<section id="${id}" hx-get="${own}" hx-sync="this:replace" hx-trigger="sse:change" hx-select="#${id}" hx-swap="outerHTML" hx-disinherit="hx-select hx-swap hx-sync">
${content}
</section>`;
}

/** A button that calls an operation and returns to its page. */
export function action(
  location: Pick<DashboardLocation, 'account' | 'path'>,
  operation: string,
  label: string,
  target?: { readonly id: number | string },
): SafeHtml {
  return html`<form method="post" action="${actionAddress(location, operation, target?.id)}" class="action">
<input type="hidden" name="then" value="${location.path}"><button>${label}</button></form>`;
}
