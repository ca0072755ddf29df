import { formatInstant } from '../../domain/dates.js';
import type { Invoice, Mail } from '../../domain/records.js';
import { nextMailAttemptAt } from '../../domain/retries.js';
import { requireFound, ServiceError } from '../../domain/service-error.js';
import { confirmDue } from '../agenda/confirm-due.js';
import type { LiveAccount } from '../live-account.js';
import type { AccountState } from '../state/account-state.js';
import { mailDueAt } from '../state/apply-changes.js';
import type { WritableAccount } from '../transaction.js';

/**
 * `stored`: not sent, for lack of an SMTP server; `failed`: the last attempt failed, and there will be no further
 * attempt.
 */
export type MailStatus = 'stored' | 'waiting' | 'retrying' | 'sent' | 'failed';

export function mailStatus(account: AccountState, mail: Mail): MailStatus {
  const last = mail.attempts.at(-1);
  if (last?.error === null) return 'sent';
  if (last && mail.next_attempt_at === null) return 'failed';
  if (mailDueAt(account, mail) === null) return 'stored';
  return last ? 'retrying' : 'waiting';
}

/** @throws ServiceError mail-not-found */
export function getMail(account: AccountState, id: number | string): Mail {
  return requireFound(account.mails.get(id), 'mail-not-found');
}

/** Creates the reminder email of an invoice. It is sent if an SMTP server is configured. */
export function writeReminder(account: WritableAccount, invoice: Invoice): void {
  const created_at = formatInstant(account.now());
  const mail: Mail = {
    id: account.mails.nextId(),
    invoice_id: invoice.id,
    ...account.ports.presentation.reminder(account, invoice),
    attempts: [],
    next_attempt_at: account.ports.sendMail ? created_at : null,
    created_at,
  };
  account.transaction((tx) => tx.put({ mails: [mail] }));
}

/** Sends an email that is due, and queues the outcome for storage. If storing it fails, the email is due again. */
export async function attemptMail(account: LiveAccount, id: string): Promise<void> {
  const { sendMail } = account.ports;
  try {
    // Waits until the email itself is stored, or has been removed again because it could not be stored. Only stored
    // emails are sent.
    await account.whenReadyToSend();
    const mail = account.mails.get(Number(id));
    if (!mail || !sendMail || account.isClosed || !confirmDue(account, 'mail-attempt', mail)) return;
    const failure = await sendMail(mail);
    const attempts = [...mail.attempts, { at: formatInstant(account.now()), error: failure?.reason ?? null }];
    const isRetried = failure !== null && !failure.isPermanent;
    const next = isRetried ? nextMailAttemptAt(attempts.length, account.now()) : undefined;
    const next_attempt_at = next === undefined ? null : formatInstant(next);
    account.transaction((tx) => tx.put({ mails: [{ ...mail, attempts, next_attempt_at }] }));
  } catch (error) {
    // The transaction throws a ServiceError if the account was removed or the simulator stopped in the meantime.
    if (!(error instanceof ServiceError)) throw error;
  }
}
