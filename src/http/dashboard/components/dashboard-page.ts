import { html, type SafeHtml } from '@remix-run/html-template';
import { errorSummary, type FilledForm, returnToField } from './form-fields.js';
import { type AccountStatus, header, statusBar } from './header.js';
import { documentOf } from './layout.js';
import { navigation, type SectionCounts } from './navigation.js';
import { actionPath, type Section, sectionGroups, sectionPath } from './sections.js';

/** The place of a page in the dashboard, and the data that all pages show. */
export interface DashboardLocation {
  readonly account: string;
  /** The id of the last change event when the page was rendered; live updates start after it. */
  readonly lastChangeId: string;
  /** The ids of all accounts, for the account switcher. */
  readonly accounts: readonly string[];
  readonly section: Section;
  readonly counts: SectionCounts;
  readonly status: AccountStatus;
  /**
   * Sequence number of the last log entry before the latest reset or restore; 0 if the account was never reset or
   * restored. The records of this entry and of earlier ones no longer exist.
   */
  readonly outdatedUpTo: number;
  /** The search text; only set on the search page, which belongs to no section. */
  readonly searchText?: string;
  /** The URL of the page, without the host. */
  readonly path: string;
  /** The result of the last action. */
  readonly notice?: Notice | undefined;
}

/**
 * The result of the last action, for the page that is shown next. `done` reports success and is shown once. `refused`
 * reports an error; with a form, it stays while the user corrects the form. `draft` reports nothing: it shows a form
 * again after a button such as `Add row`.
 */
export interface Notice {
  readonly kind: 'done' | 'refused' | 'draft';
  readonly content: SafeHtml;
  /** The form to show again. */
  readonly form?: FilledForm;
}

/**
 * A page of the dashboard. Links and forms work without scripts; with scripts, htmx replaces the content without a
 * reload.
 */
export function dashboardPage(location: DashboardLocation, title: string, content: SafeHtml): string {
  const { account, lastChangeId, notice } = location;
  return documentOf(
    `${title} · ${account} · billing-sim`,
    html`<body class="dashboard" hx-boost="true" hx-ext="sse" sse-connect="${sectionPath(account, '')}/live?since=${lastChangeId}">
<a class="skip" href="#main">Skip to the content</a>
${header(location)}
${statusBar(location, location.status)}
${navigation(location)}
<main id="main" tabindex="-1">
<h1>${title}</h1>
${notice ? toast(location, noticeBlock(notice, content), notice) : ''}
${content}
</main>
${shortcutsDialog()}
<dialog id="dialog" aria-labelledby="confirmation-title"></dialog>
</body>`,
    { hasScripts: true },
  );
}

/**
 * Keeps a success message in view until the user dismisses it or opens another page. An error is part of the page, and
 * a draft has no message.
 */
function toast({ path }: DashboardLocation, content: SafeHtml, { kind }: Notice): SafeHtml {
  if (kind !== 'done') return content;
  return html`<div class="toast">${content}<a class="dismiss" href="${path}">Dismiss</a></div>`;
}

/** The id of the element with the error message. */
export const problemsId = 'problems';

/** Renders a notice, which gets the focus. @param page HTML below the notice: errors link to its fields */
export function noticeBlock({ kind, content, form }: Notice, page: SafeHtml = html``): SafeHtml {
  if (kind === 'draft') return html``;
  if (kind === 'done') return html`<div class="notice done" role="status" tabindex="-1" autofocus>${content}</div>`;
  return html`<div class="notice refused" id="${problemsId}" role="alert" tabindex="-1" autofocus>${form && form.errors.size > 0 ? errorSummary(form, String(page)) : ''}${content}</div>`;
}

/**
 * A section that reloads itself whenever the account changes. Its links and forms replace the whole page, not only the
 * section.
 */
export function liveSection({ path, notice }: DashboardLocation, id: string, content: SafeHtml): SafeHtml {
  // The notice holds what the user has entered into a form. Without its id in the URL, a reload would clear the form.
  const reloadUrl =
    notice?.form === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}notice=${notice.form.noticeId}`;
  return html`<section id="${id}" hx-get="${reloadUrl}" hx-sync="this:replace" hx-trigger="sse:change" hx-select="#${id}" hx-swap="outerHTML" hx-disinherit="hx-select hx-swap hx-sync">
${content}
</section>`;
}

/** A link to the list of the page's section, above the content of a page that belongs to the section. */
export function backLink({ account, section }: DashboardLocation, label: string): SafeHtml {
  return html`<p class="back-link"><a href="${sectionPath(account, section)}">${label}</a></p>`;
}

/** A button that calls an operation, and then shows the same page again. */
export function actionButton(
  location: Pick<DashboardLocation, 'account' | 'path'>,
  operation: string,
  label: string,
  target?: { readonly id: number | string },
): SafeHtml {
  return html`<form method="post" action="${actionPath(location.account, operation, target?.id)}" class="action">
${returnToField(location.path)}<button>${label}</button></form>`;
}

/**
 * The dialog that lists the keyboard shortcuts, and turns them off for people whose speech input presses keys by
 * mistake. A script opens it.
 */
function shortcutsDialog(): SafeHtml {
  const sections = sectionGroups.flatMap((group) => [...group.sections]);
  return html`<dialog id="shortcuts" aria-labelledby="shortcuts-title"><section class="sheet">
<h2 id="shortcuts-title">Keyboard shortcuts</h2>
<dl class="pairs keys"><dt><kbd>/</kbd></dt><dd>Search</dd><dt><kbd>?</kbd></dt><dd>This list</dd>
${sections.map(([, label, key]) => html`<dt><kbd>g</kbd> <kbd>${key}</kbd></dt><dd>${label}</dd>\n`)}</dl>
<p><label class="choice"><input type="checkbox" id="use-shortcuts" checked> Use these shortcuts</label></p>
<form method="dialog"><button class="quiet" autofocus>Close</button></form>
</section></dialog>`;
}
