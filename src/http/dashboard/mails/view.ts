import { html, type SafeHtml } from '@remix-run/html-template';
import type { components } from '../../../generated/control-validated-types.js';
import { type RelatedActivity, relatedSection } from '../components/chains.js';
import { addressOf, type DashboardLocation, dashboardPage, liveSection } from '../components/dashboard.js';
import { facts } from '../components/facts.js';
import { type ListPage, list, table } from '../components/list.js';
import { recordLink } from '../components/record-link.js';
import { statusBadge } from '../components/status.js';
import { relativeTime, timestamp } from '../components/timestamp.js';

type MailSummary = components['schemas']['MailSummary'];
type Mail = components['schemas']['Mail'];
type Attempt = Mail['attempts'][number];

const statuses: readonly MailSummary['status'][] = ['stored', 'waiting', 'retrying', 'sent', 'failed'];

/** The list of emails. */
export function mailsPage(location: DashboardLocation, results: ListPage<MailSummary>): string {
  const { account } = location;
  return dashboardPage(
    location,
    'Emails',
    html`${list(location, {
      ...results,
      noun: 'emails',
      statuses,
      statusesOf: 'mail',
      searchPlaceholder: 'subject or address',
      empty: html`<p>No emails yet. Send a reminder for an <a href="${addressOf(account, 'invoices')}">invoice</a>:
<code>POST /api/v1/invoices/{invoice}/reminder</code>.</p>`,
      columns: [
        {
          label: 'Subject',
          sort: 'subject',
          show: ({ id, subject }) => html`<a href="${addressOf(account, 'mails', id)}">${subject}</a>`,
        },
        { label: 'To', sort: 'to', show: ({ to }) => to },
        { label: 'About', show: ({ invoice_id }) => recordLink(account, { resource: 'invoice', id: invoice_id }) },
        { label: 'Status', sort: 'status', show: ({ status }) => statusBadge(status, 'mail') },
        {
          label: 'Created',
          sort: 'created_at',
          show: ({ created_at }) => relativeTime(created_at, location.status.now),
        },
      ],
    })}`,
  );
}

/** The page of an email, with a preview of its HTML in a sandboxed frame and with its plain text. */
export function mailPage(location: DashboardLocation, mail: Mail, related: RelatedActivity): string {
  const { account } = location;
  const { id, invoice_id, to, subject, status, created_at, next_attempt_at, attempts, text } = mail;
  return dashboardPage(
    location,
    subject,
    html`<p><a href="${addressOf(account, 'mails')}">All emails</a></p>
${liveSection(
  location,
  'mail',
  html`<div class="sheet">
${facts([
  ['To', to],
  ['About', recordLink(account, { resource: 'invoice', id: invoice_id })],
  ['Status', statusBadge(status, 'mail')],
  ['Created (UTC)', timestamp(created_at)],
  ['Next attempt (UTC)', next_attempt_at === null ? null : timestamp(next_attempt_at)],
])}
${attempts.length === 0 ? '' : attemptsTable(attempts)}
</div>
${relatedSection(location, related)}`,
)}
<div class="beside">
<section class="sheet">
<h2>Preview</h2>
<iframe class="mail" sandbox src="${addressOf(account, 'mails', id)}/html" title="Preview of the email"></iframe>
<p class="hint">Links in the preview are disabled. Use the links in the text.</p>
</section>
<section class="sheet">
<h2>Text</h2>
<pre tabindex="0" role="region" aria-label="Text of the email">${withLinks(text)}</pre>
</section>
</div>`,
  );
}

function attemptsTable(attempts: readonly Attempt[]): SafeHtml {
  return table<Attempt>(
    [
      { label: 'Attempt (UTC)', show: ({ at }) => timestamp(at) },
      { label: 'Outcome', show: ({ error }) => error ?? 'accepted' },
    ],
    attempts,
    'Attempts to send it to the SMTP server',
  );
}

/** Turns the URLs of a text into links, which the preview does not have: links in a sandboxed frame do not work. */
function withLinks(text: string): SafeHtml[] {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}" rel="noreferrer">${part}</a>` : html`${part}`));
}
