import { html, type SafeHtml } from '@remix-run/html-template';
import type { components } from '../../../generated/control-validated-types.js';
import { isProblematicAttempt } from '../../../text/step-text.js';

type Attempt = components['schemas']['Attempt'];

/**
 * The variant of a status, which decides its color: `good` for success, `bad` for failure, `waiting` for unfinished,
 * `plain` for everything else.
 */
export type Variant = 'good' | 'bad' | 'waiting' | 'plain';

const variantByStatus: Readonly<Record<string, Variant>> = {
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

/** The variant of a status. An email that was sent is finished, but an invoice that was sent is not paid yet. */
export function variantOf(status: string, resource?: 'mail'): Variant {
  return resource === 'mail' && status === 'sent' ? 'good' : (variantByStatus[status] ?? 'plain');
}

/** A status as text. For an email, `stored` says little, so the reason is shown instead. */
export function statusText(status: string, resource?: 'mail'): string {
  return resource === 'mail' && status === 'stored' ? 'not sent: no SMTP server was set' : status;
}

/** A status as a badge. */
export function statusBadge(status: string, resource?: 'mail'): SafeHtml {
  return html`<span class="status ${variantOf(status, resource)}">${statusText(status, resource)}</span>`;
}

/**
 * The outcome of an attempt to deliver a webhook: the status that the receiver responded with, or the reason why there
 * is none. If a fault has forged the message, a rejection is good, and an acceptance is bad.
 */
export function attemptBadge(attempt: Pick<Attempt, 'status' | 'error' | 'applied_faults'>): SafeHtml {
  const { status, error } = attempt;
  return html`<span class="status ${isProblematicAttempt(attempt) ? 'bad' : 'good'}">${status ?? error}</span>`;
}
