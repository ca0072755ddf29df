import { html, type SafeHtml } from '@remix-run/html-template';

/**
 * The look of a status, with one meaning for each colour: `good` has succeeded, `bad` has failed, `waiting` is not
 * finished, `plain` is neither.
 */
export type Look = 'good' | 'bad' | 'waiting' | 'plain';

const lookByStatus: Readonly<Record<string, Look>> = {
  paid: 'good',
  active: 'good',
  authorized: 'good',
  captured: 'good',
  delivered: 'good',
  accepted: 'good',
  done: 'good',
  passed: 'good',
  finished: 'good',
  failed: 'bad',
  overdue: 'bad',
  expired: 'bad',
  stopped: 'bad',
  broken: 'bad',
  retrying: 'bad',
  pending: 'waiting',
  open: 'waiting',
  sent: 'waiting',
  viewed: 'waiting',
  partial: 'waiting',
  partially_captured: 'waiting',
  waiting: 'waiting',
  running: 'waiting',
  warned: 'waiting',
};

/** The look of a status. Mails that were sent are finished; invoices that were sent are not. */
export function lookOf(status: string, of?: 'mail'): Look {
  return of === 'mail' && status === 'sent' ? 'good' : (lookByStatus[status] ?? 'plain');
}

/** A status as a badge. */
export function statusBadge(status: string, of?: 'mail'): SafeHtml {
  return html`<span class="status ${lookOf(status, of)}">${status}</span>`;
}
