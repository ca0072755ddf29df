import { html, type SafeHtml } from '@remix-run/html-template';

/** Statuses that are good or bad news for the owner of the account. */
const looks: Readonly<Record<string, 'good' | 'bad'>> = {
  paid: 'good',
  active: 'good',
  authorized: 'good',
  captured: 'good',
  delivered: 'good',
  sent: 'good',
  failed: 'bad',
  overdue: 'bad',
  expired: 'bad',
  retrying: 'bad',
};

/** `good`, `bad` or `plain`. */
export function lookOf(status: string): 'good' | 'bad' | 'plain' {
  return looks[status] ?? 'plain';
}

/** A status as a badge. */
export function statusBadge(status: string): SafeHtml {
  return html`<span class="status ${lookOf(status)}">${status}</span>`;
}
