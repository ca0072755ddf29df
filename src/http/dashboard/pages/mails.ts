import { html, type SafeHtml } from '@remix-run/html-template';
import type { Mail } from '../../../domain/records.js';
import type { components } from '../../../generated/control-validated-types.js';
import { integerOrText } from '../../../lib/integer-or-text.js';
import type { Account } from '../../../simulation/account.js';
import { getMail, mailStatus } from '../../../simulation/delivery/mails.js';
import { mailSummary, mailView } from '../../control/views.js';
import { backLink, dashboardPage, liveSection } from '../components/dashboard-page.js';
import { facts } from '../components/facts.js';
import { createdColumn, list, table } from '../components/list.js';
import { recordLink } from '../components/record-link.js';
import { relatedActivity } from '../components/related-activity.js';
import { sectionPath } from '../components/sections.js';
import { statusBadge } from '../components/status.js';
import { timestamp } from '../components/timestamp.js';
import { createExportRoutes } from '../data/list-export.js';
import { type ListSource, listPageOf, ownFields } from '../data/list-rows.js';
import type { PageHandler, PageRoute } from '../routing/page.js';
import { sandboxedHtmlResponse } from '../routing/responses.js';

type MailSummary = components['schemas']['MailSummary'];
type Attempt = components['schemas']['Mail']['attempts'][number];

const statuses: readonly MailSummary['status'][] = ['stored', 'waiting', 'retrying', 'sent', 'failed'];

export const mailList = (account: Account): ListSource<Mail> => ({
  rows: account.mails.rows,
  rowPositionsInTimeOrder: () => account.mails.rowPositionsInTimeOrder(),
  searchTextsOf: ({ subject, to }) => [subject, to],
  statusOf: (mail) => mailStatus(account, mail),
  exportedFields: {
    ...ownFields('id', 'subject', 'to', 'invoice_id'),
    status: (mail) => mailStatus(account, mail),
    ...ownFields('created_at'),
  },
});

/** The list of emails. */
const showMails: PageHandler = ({ account, location, query }) => {
  const { rows, ...listPage } = listPageOf(query, mailList(account));
  return dashboardPage(
    location,
    'Emails',
    html`${list(location, {
      ...listPage,
      rows: rows.map((mail) => mailSummary(account, mail)),
      noun: 'email',
      statuses,
      statusesOf: 'mail',
      searchPlaceholder: 'subject or address',
      empty: html`<p>No emails yet. Send a reminder for an <a href="${sectionPath(account.id, 'invoices')}">invoice</a>, on its page or with
<code>POST /api/v1/invoices/{invoice}/reminder</code>.</p>`,
      columns: [
        {
          label: 'Subject',
          sort: 'subject',
          show: ({ id, subject }) => html`<a href="${sectionPath(account.id, 'mails', id)}">${subject}</a>`,
        },
        { label: 'To', sort: 'to', show: ({ to }) => to },
        { label: 'About', show: ({ invoice_id }) => recordLink(account.id, { resource: 'invoice', id: invoice_id }) },
        { label: 'Status', sort: 'status', show: ({ status }) => statusBadge(status, 'mail') },
        createdColumn(location.status.now),
      ],
    })}`,
  );
};

/** The page of an email, with a preview of its HTML in a sandboxed frame and with its plain text. */
const showMail: PageHandler = ({ account, location, idOrName }) => {
  const mail = mailView(account, getMail(account, integerOrText(idOrName)));
  const { id, invoice_id, to, subject, status, created_at, next_attempt_at, attempts, text } = mail;
  return dashboardPage(
    location,
    subject,
    html`${backLink(location, 'All emails')}
${liveSection(
  location,
  'mail',
  html`<div class="sheet">
${facts([
  ['To', to],
  ['About', recordLink(account.id, { resource: 'invoice', id: invoice_id })],
  ['Status', statusBadge(status, 'mail')],
  ['Created (UTC)', timestamp(created_at)],
  ['Next attempt (UTC)', next_attempt_at === null ? null : timestamp(next_attempt_at)],
])}
${attempts.length === 0 ? '' : attemptsTable(attempts)}
</div>
${relatedActivity(account, location, `mail:${id}`)}`,
)}
<div class="beside">
<section class="sheet">
<h2>Preview</h2>
<iframe class="mail" sandbox src="${sectionPath(account.id, 'mails', id)}/html" title="Preview of the email"></iframe>
<p class="hint">Links in the preview are disabled. Use the links in the text.</p>
</section>
<section class="sheet">
<h2>Text</h2>
<pre tabindex="0" role="region" aria-label="Text of the email">${withLinks(text)}</pre>
</section>
</div>`,
  );
};

const showMailHtml: PageHandler = ({ account, idOrName }) =>
  sandboxedHtmlResponse(getMail(account, integerOrText(idOrName)).html);

function attemptsTable(attempts: readonly Attempt[]): SafeHtml {
  return table<Attempt>(
    [
      { label: 'Attempt (UTC)', show: ({ at }) => timestamp(at) },
      { label: 'Outcome', show: ({ error }) => error ?? 'accepted' },
    ],
    attempts,
    'Attempts to send the email',
  );
}

/** Turns the URLs in text into links. These links work, unlike the links in the sandboxed preview. */
function withLinks(text: string): SafeHtml[] {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}" rel="noreferrer">${part}</a>` : html`${part}`));
}

export const mailPages: readonly PageRoute[] = [
  ['/mails', showMails],
  ['/mails/:idOrName', showMail],
  ['/mails/:idOrName/html', showMailHtml],
  ...createExportRoutes('mails', mailList),
];
