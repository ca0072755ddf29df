import { html, type SafeHtml } from '@remix-run/html-template';
import type { components } from '../../../generated/control-validated-types.js';
import { addressOf, dashboardPage, live, type Place } from '../components/dashboard.js';
import { facts } from '../components/facts.js';
import { type List, list, table } from '../components/list.js';
import { moment } from '../components/moment.js';
import { statusBadge } from '../components/status.js';
import { subjectLink } from '../components/subject.js';

type MailSummary = components['schemas']['MailSummary'];
type Mail = components['schemas']['Mail'];
type Attempt = Mail['attempts'][number];

const statuses: readonly MailSummary['status'][] = ['kept', 'waiting', 'retrying', 'sent', 'failed'];

/** The list of mails. */
export function mailsPage(place: Place, found: Pick<List<MailSummary>, 'rows' | 'total' | 'search'>): string {
  const { account } = place;
  return dashboardPage(
    place,
    'Mails',
    html`${list(place, {
      ...found,
      noun: 'mails',
      statuses,
      hint: 'subject or address',
      empty: html`<p>No mails yet. Send a reminder for an <a href="${addressOf(account, 'invoices')}">invoice</a>:
<code>POST /api/v1/invoices/{invoice}/reminder</code>.</p>`,
      columns: [
        {
          label: 'Subject',
          show: ({ id, subject }) => html`<a href="${addressOf(account, 'mails', id)}">${subject}</a>`,
        },
        { label: 'To', show: ({ to }) => to },
        { label: 'About', show: ({ invoice_id }) => subjectLink(account, { resource: 'invoice', id: invoice_id }) },
        { label: 'Status', show: ({ status }) => statusBadge(status) },
        { label: 'Created (UTC)', show: ({ created_at }) => moment(created_at) },
      ],
    })}`,
  );
}

/** The page of a mail, as HTML in a sandboxed frame and as text. */
export function mailPage(place: Place, mail: Mail): string {
  const { account } = place;
  const { id, invoice_id, to, subject, status, created_at, next_attempt_at, attempts, text } = mail;
  return dashboardPage(
    place,
    subject,
    html`<p><a href="${addressOf(account, 'mails')}">All mails</a></p>
${live(
  place,
  'mail',
  html`<div class="sheet">
${facts([
  ['To', to],
  ['About', subjectLink(account, { resource: 'invoice', id: invoice_id })],
  ['Status', statusBadge(status)],
  ['Created (UTC)', moment(created_at)],
  ['Next attempt (UTC)', next_attempt_at === null ? null : moment(next_attempt_at)],
])}
${attempts.length === 0 ? '' : attemptsTable(attempts)}
</div>`,
)}
<div class="beside">
<section class="sheet">
<h2>Preview</h2>
<iframe class="mail" sandbox src="${addressOf(account, 'mails', id)}/html" title="Preview of the mail"></iframe>
<p class="hint">Links in the preview are disabled. Use the links in the text.</p>
</section>
<section class="sheet">
<h2>Text</h2>
<pre tabindex="0" role="region" aria-label="Text of the mail">${linked(text)}</pre>
</section>
</div>`,
  );
}

function attemptsTable(attempts: readonly Attempt[]): SafeHtml {
  return table<Attempt>(
    [
      { label: 'Attempt (UTC)', show: ({ at }) => moment(at) },
      { label: 'Outcome', show: ({ error }) => error ?? 'accepted' },
    ],
    attempts,
    'Attempts to send it to the SMTP server',
  );
}

/** Turns the URLs of a text into links, since links in the frame do not work. */
function linked(text: string): SafeHtml[] {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}" rel="noreferrer">${part}</a>` : html`${part}`));
}
